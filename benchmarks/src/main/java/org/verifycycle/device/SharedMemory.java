package org.verifycycle.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder whose files the ranks of this host share.
 *
 * @param folder    an existing, writable folder
 * @param choice    how it came to be chosen
 * @param freeBytes what its file system has left, or -1 if it does not say
 */
public record SharedMemory(Path folder, Choice choice, long freeBytes) {
    private static final Path DEV_SHM = Path.of("/dev/shm");

    /** How the folder was chosen. */
    public enum Choice {
        /** {@code /dev/shm}, a writable tmpfs. */
        DEV_SHM,
        /** {@code java.io.tmpdir}: pages of its files may be written to a disk now and then, which costs time. */
        TEMPORARY_FOLDER,
        /** Given by the user. */
        GIVEN
    }

    /**
     * The folder given, else {@code /dev/shm} if it is a writable tmpfs, else {@code java.io.tmpdir}.
     *
     * @throws IllegalArgumentException if the folder given is not a writable folder
     */
    public static SharedMemory choose(final Optional<Path> given) {
        return choose(given, DEV_SHM, Path.of(System.getProperty("java.io.tmpdir")));
    }

    static SharedMemory choose(final Optional<Path> given, final Path devShm, final Path temporary) {
        if (given.isPresent()) {
            final var folder = given.get();
            if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
                throw new IllegalArgumentException("shared memory folder " + folder + " is not a writable folder; give one that is, best on a tmpfs");
            }
            return new SharedMemory(folder, Choice.GIVEN, free(folder));
        }
        if (Files.isDirectory(devShm) && Files.isWritable(devShm) && type(devShm).equals("tmpfs")) {
            return new SharedMemory(devShm, Choice.DEV_SHM, free(devShm));
        }
        return new SharedMemory(temporary, Choice.TEMPORARY_FOLDER, free(temporary));
    }

    private static String type(final Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (final IOException e) {
            return "unknown";
        }
    }

    private static long free(final Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (final IOException e) {
            return -1;
        }
    }
}
