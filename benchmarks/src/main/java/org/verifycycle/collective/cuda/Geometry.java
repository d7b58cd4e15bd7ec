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

    /** How many blocks with so many threads a GPU holds at once. */
    @FunctionalInterface
    interface Residency {
        int blocks(int threads);
    }

    /**
     * The rule of {@code native/README.md}: one pack a thread while that fits, so that all are in flight at once; 128 threads
     * a block, 256 from world 6, more when blocks run out; never more blocks than can be resident with those of the other ranks on the GPU.
     *
     * @param share the part of the GPU that this grid may take: ranks on it, times two with dependent launch
     */
    static Geometry of(final IpcAlgorithm algorithm, final IpcSettings settings, final int packs, final int world, final int share, final Residency residency) {
        if (algorithm == IpcAlgorithm.EMPTY || algorithm == IpcAlgorithm.FLAG_EXCHANGE) {
            return new Geometry(settings.blocks().orElse(1), settings.threads().orElse(MIN_THREADS));
        }
        final var work = algorithm.twoShot() ? Region.partPacks(packs, world) : packs;
        final var limit = world <= 2 ? 128 : world <= 4 ? 64 : 32;
        var threads = settings.threads().orElse(world < LARGE_WORLD ? DEFAULT_THREADS : DEFAULT_THREADS_LARGE_WORLD);
        while (settings.threads().isEmpty() && threads < MAX_THREADS && ceil(work, threads) > settings.blocks().orElse(limit)) {
            threads *= 2;
        }
        final var resident = algorithm.waits() ? Math.max(1, residency.blocks(threads) / share) : MAX_BLOCKS;
        return new Geometry(settings.blocks().orElse(Math.min(Math.min(ceil(work, threads), limit), resident)), threads);
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
