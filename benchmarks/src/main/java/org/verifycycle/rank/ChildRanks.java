package org.verifycycle.rank;

import org.verifycycle.collective.Configuration;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The child JVMs of ranks 1..N-1. */
final class ChildRanks {
    private final List<Process> processes;

    private ChildRanks(final List<Process> processes) {
        this.processes = processes;
    }

    /** Starts them with this JVM's own options and class path, so that all ranks run the same code in the same way. */
    static ChildRanks start(final Configuration configuration, final Path file) throws IOException {
        final var processes = new ArrayList<Process>();
        final var children = new ChildRanks(processes);
        try {
            for (int rank = 1; rank < configuration.world(); rank++) {
                final var command = new ArrayList<String>();
                command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(ChildRanks::inherited).forEach(command::add);
                command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankProcess.class.getName()));
                command.addAll(RankProcess.arguments(file, rank, configuration));
                processes.add(new ProcessBuilder(command).redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(Redirect.DISCARD).redirectError(Redirect.INHERIT).start());
            }
        } catch (final IOException e) {
            children.kill();
            throw e;
        }
        return children;
    }

    /** Agents and debuggers listen on ports, JMH's command files print, recordings and class archives overwrite one another. */
    private static boolean inherited(final String option) {
        return !option.startsWith("-agentlib") && !option.startsWith("-javaagent") && !option.startsWith("-agentpath")
                && !option.startsWith("-XX:ArchiveClassesAtExit") && !option.startsWith("-XX:CompileCommand") && !option.startsWith("-XX:StartFlightRecording")
                && !option.startsWith("-Djmh.") && !option.startsWith("-XX:LogFile") && !option.startsWith("-XX:+LogCompilation");
    }

    IntStream ranks() {
        return IntStream.rangeClosed(1, processes.size());
    }

    /** How the first child that should be alive and isn't has ended. */
    Optional<String> firstDead(final IntPredicate shouldLive) {
        return ranks().filter(rank -> !processes.get(rank - 1).isAlive() && shouldLive.test(rank)).mapToObj(rank -> {
            final var status = processes.get(rank - 1).exitValue();
            return "rank " + rank + " (pid " + processes.get(rank - 1).pid() + ") " + (status > 128
                    ? "was killed by signal " + (status - 128) : "ended with status " + status);
        }).findFirst();
    }

    void await(final long seconds) {
        final var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try {
            for (final var process : processes) {
                process.waitFor(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void kill() {
        processes.forEach(Process::destroyForcibly);
    }
}
