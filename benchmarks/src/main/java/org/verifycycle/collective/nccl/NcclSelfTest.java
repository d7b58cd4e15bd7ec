package org.verifycycle.collective.nccl;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.device.NativeLibraries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Every setting of this backend on the real library, on a machine with one GPU or more: a communicator of one rank, in a process of
 * its own, checked. Then two ranks on every GPU, which NCCL declines; if only some shared a GPU, the others would wait for ever.
 * Not part of a run:
 * <pre>java -cp benchmarks.jar org.verifycycle.collective.nccl.NcclSelfTest [libnccl.so.2 [collective ...]]</pre>
 * Exits 0 if all did as they should, else 1.
 */
public final class NcclSelfTest {
    private static final String ONE = "--one";
    private static final long SECONDS = 90;
    private static final int BYTES = 43_008;
    private static final int CALLS = 8;
    private static final int DECLINED = 4;

    private NcclSelfTest() {
    }

    public static void main(final String[] args) throws IOException, InterruptedException {
        if (args.length > 0 && args[0].equals(ONE)) {
            System.exit(one(new FolderContext(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Path.of(args[3])), CollectiveSpec.parse(args[4]), Launch.parse(args[5])));
        }
        if (args.length > 0) {
            System.setProperty(NcclBackend.LIBRARY_PROPERTY, args[0]);
        }
        final var backend = new NcclBackend();
        final var problem = backend.unavailable();
        if (problem.isPresent()) {
            System.out.println("NCCL can't be used here: " + problem.get());
            System.exit(1);
        }
        System.out.println("NCCL " + NcclLibrary.ofThisProcess().version() + ", found by " + NcclLibrary.ofThisProcess().where());
        final var bad = new ArrayList<String>();
        try (var libraries = NativeLibraries.unpack()) {
            final var options = new ArrayList<>(libraries.jvmOptions());
            options.addAll(backend.jvmOptions());
            final var asked = Arrays.stream(args).skip(1).map(CollectiveSpec::parse).toList();
            for (final var spec : asked.isEmpty() ? backend.catalogue() : asked) {
                final var lacking = ((NcclCollective) backend.collective(spec)).lacking();
                if (lacking.isPresent()) {
                    System.out.println(spec + ": left out, " + lacking.get());
                } else {
                    expect(spec, Launch.GRAPH, 1, 0, options, bad);
                }
            }
            for (final var launch : List.of(Launch.EAGER, Launch.BARRIERED)) {
                expect(backend.baseline().orElseThrow(), launch, 1, 0, options, bad);
            }
            expect(backend.baseline().orElseThrow(), Launch.GRAPH, 2 * NcclBox.detect().gpus().count(), DECLINED, options, bad);
        }
        System.out.println(bad.isEmpty() ? "all as they should be" : "not as they should be: " + String.join(", ", bad));
        System.exit(bad.isEmpty() ? 0 : 1);
    }

    private static void expect(final CollectiveSpec spec, final Launch launch, final int world, final int expected, final List<String> options, final List<String> bad)
            throws IOException, InterruptedException {
        final var what = spec + " " + launch.id() + ", " + world + (world == 1 ? " rank" : " ranks");
        System.out.println(what + ":");
        final var folder = Files.createTempDirectory("verifycycle-nccl-selftest-");
        final var ranks = new ArrayList<Process>();
        try {
            for (int rank = 0; rank < world; rank++) {
                ranks.add(start(spec, launch, rank, world, folder, options));
            }
            for (final var rank : ranks) {
                if (!rank.waitFor(SECONDS, TimeUnit.SECONDS) || rank.exitValue() != expected) {
                    bad.add(what);
                    break;
                }
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
            FolderContext.delete(folder);
        }
    }

    private static Process start(final CollectiveSpec spec, final Launch launch, final int rank, final int world, final Path folder, final List<String> options) throws IOException {
        final var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), NcclSelfTest.class.getName(), ONE, Integer.toString(rank), Integer.toString(world), folder.toString(),
                spec.toString(), launch.id()));
        return new ProcessBuilder(command).inheritIO().start();
    }

    /** Opens, runs and checks; prints a line. @return an exit code */
    private static int one(final FolderContext context, final CollectiveSpec spec, final Launch launch) {
        final var collective = (NcclCollective) new NcclBackend().collective(spec);
        // A configuration has two ranks at least; of this one only the rest counts.
        final var configuration = new Configuration(spec, 2, BYTES, Dtype.BF16, launch, CALLS);
        try (var communicator = collective.open(context, configuration, c -> Optional.empty())) {
            final var cycle = communicator.prepare();
            final var wrong = context.world() == 1 ? check(cycle) : "";
            cycle.notes().forEach(note -> System.out.println("  " + note));
            cycle.memory().ifPresent(memory -> System.out.println("  " + told(memory)));
            System.out.println(wrong.isEmpty() ? "  ok" : "  WRONG: " + wrong);
            return wrong.isEmpty() ? 0 : 2;
        } catch (final DeclinedException e) {
            System.out.println("  declined: " + e.getMessage());
            return DECLINED;
        } catch (final RuntimeException | LinkageError e) {
            System.out.println("  FAILED: " + e);
            return 1;
        }
    }

    /** The sum over one rank is its input. */
    private static String check(final PreparedCycle cycle) {
        final var values = new float[BYTES / Dtype.BF16.bytes()];
        for (int set = 0; set < cycle.bufferSets(); set++) {
            for (int i = 0; i < values.length; i++) {
                values[i] = (i + set) % 17 - 8;
            }
            cycle.setInput(set, values);
            cycle.poisonOutput(set);
        }
        cycle.run();
        cycle.run();
        final var output = new float[values.length];
        for (int set = 0; set < cycle.bufferSets(); set++) {
            cycle.getOutput(set, output);
            final var own = set;
            final var first = IntStream.range(0, output.length).filter(i -> output[i] != (i + own) % 17 - 8).findFirst();
            if (first.isPresent()) {
                return "element " + first.getAsInt() + " of set " + set + " is " + output[first.getAsInt()];
            }
        }
        return "";
    }

    private static String told(final DeviceMemory memory) {
        return "GPU memory: communicator %,d KiB, buffers %,d KiB, graph %,d KiB".formatted(memory.communicatorBytes() >> 10, memory.buffersBytes() >> 10, memory.graphBytes() >> 10);
    }
}
