package org.verifycycle.cli;

import org.verifycycle.bench.RunExecutor;
import org.verifycycle.report.EconomicsReport;
import org.verifycycle.report.Reports;
import org.verifycycle.result.IoReason;
import org.verifycycle.result.DispatchFile;
import org.verifycycle.result.NcclTests;
import org.verifycycle.result.ResultException;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;
import org.verifycycle.stats.Choices;
import org.verifycycle.stats.RunAnalysis;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Makes charts and report again, from what is stored. */
@Command(name = "report", mixinStandardHelpOptions = true, description = "Make charts, report.md and index.html of a run again, from its stored results alone.")
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Folder of a run, e.g. one below results/.")
    private Path folder;

    @Option(names = "--plots", paramLabel = "DIR", description = "Write the charts to this folder too.")
    private Path plots;

    @Option(names = "--import", paramLabel = "FILE", description = "Show what all_reduce_perf -J FILE of nccl-tests wrote beside the run's own numbers, marked as imported; repeatable. "
            + "It is not stored with the run.")
    private List<Path> imports = List.of();

    @Option(names = "--dispatch", description = "Write dispatch.json too: the measured choice by size, for a server.")
    private boolean dispatch;

    @Mixin
    private EconomicsOptions economics;

    @Override
    public Integer call() {
        final var store = RunStore.open(folder);
        final var run = store.read();
        final var analysis = RunExecutor.analyse(store, run);
        System.out.print(report(store, run, analysis, imports.stream().map(NcclTests::read).toList(), economics(store, run, analysis)));
        if (dispatch) {
            System.out.println("Dispatch table: " + DispatchFile.write(store.folder(), Choices.of(run, analysis, store::readSamples)));
        }
        if (plots != null) {
            copyCharts(store.folder().resolve("plots"), plots);
        }
        return codeOf(run).code();
    }

    private Optional<EconomicsReport> economics(final RunStore store, final Run run, final RunAnalysis analysis) {
        if (!economics.given()) {
            return Optional.empty();
        }
        try {
            return Optional.of(EconomicsReport.of(economics.assumptions(), economics.explain(), run, analysis, store::readSamples));
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /** Writes the report of a run. @return its text for the terminal */
    static String report(final RunStore store, final Run run) {
        return report(store, run, RunExecutor.analyse(store, run), List.of(), Optional.empty());
    }

    private static String report(final RunStore store, final Run run, final RunAnalysis analysis, final List<NcclTests> imported, final Optional<EconomicsReport> economics) {
        try {
            final var text = Reports.write(store.folder(), run, analysis, store::readSamples, imported, economics);
            return text + jmhProblem(store, run) + "%nCharts and the whole report: %s%n".formatted(store.folder().resolve("index.html"));
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write the report in " + store.folder() + " (" + IoReason.of(e)
                    + "); make room there, then: report " + store.folder(), e);
        }
    }

    /** JMH's own results are an extra: that they can't be put together must not keep anybody from the report. */
    private static String jmhProblem(final RunStore store, final Run run) {
        try {
            store.mergeJmh(run);
            return "";
        } catch (final ResultException e) {
            return "%njmh.json is left as it was: %s%n".formatted(e.getMessage());
        }
    }

    private static void copyCharts(final Path from, final Path to) {
        try (var charts = Files.newDirectoryStream(from)) {
            Files.createDirectories(to);
            for (final var chart : charts) {
                Files.copy(chart, to.resolve(chart.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write charts to " + to + " (" + IoReason.of(e) + ")", e);
        }
    }

    /** What a run's worst round makes of the exit code. */
    static ExitCode codeOf(final Run run) {
        final var rounds = run.entries().stream().flatMap(e -> e.rounds().stream()).toList();
        if (rounds.stream().anyMatch(r -> r.status() == Status.WRONG)) {
            return ExitCode.WRONG_RESULTS;
        }
        return rounds.stream().anyMatch(r -> r.status() == Status.FAILED) ? ExitCode.CONFIGURATION_FAILED
                : run.finishedAt().isEmpty() ? ExitCode.MISSING_DATA : ExitCode.OK;
    }
}
