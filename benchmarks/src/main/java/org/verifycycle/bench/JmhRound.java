package org.verifycycle.bench;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Skew;
import org.verifycycle.rank.RankGroup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** One round of one configuration: one call of JMH's Runner with one fork. */
final class JmhRound {
    /** What JMH does between iterations is compiled in the warm-up too, and one measured iteration has none of it inside. */
    private static final int WARMUP_ITERATIONS = 3;
    /** An iteration has room for so many cycles only: {@link RankGroup#SAMPLE_CAPACITY}. */
    private static final int MAX_ITERATION_MILLIS = 300;
    private static final long TIMEOUT_SECONDS = 3_600;

    private JmhRound() {
    }

    /**
     * @param handover an existing, empty folder
     * @param jvmOptions further ones of the fork, which its ranks inherit
     * @param log      file for all that JMH and the ranks print
     * @return what the fork handed over, and JMH's own JSON, if JMH has a result
     */
    static Result run(final Configuration c, final int warmupMillis, final int measureMillis, final Path handover, final Path sharedFolder,
                      final List<String> jvmOptions, final Path log) throws IOException {
        final var forkOptions = new ArrayList<>(GroupState.JVM_OPTIONS);
        forkOptions.addAll(List.of("-D" + Handover.LAUNCHER_PROPERTY + "=" + ProcessHandle.current().pid(), "-D" + Handover.FOLDER_PROPERTY + "=" + handover, "-D" + Handover.SHARED_PROPERTY + "=" + sharedFolder));
        forkOptions.addAll(jvmOptions);
        final var measured = Math.max(1, (measureMillis + MAX_ITERATION_MILLIS - 1) / MAX_ITERATION_MILLIS);
        final Options options = new OptionsBuilder()
                .include("^" + VerifyCycleBenchmark.class.getName() + "\\.cycle$")
                .param("collective", c.collective().toString())
                .param("world", Integer.toString(c.world()))
                .param("bytes", Integer.toString(c.bytes()))
                .param("dtype", c.dtype().id())
                .param("launch", c.launch().id())
                .param("calls", Integer.toString(c.calls()))
                .param("skew", Skew.format(c.skewNanos()))
                .forks(1)
                .warmupIterations(WARMUP_ITERATIONS)
                .warmupTime(TimeValue.milliseconds(Math.max(1, warmupMillis / WARMUP_ITERATIONS)))
                .measurementIterations(measured)
                .measurementTime(TimeValue.milliseconds(Math.max(1, measureMillis / measured)))
                // The group has deadlines of its own and names the silent rank; JMH's would only interrupt.
                .timeout(TimeValue.seconds(TIMEOUT_SECONDS))
                .jvmArgsAppend(forkOptions.toArray(String[]::new))
                .addProfiler(GroupTimeProfiler.class)
                .shouldFailOnError(false)
                .verbosity(VerboseMode.NORMAL)
                .output(log.toString())
                .build();
        Collection<RunResult> results = List.of();
        var ifSilent = "the JMH fork ended before it could say why; see " + log.getFileName();
        try {
            results = new Runner(options).run();
        } catch (final RunnerException e) {
            ifSilent = "JMH: " + e.getMessage();
        }
        return new Result(Handover.read(handover, ifSilent), results.isEmpty() ? Optional.empty() : Optional.of(json(results)));
    }

    /** @param jmhJson an array of one element, as {@code -rf json} writes it */
    record Result(Handover.Outcome outcome, Optional<String> jmhJson) { }

    private static String json(final Collection<RunResult> results) {
        final var bytes = new ByteArrayOutputStream();
        ResultFormatFactory.getInstance(ResultFormatType.JSON, new PrintStream(bytes, true, StandardCharsets.UTF_8)).writeOut(results);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
