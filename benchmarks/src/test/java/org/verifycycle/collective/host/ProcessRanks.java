package org.verifycycle.collective.host;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

/** Starts {@link ProcessRank}s over a mapped file; as a program, times them: {@code spec world bytes dtype calls cycles}. */
final class ProcessRanks {
    private static final int TIMEOUT_SECONDS = 60;

    private ProcessRanks() {
    }

    /** Prints the median, 10th and 90th percentile of the group time per call, in microseconds. */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final var configuration = new Configuration(CollectiveSpec.parse(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]),
                Dtype.parse(args[3]), Launch.EAGER, Integer.parseInt(args[4]));
        final var micros = time(configuration, Integer.parseInt(args[5]));
        System.out.printf(Locale.ROOT, "%.3f %.3f %.3f%n", micros[micros.length / 2], micros[micros.length / 10],
                micros[micros.length * 9 / 10]);
    }

    static int samplesBytes(final int world, final int cycles) {
        return world * cycles * 16;
    }

    static void check(final Configuration configuration, final int cycles) throws IOException, InterruptedException {
        run(configuration, "check", cycles);
    }

    /** Group time per call of every cycle, in microseconds, ascending. */
    static double[] time(final Configuration configuration, final int cycles) throws IOException, InterruptedException {
        final var samples = run(configuration, "time", cycles);
        final var micros = new double[cycles];
        for (var cycle = 0; cycle < cycles; cycle++) {
            var start = Long.MIN_VALUE;
            var end = Long.MIN_VALUE;
            for (var rank = 0; rank < configuration.world(); rank++) {
                start = Math.max(start, samples[2 * (rank * cycles + cycle)]);
                end = Math.max(end, samples[2 * (rank * cycles + cycle) + 1]);
            }
            micros[cycle] = (end - start) / 1e3 / configuration.calls();
        }
        Arrays.sort(micros);
        return micros;
    }

    private static long[] run(final Configuration configuration, final String mode, final int cycles) throws IOException, InterruptedException {
        final var collective = new HostBackend().collective(configuration.collective());
        final var file = Files.createTempFile(Files.isDirectory(Path.of("/dev/shm")) ? Path.of("/dev/shm") : Path.of(System.getProperty("java.io.tmpdir")),
                "verifycycle-test-", ".shm");
        final var processes = new ArrayList<Process>();
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final var samplesBytes = samplesBytes(configuration.world(), cycles);
            final var size = GroupControl.SHARED_OFFSET + collective.sharedBytes(configuration) + samplesBytes;
            final var memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            for (var rank = 0; rank < configuration.world(); rank++) {
                final var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
                processes.add(new ProcessBuilder(List.of(java, "-XX:+UseSerialGC", "-Xshare:auto", "-cp", System.getProperty("java.class.path"),
                        ProcessRank.class.getName(), file.toString(), "" + rank, "" + configuration.world(),
                        configuration.collective().toString(), "" + configuration.bytes(), configuration.dtype().id(),
                        "" + configuration.calls(), mode, "" + cycles)).inheritIO().start());
            }
            for (final var process : processes) {
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError(configuration + ": not done after " + TIMEOUT_SECONDS + " s");
                }
                if (process.exitValue() != 0) {
                    throw new AssertionError(configuration + ": a rank ended with exit code " + process.exitValue());
                }
            }
            final var samples = new long[samplesBytes / 8];
            memory.slice((int) size - samplesBytes, samplesBytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(samples);
            return samples;
        } finally {
            processes.forEach(Process::destroyForcibly);
            Files.delete(file);
        }
    }
}
