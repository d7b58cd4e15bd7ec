package org.verifycycle.collective.host;

import java.io.IOException;
import java.nio.ByteBuffer;
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
import java.util.function.Function;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

/** Starts {@link ProcessRank}s over a mapped file; as a program, times them: {@code spec world bytes dtype calls cycles}. */
final class ProcessRanks {
    private static final int TIMEOUT_SECONDS = 60;
    /** Room for one configuration of {@link #checked} and its control block. */
    static final int CHECK_BYTES = 2 << 20;

    private ProcessRanks() {
    }

    /** Prints the median, 10th and 90th percentile of the group time per call, in microseconds. */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final var configuration = configuration(Integer.parseInt(args[1]), new String[] {args[0], args[2], args[3], args[4]}, 0);
        final var micros = time(configuration, Integer.parseInt(args[5]));
        System.out.printf(Locale.ROOT, "%.3f %.3f %.3f%n", micros[micros.length / 2], micros[micros.length / 10],
                micros[micros.length * 9 / 10]);
    }

    static int samplesBytes(final int world, final int cycles) {
        return world * cycles * 16;
    }

    /** {@code spec bytes dtype calls}, from {@code args[at]} on. */
    static Configuration configuration(final int world, final String[] args, final int at) {
        return new Configuration(CollectiveSpec.parse(args[at]), world, Integer.parseInt(args[at + 1]), Dtype.parse(args[at + 2]), Launch.EAGER,
                Integer.parseInt(args[at + 3]));
    }

    /** What {@link #checkAll} checks. */
    static List<Configuration> checked(final int world) {
        return Arrays.stream(HostAlgorithm.values()).filter(algorithm -> algorithm.role() == Role.ALL_REDUCE)
                .flatMap(algorithm -> Arrays.stream(Dtype.values()).map(dtype -> configuration(world,
                        new String[] {HostBackend.NAME + "/" + algorithm.id() + ":chunk=16384", "43008", dtype.id(), "9"}, 0)))
                .toList();
    }

    static void checkAll(final int world) throws IOException, InterruptedException {
        run(world, (long) checked(world).size() * CHECK_BYTES, List.of(), memory -> null);
    }

    /** Group time per call of every cycle, in microseconds, ascending. */
    static double[] time(final Configuration configuration, final int cycles) throws IOException, InterruptedException {
        final var samplesBytes = samplesBytes(configuration.world(), cycles);
        final var size = GroupControl.SHARED_OFFSET + new HostBackend().collective(configuration.collective()).sharedBytes(configuration)
                + samplesBytes;
        final var arguments = List.of(configuration.collective().toString(), "" + configuration.bytes(), configuration.dtype().id(),
                "" + configuration.calls(), "" + cycles);
        final var samples = run(configuration.world(), size, arguments, memory -> {
            final var nanos = new long[samplesBytes / 8];
            memory.slice(memory.capacity() - samplesBytes, samplesBytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(nanos);
            return nanos;
        });
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

    /** Runs one process a rank over a file of this size, then hands the file's memory to the reader. */
    private static <T> T run(final int world, final long size, final List<String> arguments, final Function<ByteBuffer, T> reader)
            throws IOException, InterruptedException {
        final var memoryFiles = Path.of("/dev/shm");
        final var folder = Files.isDirectory(memoryFiles) ? memoryFiles : Path.of(System.getProperty("java.io.tmpdir"));
        final var file = Files.createTempFile(folder, "verifycycle-test-", ".shm");
        final var processes = new ArrayList<Process>();
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final var memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            for (var rank = 0; rank < world; rank++) {
                processes.add(start(file, rank, world, arguments));
            }
            for (final var process : processes) {
                if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("a rank is not done after " + TIMEOUT_SECONDS + " s");
                }
                if (process.exitValue() != 0) {
                    throw new AssertionError("a rank ended with exit code " + process.exitValue() + "; its message is above");
                }
            }
            return reader.apply(memory);
        } finally {
            processes.forEach(Process::destroyForcibly);
            Files.delete(file);
        }
    }

    private static Process start(final Path file, final int rank, final int world, final List<String> arguments) throws IOException {
        final var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        final var command = new ArrayList<>(List.of(java, "-cp", System.getProperty("java.class.path"), ProcessRank.class.getName(),
                file.toString(), "" + rank, "" + world));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start();
    }
}
