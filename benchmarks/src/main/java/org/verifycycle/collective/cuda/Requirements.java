package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Configuration;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;

import java.util.List;
import java.util.Optional;

/** What a configuration needs of the machine; the reasons are for people and are listed in the run. */
final class Requirements {
    static final List<Integer> WORLDS = List.of(2, 4, 6, 8);
    private static final long MAX_BOARD_BYTES = 1L << 30;

    private Requirements() {
    }

    /** Why the algorithm can't run there; empty if it can, as far as can be told without the kernel. */
    static Optional<String> unmet(final IpcAlgorithm algorithm, final IpcSettings settings, final Configuration c, final Gpus gpus, final int ranksPerGpu) {
        if (!WORLDS.contains(c.world())) {
            return Optional.of("world " + c.world() + ": there are kernels for worlds " + WORLDS + " only");
        }
        if (c.world() > gpus.count() * ranksPerGpu) {
            return Optional.of("world %d needs %d GPUs, there %s; --ranks-per-gpu %d lets ranks share them (right for checks, says nothing about links)".formatted(
                    c.world(), (c.world() + ranksPerGpu - 1) / ranksPerGpu, gpus.count() == 1 ? "is 1" : "are " + gpus.count(), GpuSharing.ranksOnGpu(c.world(), gpus.count())));
        }
        final var used = Math.min(c.world(), gpus.count());
        if (settings.pdl()) {
            final var older = gpus.all().stream().limit(used).filter(g -> !g.hasDependentLaunch()).findFirst();
            if (older.isPresent()) {
                return Optional.of("pdl=on needs compute capability 9.0 or later; " + older.get());
            }
        }
        if (algorithm.needsPeerAccess()) {
            for (int i = 0; i < used; i++) {
                for (int j = i + 1; j < used; j++) {
                    if (!gpus.reachEachOther(i, j)) {
                        return Optional.of("no peer access between GPU " + i + " and GPU " + j + "; " + IpcBackend.NAME + "/" + IpcAlgorithm.HOST_SENTINEL.id() + " needs none");
                    }
                }
            }
        }
        if (algorithm.pulls() && settings.threads().orElse(Geometry.MAX_THREADS) < c.world()) {
            return Optional.of("threads must be at least the world size");
        }
        final var board = Region.boardBytes(algorithm, packs(c), c.world());
        return board <= MAX_BOARD_BYTES ? Optional.empty() : Optional.of("needs %,d MiB of pinned host memory, at most %,d MiB are taken; a smaller size or world fits"
                .formatted(board >> 20, MAX_BOARD_BYTES >> 20));
    }

    /** Why the grid can't run; a block that waits for one that has no room would wait for ever. */
    static Optional<String> notResident(final IpcAlgorithm algorithm, final IpcSettings settings, final Geometry geometry, final int ranksOnGpu, final int residentBlocks) {
        final var needed = geometry.blocks() * ranksOnGpu * (settings.pdl() ? 2 : 1);
        return !algorithm.waits() || needed <= residentBlocks ? Optional.empty()
                : Optional.of("a grid of %s blocks x threads cannot be resident: with %d rank%s on a GPU%s it takes room for %d blocks, there is room for %d; give fewer blocks or threads"
                .formatted(geometry, ranksOnGpu, ranksOnGpu == 1 ? "" : "s", settings.pdl() ? " and pdl=on" : "", needed, residentBlocks));
    }

    static int packs(final Configuration c) {
        return c.bytes() / Region.PACK_BYTES;
    }
}
