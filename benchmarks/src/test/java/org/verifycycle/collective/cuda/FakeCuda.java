package org.verifycycle.collective.cuda;

import org.verifycycle.collective.gpu.Kernels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Programs under the driver of {@code src/test/c/fake_cuda.c}, which is built once for all tests of this JVM. */
final class FakeCuda {
    private static final String LIBRARY = "libcuda.so.1";
    private static final String CALLS = "calls.";
    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;

    /** @param folder of this fake's own: its device memory and call logs, and the temporary folder of what it runs */
    FakeCuda(final Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(calls());
        Files.createDirectories(temporary());
    }

    /** Skips the test where there is no C compiler. */
    static void assumeCompiler() {
        assumeTrue(Built.PROBLEM.isEmpty(), () -> Built.PROBLEM.orElseThrow());
    }

    Path calls() {
        return folder.resolve("device");
    }

    Path temporary() {
        return folder.resolve("tmp");
    }

    /** @param output of the program, both streams */
    record Ended(int exit, String output) { }

    /** The real program, its {@code run} command with everything small. */
    Ended run(final Map<String, String> variables, final String... args) throws IOException, InterruptedException {
        final var all = new ArrayList<>(List.of("run", "--rounds", "1", "--warmup", "20ms", "--measure", "50ms", "--bytes", "8192", "--calls", "6", "--dtype", "bf16",
                "--out", out().toString(), "--shm", temporary().toString(), "--no-probe"));
        all.addAll(List.of(args));
        return end(start(variables, "org.verifycycle.cli.Main", all));
    }

    /** The real program with these words only. */
    Ended program(final Map<String, String> variables, final String... args) throws IOException, InterruptedException {
        return end(start(variables, "org.verifycycle.cli.Main", List.of(args)));
    }

    /** Where {@link #run} puts its results. */
    Path out() {
        return folder.resolve("out");
    }

    Process start(final Map<String, String> variables, final String main, final List<String> args) throws IOException {
        final var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary(), "-cp", classPath(), main));
        command.addAll(args);
        final var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output().toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CUDA_") || name.startsWith("FAKE_CUDA_"));
        builder.environment().put("LD_LIBRARY_PATH", Built.FOLDER.toString());
        builder.environment().put("FAKE_CUDA_DIR", calls().toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    Ended end(final Process process) throws IOException, InterruptedException {
        final var ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(ended).as("ended within " + PATIENCE_SECONDS + " s; it said: " + Files.readString(output())).isTrue();
        return new Ended(process.exitValue(), withoutWarnings(Files.readString(output())));
    }

    /** JDK 24 and later warn of native access when a program is started by its class path, not by the jar, whose manifest allows it. */
    static String withoutWarnings(final String output) {
        return output.replaceAll("(?m)^WARNING: .*\\R", "").stripLeading();
    }

    private Path output() {
        return folder.resolve("output.txt");
    }

    /** What one process called, in its order. */
    record Log(long pid, List<String> calls) {
        /** The index of the only call that begins so. */
        int only(final String call) {
            final var found = indexes(call);
            assertThat(found).as("'%s' in %s", call, calls).hasSize(1);
            return found.get(0);
        }

        List<Integer> indexes(final String call) {
            final var found = new ArrayList<Integer>();
            for (int i = 0; i < calls.size(); i++) {
                if (calls.get(i).equals(call) || calls.get(i).startsWith(call + " ")) {
                    found.add(i);
                }
            }
            return found;
        }

        int count(final String call) {
            return indexes(call).size();
        }

        boolean launched(final String kernel) {
            return calls.stream().anyMatch(c -> c.startsWith("cuLaunchKernelEx " + kernel));
        }

        /** GPU of this process's context. */
        int gpu() {
            return Integer.parseInt(calls.get(only("cuDevicePrimaryCtxRetain")).split(" ")[1]);
        }
    }

    /** Of all processes so far, by GPU and process id. */
    List<Log> logs() throws IOException {
        try (var files = Files.list(calls())) {
            return files.filter(f -> f.getFileName().toString().startsWith(CALLS)).map(FakeCuda::log)
                    .sorted(Comparator.comparingLong(Log::pid)).toList();
        }
    }

    private static Log log(final Path file) {
        try {
            return new Log(Long.parseLong(file.getFileName().toString().substring(CALLS.length())), Files.readAllLines(file));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With something in the place of the kernels where nvcc built none: the fake looks at names only. */
    private static String classPath() {
        final var own = System.getProperty("java.class.path");
        return Kernels.missing().isEmpty() ? own : Built.FOLDER.resolve("classes") + ":" + own;
    }

    /** Compiles C of this project. @return why it failed */
    static Optional<String> compile(final String... args) {
        try {
            final var command = new ArrayList<>(List.of("cc", "-O1"));
            command.addAll(Arrays.asList(args));
            final var compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
            final var said = new String(compiler.getInputStream().readAllBytes());
            if (compiler.waitFor() != 0) {
                throw new AssertionError(String.join(" ", command) + ": " + said);
            }
            return Optional.empty();
        } catch (final IOException e) {
            return Optional.of("needs a C compiler (" + e.getMessage() + ")");
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Built {
        static final Path FOLDER;
        static final Optional<String> PROBLEM;

        static {
            try {
                FOLDER = Files.createTempDirectory("verifycycle-fake-cuda-");
                final var kernels = Files.createDirectories(FOLDER.resolve("classes/org/verifycycle/kernels")).resolve("allreduce.fatbin");
                Files.writeString(kernels, "none: the fake driver does not look\n");
                PROBLEM = compile("-shared", "-fPIC", "-o", FOLDER.resolve(LIBRARY).toString(), "src/test/c/fake_cuda.c");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(FOLDER)));
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void delete(final Path folder) {
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
            } catch (final IOException e) {
                // A temporary folder stays.
            }
        }
    }
}
