package org.verifycycle.collective.nccl;

import org.verifycycle.collective.RankAbortedException;
import org.verifycycle.collective.RankContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A rank that exchanges through files of a folder: slow, and enough for {@link NcclSelfTest}, which times nothing. */
final class FolderContext implements RankContext {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_EVERY_MILLIS = 2;

    private final int rank;
    private final int world;
    private final Path folder;
    private final long began = System.nanoTime();
    private int exchanges;

    FolderContext(final int rank, final int world, final Path folder) {
        this.rank = rank;
        this.world = world;
        this.folder = folder;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int world() {
        return world;
    }

    @Override
    public ByteBuffer shared() {
        return ByteBuffer.allocateDirect(0);
    }

    @Override
    public byte[][] exchange(final byte[] mine) {
        exchanges++;
        try {
            final var file = file(rank);
            Files.move(Files.write(file.resolveSibling(file.getFileName() + ".tmp"), mine), file);
            final var all = new byte[world][];
            for (int r = 0; r < world; r++) {
                while (!Files.exists(file(r))) {
                    checkAlive();
                    Thread.sleep(LOOK_EVERY_MILLIS);
                }
                all[r] = Files.readAllBytes(file(r));
            }
            return all;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            throw new RankAbortedException("interrupted");
        }
    }

    private Path file(final int of) {
        return folder.resolve("exchange-" + exchanges + "-" + of);
    }

    @Override
    public void checkAlive() {
        if (System.nanoTime() - began > DEADLINE_NANOS) {
            throw new RankAbortedException("nothing for 60 s");
        }
    }

    static void delete(final Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (final var file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
