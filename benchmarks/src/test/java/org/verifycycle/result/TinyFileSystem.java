package org.verifycycle.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A real tmpfs of a few KiB, to fill up or make read-only; needs root, and skips the test with the reason elsewhere. */
final class TinyFileSystem implements AutoCloseable {
    private final Path folder;

    private TinyFileSystem(final Path folder) {
        this.folder = folder;
    }

    static TinyFileSystem mount(final Path folder, final int kibibytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + kibibytes + "k", "verifycycle-test", folder.toString()),
                "mounting a tmpfs needs root on Linux");
        return new TinyFileSystem(folder);
    }

    void makeReadOnly() throws IOException, InterruptedException {
        assumeTrue(run("mount", "-o", "remount,ro", folder.toString()), "this machine can't remount a tmpfs read-only");
    }

    void grow(final int kibibytes) throws IOException, InterruptedException {
        assumeTrue(run("mount", "-o", "remount,size=" + kibibytes + "k", folder.toString()), "this machine can't grow a tmpfs");
    }

    /** Leaves less than a page free. */
    void fill() throws IOException {
        try (var out = Files.newOutputStream(folder.resolve("ballast"))) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (final IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", folder.toString());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean run(final String... command) throws IOException, InterruptedException {
        try {
            final var process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (final IOException e) {
            // No such program: not Linux.
            return false;
        }
    }
}
