package org.verifycycle.cli;

import org.verifycycle.bench.RunExecutor;
import org.verifycycle.report.EconomicsReport;
import org.verifycycle.report.Reports;
import org.verifycycle.result.ResultException;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;

/** Makes charts and report again, from what is stored. */
@Command(name = "report", mixinStandardHelpOptions = true, description = "Make charts, report.md and index.html of a run again, from its stored results alone.")
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Folder of a run, e.g. one below results/.")
    private Path folder;

    @Option(names = "--plots", paramLabel = "DIR", description = "Write the charts to this folder too.")
    private Path plots;

    @Mixin
    private EconomicsOptions economics;

    @Override
    public Integer call() {
        final var store = RunStore.open(folder);
        final var run = store.read();
        System.out.print(economics.given() ? reportWithEconomics(store, run) : report(store, run));
        if (plots != null) {
            copyCharts(store.folder().resolve("plots"), plots);
        }
        return codeOf(run).code();
    }

    /** Writes the report of a run. @return its text for the terminal */
    static String report(final RunStore store, final Run run) {
        try {
            return Reports.write(store.folder(), run, RunExecutor.analyse(store, run), store::readSamples) + whereItIs(store);
        } catch (final IOException e) {
            throw unwritable(store, e);
        }
    }

    private String reportWithEconomics(final RunStore store, final Run run) {
        final var analysis = RunExecutor.analyse(store, run);
        try {
            final var section = EconomicsReport.of(economics.assumptions(), economics.explain(), run, analysis, store::readSamples);
            return Reports.write(store.folder(), run, analysis, store::readSamples, section) + whereItIs(store);
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        } catch (final IOException e) {
            throw unwritable(store, e);
        }
    }

    private static String whereItIs(final RunStore store) {
        return "%nCharts and the whole report: %s%n".formatted(store.folder().resolve("index.html"));
    }

    private static ResultException unwritable(final RunStore store, final IOException e) {
        return new ResultException(ResultException.Kind.UNWRITABLE, "can't write the report in " + store.folder() + " (" + e.getMessage()
                + "); make room there, then: report " + store.folder(), e);
    }

    private static void copyCharts(final Path from, final Path to) {
        try (var charts = Files.newDirectoryStream(from)) {
            Files.createDirectories(to);
            for (final var chart : charts) {
                Files.copy(chart, to.resolve(chart.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write charts to " + to + " (" + e.getMessage() + ")", e);
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
