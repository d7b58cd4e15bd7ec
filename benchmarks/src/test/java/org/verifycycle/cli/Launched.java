package org.verifycycle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The real program in a process of its own: the built jar, with the faulty test backend on its class path. */
final class Launched implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path output;

    private Launched(final Process process, final Path output) {
        this.process = process;
        this.output = output;
    }

    /** @param folder working folder, for relative paths and the program's output */
    static Launched start(final Path folder, final String... args) throws IOException {
        return start(List.of(), folder, args);
    }

    /** As users start it from a shell, without the faulty backend; only so do forks get an archive of their classes. */
    static Launched fromTheJarAlone(final Path folder, final String... args) throws IOException {
        return start(List.of("setsid"), List.of("-jar", jar()), folder, args);
    }

    /** As a shell starts a job: all its processes are in one group, which a terminal's Ctrl-C signals. */
    static Launched inAGroupOfItsOwn(final Path folder, final String... args) throws IOException {
        return start(List.of("setsid"), folder, args);
    }

    private static Launched start(final List<String> prefix, final Path folder, final String... args) throws IOException {
        return start(prefix, List.of("-cp", jar() + ":" + testClasses(), "org.verifycycle.cli.Main"), folder, args);
    }

    private static Launched start(final List<String> prefix, final List<String> program, final Path folder, final String... args) throws IOException {
        final var output = Files.createTempFile(folder, "output", ".txt");
        // A job that a script starts in the background ignores SIGINT, and so would all that these tests start.
        final var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(prefix);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A lock folder of its own: tests must not wait for a benchmark that somebody runs on this machine.
                "-Djava.io.tmpdir=" + folder));
        command.addAll(program);
        command.addAll(List.of(args));
        return new Launched(new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
    }

    static String jar() {
        return Path.of(System.getProperty("verifycycle.jar")).toAbsolutePath().normalize().toString();
    }

    private static String testClasses() throws IOException {
        return Path.of("target", "test-classes").toAbsolutePath().toString();
    }

    int exit() throws InterruptedException, IOException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + PATIENCE_SECONDS + " s:\n" + output());
        }
        return process.exitValue();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    long pid() {
        return process.pid();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Sends a signal as a person or the kernel would. */
    static void signal(final long pid, final String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "--", Long.toString(pid)).inheritIO().start().waitFor();
    }

    /** Waits until the output has the text. */
    void awaitOutput(final String text) throws InterruptedException {
        await("output '" + text + "'", () -> {
            try {
                return output().contains(text);
            } catch (final IOException e) {
                return false;
            }
        });
    }

    /** The first process below this one whose command line has the text; waits for it. */
    ProcessHandle awaitDescendant(final String text) throws InterruptedException {
        await("process '" + text + "'", () -> descendant(text) != null);
        return descendant(text);
    }

    private ProcessHandle descendant(final String text) {
        return process.descendants().filter(p -> p.info().commandLine().orElse("").contains(text)).findFirst().orElse(null);
    }

    private void await(final String what, final BooleanSupplier condition) throws InterruptedException {
        final var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                try {
                    throw new AssertionError("no " + what + " in:\n" + output());
                } catch (final IOException e) {
                    throw new AssertionError(e);
                }
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
