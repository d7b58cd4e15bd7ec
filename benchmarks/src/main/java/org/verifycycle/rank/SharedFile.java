package org.verifycycle.rank;

import org.verifycycle.device.PidNamespace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The file behind a control block: created 0600 in a memory-backed folder, and unlinked as soon as all ranks have mapped
 * it. Its name holds the pid of its maker and the namespace of that pid, so that a file whose maker was killed in between can be told and removed.
 */
final class SharedFile implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("verifycycle-(\\d+)-(\\d+)-[0-9a-f]+\\.shm");
    private static final String PID_NAMESPACE = PidNamespace.own();
    private static final int ZERO_BYTES = 1 << 20;

    private final Path path;
    private final FileChannel channel;
    private final Thread onExit;

    private SharedFile(final Path path, final FileChannel channel, final Thread onExit) {
        this.path = path;
        this.channel = channel;
        this.onExit = onExit;
    }

    /** @throws RankGroupException if there is no room for it, or the folder can't be written */
    static SharedFile create(final Path folder, final long bytes) {
        final var path = folder.resolve("verifycycle-" + ProcessHandle.current().pid() + "-" + PID_NAMESPACE + "-" + Long.toHexString(System.nanoTime()) + ".shm");
        // Ctrl-C reaches this process too, and then no one else may be left to take the name away.
        final var onExit = new Thread(() -> deleteQuietly(path));
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            final var usable = Files.getFileStore(folder).getUsableSpace();
            if (usable < bytes) {
                throw noSpace(folder, bytes, usable);
            }
            final var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            final var channel = FileChannel.open(path,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE), owner);
            try {
                fill(channel, bytes);
                return new SharedFile(path, channel, onExit);
            } catch (final IOException e) {
                channel.close();
                Files.deleteIfExists(path);
                throw noSpace(folder, bytes, usable);
            }
        } catch (final IOException e) {
            throw new RankGroupException("can't make a shared file in " + folder + " (" + e + "); choose another folder with --shm DIR", e);
        }
    }

    /** A sparse file would be killed by SIGBUS at the first touch of a page there is no room for: write every page now. */
    private static void fill(final FileChannel channel, final long bytes) throws IOException {
        final var zeros = ByteBuffer.allocateDirect(ZERO_BYTES);
        for (long at = 0; at < bytes; at += zeros.limit()) {
            zeros.clear().limit((int) Math.min(ZERO_BYTES, bytes - at));
            while (zeros.hasRemaining()) {
                channel.write(zeros, at + zeros.position());
            }
        }
    }

    private static RankGroupException noSpace(final Path folder, final long bytes, final long usable) {
        return new RankGroupException(("no space in shared memory: this configuration needs %,d KiB in %s, %,d KiB are free; "
                + "make room there or choose another folder with --shm DIR").formatted(bytes >> 10, folder, usable >> 10));
    }

    Path path() {
        return path;
    }

    FileChannel channel() {
        return channel;
    }

    /** Takes the name away; mappings live on. */
    void unlink() {
        try {
            Files.deleteIfExists(path);
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (final IOException e) {
            throw new RankGroupException("can't remove " + path + ": " + e, e);
        } catch (final IllegalStateException e) {
            // Already shutting down: the hook has run or will.
        }
    }

    private static void deleteQuietly(final Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (final IOException e) {
            // The next run sweeps it.
        }
    }

    @Override
    public void close() {
        unlink();
        try {
            channel.close();
        } catch (final IOException e) {
            throw new RankGroupException("can't close " + path + ": " + e, e);
        }
    }

    /** Removes files whose maker has died, as far as they can be: another user's may lie in the same folder. */
    static void sweep(final Path folder) {
        try (var files = Files.newDirectoryStream(folder, "verifycycle-*.shm")) {
            for (final var file : files) {
                final var name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && name.group(2).equals(PID_NAMESPACE) && ProcessHandle.of(Long.parseLong(name.group(1))).filter(ProcessHandle::isAlive).isEmpty()) {
                    deleteQuietly(file);
                }
            }
        } catch (final IOException | DirectoryIteratorException e) {
            // A folder that can't be listed is found out when a file is to be made in it.
        }
    }
}
