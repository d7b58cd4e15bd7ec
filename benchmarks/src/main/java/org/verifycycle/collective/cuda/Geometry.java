package org.verifycycle.collective.cuda;

/**
 * A grid.
 *
 * @param blocks  at least 1
 * @param threads of a block
 */
record Geometry(int blocks, int threads) {
    static final int MAX_BLOCKS = 512;
    static final int MIN_THREADS = 32;
    static final int MAX_THREADS = 512;
    private static final int DEFAULT_THREADS = 128;
    /** From world 6: measured faster at world 8. */
    private static final int DEFAULT_THREADS_LARGE_WORLD = 256;
    private static final int LARGE_WORLD = 6;
    /** Of a two-shot grid of two ranks: up to here a pack a thread, beyond it one grid for all. */
    private static final int TWO_SHOT_PACKS = 128 * DEFAULT_THREADS;

    /** How many blocks with so many threads a GPU holds at once. */
    @FunctionalInterface
    interface Residency {
        int blocks(int threads);
    }

    /**
     * The rule of {@code native/README.md}, as measured: one pack a thread while that fits, so that all are in flight at once;
     * never more blocks than can be resident with those of the other ranks on the GPU.
     *
     * @param share the part of the GPU that this grid may take: ranks on it, times two with dependent launch
     */
    static Geometry of(final IpcAlgorithm algorithm, final IpcSettings settings, final int packs, final int world, final int share, final Residency residency) {
        if (algorithm == IpcAlgorithm.EMPTY || algorithm == IpcAlgorithm.FLAG_EXCHANGE) {
            return new Geometry(settings.blocks().orElse(1), settings.threads().orElse(MIN_THREADS));
        }
        final var work = algorithm.twoShot() ? Region.partPacks(packs, world) : packs;
        final var threads = settings.threads().orElseGet(() -> settings.blocks().isPresent()
                ? threads(work, world, settings.blocks().getAsInt()) : threads(algorithm, work, world));
        final var resident = algorithm.waits() ? Math.max(1, residency.blocks(threads) / share) : MAX_BLOCKS;
        return new Geometry(settings.blocks().orElse(Math.min(blocks(algorithm, work, world, threads), resident)), threads);
    }

    private static int threads(final IpcAlgorithm algorithm, final int work, final int world) {
        if (world > 2) {
            return threads(work, world, limit(world));
        }
        return algorithm.throughHost() || oneForAll(algorithm, work, world) ? MAX_THREADS : DEFAULT_THREADS;
    }

    /** The least that give every pack a thread in so many blocks. */
    private static int threads(final int work, final int world, final int blocks) {
        var threads = world < LARGE_WORLD ? DEFAULT_THREADS : DEFAULT_THREADS_LARGE_WORLD;
        while (threads < MAX_THREADS && ceil(work, threads) > blocks) {
            threads *= 2;
        }
        return threads;
    }

    private static int blocks(final IpcAlgorithm algorithm, final int work, final int world, final int threads) {
        final var limit = algorithm.twoShot() || world > 2 ? limit(world) : MAX_BLOCKS;
        // Even where half of them have nothing to do: at 1 MiB 128x512 takes 4.89 us, 64x512 5.08, 128x256 5.64.
        return oneForAll(algorithm, work, world) ? limit : Math.min(ceil(work, threads), limit);
    }

    private static boolean oneForAll(final IpcAlgorithm algorithm, final int work, final int world) {
        return world == 2 && algorithm.twoShot() && work > TWO_SHOT_PACKS;
    }

    private static int limit(final int world) {
        return world <= 2 ? 128 : world <= 4 ? 64 : 32;
    }

    private static int ceil(final int work, final int threads) {
        return (work + threads - 1) / threads;
    }

    /** E.g. {@code 21x128}: blocks x threads. */
    @Override
    public String toString() {
        return blocks + "x" + threads;
    }
}
