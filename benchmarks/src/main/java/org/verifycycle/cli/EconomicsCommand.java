package org.verifycycle.cli;

import org.verifycycle.bench.RunExecutor;
import org.verifycycle.report.EconomicsReport;
import org.verifycycle.result.IoReason;
import org.verifycycle.result.ResultException;
import org.verifycycle.result.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Works out whether speculation pays. */
@Command(name = "economics", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Tokens per second with and without speculation, from times per all-reduce call that are measured (--run), given (--call-time) or known (--case).")
final class EconomicsCommand implements Callable<Integer> {
    @Option(names = "--run", paramLabel = "DIR", description = "Folder of a run whose collectives are taken.")
    private Path folder;

    @Option(names = "--plots", paramLabel = "DIR", description = "Write the charts to this folder.")
    private Path plots;

    @Mixin
    private EconomicsOptions options;

    @Override
    public Integer call() {
        try {
            System.out.print(report().write(Optional.ofNullable(plots)));
            return ExitCode.OK.code();
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write charts to " + plots + " (" + IoReason.of(e) + ")", e);
        }
    }

    private EconomicsReport report() {
        if (folder == null) {
            return EconomicsReport.of(options.assumptions(), options.explain());
        }
        final var store = RunStore.open(folder);
        final var run = store.read();
        return EconomicsReport.of(options.assumptions(), options.explain(), run, RunExecutor.analyse(store, run), store::readSamples);
    }
}
