package org.verifycycle.bench;

import org.verifycycle.plan.Plan;
import org.verifycycle.rank.SharedFiles;
import org.verifycycle.result.IoReason;
import org.verifycycle.result.Entry;
import org.verifycycle.result.ResultException;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.Analysis;
import org.verifycycle.stats.Quantiles;
import org.verifycycle.stats.RunAnalysis;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/** Carries out the steps of a plan, each in a JMH fork of its own, and stores what each gave before the next begins. */
public final class RunExecutor {
    private static final String HANDOVER_PREFIX = ".round-";
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunStore store;
    private final Path sharedFolder;
    private final PrintStream out;
    private final String resumeOptions;
    private volatile boolean ending;

    /** @param resumeOptions what {@code run --resume DIR} needs beside it to find the same again, e.g. {@code  --nccl FILE}; empty for nothing */
    public RunExecutor(final RunStore store, final Path sharedFolder, final PrintStream out, final String resumeOptions) {
        this.store = store;
        this.sharedFolder = sharedFolder;
        this.out = out;
        this.resumeOptions = resumeOptions;
    }

    /**
     * Runs what the stored run has still to do, then its statistics.
     *
     * @throws ResultException if results can't be written; what was stored before is kept
     */
    public Run execute() {
        final var stored = store.read();
        var run = stored;
        final var steps = Plan.remaining(stored);
        removeLeftovers();
        final var interrupted = new Thread(() -> {
            ending = true;
            out.printf("%nInterrupted. What was finished is kept; go on with: run --resume %s%s%n", store.folder(), resumeOptions);
        });
        Runtime.getRuntime().addShutdownHook(interrupted);
        try (var options = ForkOptions.of(steps.stream().map(step -> stored.entry(step.entryId())).toList(), sharedFolder)) {
            final var progress = new Progress(out, steps.size(), stored.plan().rounds());
            for (final var step : steps) {
                run = execute(run, step, options, progress);
            }
        } finally {
            removeQuietly(interrupted);
        }
        run = withEstimates(run);
        store.write(run);
        return run;
    }

    /** @return the run with what the step gave, as it is stored by then */
    private Run execute(final Run run, final Plan.Step step, final ForkOptions options, final Progress progress) {
        if (ending) {
            awaitEnd();
        }
        if (!run.has(step.entryId())) {
            progress.skipped();
            return run;
        }
        final var entry = run.entry(step.entryId());
        final var startedAt = Instant.now();
        final var begin = System.nanoTime();
        final var result = measure(run, entry, step, options);
        if (ending) {
            // The round failed because everything is being ended: that is no result of it.
            awaitEnd();
        }
        final var declined = result.outcome().declined();
        if (declined.isPresent()) {
            final var without = run.declined(entry, declined.get());
            store.write(without);
            store.dropJmh(entry);
            progress.declined(entry, step.round(), declined.get(), (System.nanoTime() - begin) / NANOS_PER_MILLI);
            return without;
        }
        final var samples = result.outcome().samples();
        final var file = samples.map(s -> store.writeSamples(entry.id(), step.round(), s));
        final var round = new RoundResult(step.round(), step.position(), result.outcome().status(), result.outcome().error(), startedAt,
                (System.nanoTime() - begin) / NANOS_PER_MILLI, samples.map(Samples::cycles).orElse(0), file, result.outcome().notes(), result.outcome().memory());
        final var now = run.with(entry.with(round));
        final var wrong = now.wrong(entry.configuration());
        if (!wrong && round.status() == Status.OK) {
            result.jmhJson().ifPresent(json -> store.writeJmh(entry.id(), step.round(), json));
        }
        store.write(now);
        if (wrong) {
            now.entries().stream().filter(e -> e.configuration().equals(entry.configuration())).forEach(store::dropJmh);
        }
        progress.finished(entry, round, wrong, samples.map(RunExecutor::median).orElse(OptionalDouble.empty()));
        return now;
    }

    /** What rounds that were killed have left. */
    private void removeLeftovers() {
        SharedFiles.sweep(sharedFolder);
        try (var left = Files.newDirectoryStream(store.folder(), HANDOVER_PREFIX + "*")) {
            for (final var folder : left) {
                delete(folder);
            }
        } catch (final IOException e) {
            throw unwritable(e);
        }
    }

    private static void awaitEnd() {
        while (true) {
            LockSupport.park();
        }
    }

    private ResultException unwritable(final IOException e) {
        return new ResultException(ResultException.Kind.UNWRITABLE, "can't write in " + store.folder() + " (" + IoReason.of(e)
                + "); make room there. What was finished is kept: go on with run --resume " + store.folder(), e);
    }

    private JmhRound.Result measure(final Run run, final Entry entry, final Plan.Step step, final ForkOptions options) {
        try {
            final var handover = Files.createTempDirectory(store.folder(), HANDOVER_PREFIX);
            try {
                final var result = JmhRound.run(entry.configuration(), run.plan().warmupMillis(), run.plan().measureMillis(), handover, sharedFolder,
                        options.of(entry), store.log(entry.id(), step.round()));
                return result.outcome().samples().filter(s -> s.cycles() == 0).isEmpty() ? result
                        : new JmhRound.Result(Handover.Outcome.failed("no cycle was recorded"), Optional.empty());
            } finally {
                delete(handover);
                SharedFiles.sweep(sharedFolder);
            }
        } catch (final IOException e) {
            throw unwritable(e);
        }
    }

    private static OptionalDouble median(final Samples samples) {
        return OptionalDouble.of(Quantiles.of(samples.groupNanos()).at(0.5));
    }

    private Run withEstimates(final Run run) {
        final var analysis = analyse(store, run);
        final List<Entry> entries = run.entries().stream().map(e -> e.with(Optional.ofNullable(analysis.estimates().get(e.id())))).toList();
        return new Run(run.schema(), run.id(), run.startedAt(), run.finishedAt().or(() -> Optional.of(Instant.now())), run.command(), run.workload(), run.plan(), run.environment(),
                entries, run.leftOut(), run.fabric());
    }

    /** The statistics of a stored run. */
    public static RunAnalysis analyse(final RunStore store, final Run run) {
        return Analysis.of(run, store::readSamples);
    }

    private static void removeQuietly(final Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // Shutting down: the hook has its say.
        }
    }

    private static void delete(final Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (final var file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
