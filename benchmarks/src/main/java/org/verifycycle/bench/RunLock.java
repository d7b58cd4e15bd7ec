package org.verifycycle.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One measurement a host: two at once would measure each other. The lock is JMH's own file, so that a plain JMH run counts
 * too; it is held for the whole run, and JMH's per-Runner lock is switched off meanwhile.
 */
public final class RunLock implements AutoCloseable {
    private static final String JMH_IGNORE_LOCK = "jmh.ignoreLock";

    private final FileChannel channel;

    private RunLock(final FileChannel channel) {
        this.channel = channel;
    }

    /** @throws EnvironmentUnfitException if another run holds it */
    public static RunLock acquire() {
        final var path = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");
        try {
            final var channel = open(path);
            // As JMH does: another user's run must be able to lock the same file.
            if (Files.isWritable(path)) {
                path.toFile().setWritable(true, false);
            }
            if (!locked(channel)) {
                channel.close();
                throw new EnvironmentUnfitException("another benchmark runs on this machine (it holds " + path
                        + "); wait for it to end: two at once would measure each other");
            }
            System.setProperty(JMH_IGNORE_LOCK, "true");
            return new RunLock(channel);
        } catch (final IOException e) {
            throw new EnvironmentUnfitException("can't lock " + path + " (" + e + "); remove it or make it writable");
        }
    }

    /**
     * Made only if it isn't there: in a folder such as /tmp Linux lets nobody open another user's file with O_CREAT, however writable
     * it is (fs.protected_regular).
     */
    private static FileChannel open(final Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.WRITE);
        } catch (final NoSuchFileException e) {
            return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }
    }

    /** Whether a benchmark holds it now; makes no file. */
    public static boolean held() {
        final var path = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");
        if (!Files.isWritable(path)) {
            return false;
        }
        try (var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            return !locked(channel);
        } catch (final IOException e) {
            return false;
        }
    }

    private static boolean locked(final FileChannel channel) throws IOException {
        try {
            final FileLock lock = channel.tryLock();
            return lock != null;
        } catch (final OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            throw new EnvironmentUnfitException("can't release the run lock: " + e);
        }
    }
}
