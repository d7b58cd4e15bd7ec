package org.verifycycle.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file whole or not at all. */
final class AtomicFiles {
    private AtomicFiles() {
    }

    /**
     * Writes to a temporary name beside the file, forces it to disk, renames: whoever reads sees the old or the new content.
     *
     * @throws ResultException if the disk is full or the folder can't be written; the old content is then untouched
     */
    static void write(final Path file, final byte[] content) {
        final var temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (var channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                final var buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder(file.toAbsolutePath().getParent());
        } catch (final IOException e) {
            discard(temporary);
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write " + file + " (" + IoReason.of(e)
                    + "); make room there or choose another folder with --out DIR. What was written before is kept.", e);
        }
    }

    /** A rename outlives a power cut only once its folder is on disk too. */
    private static void forceFolder(final Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (final AccessDeniedException e) {
            // Where a folder can't be opened like a file, its file system sees to the order itself.
        }
    }

    private static void discard(final Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (final IOException ignored) {
            // The first failure is the one to tell.
        }
    }
}
