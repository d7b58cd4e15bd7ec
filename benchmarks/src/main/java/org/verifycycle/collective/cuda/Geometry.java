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
    /** Of two ranks that don't take a block for every 128 packs: of two-shot algorithms, and through host memory. */
    private static final int FEW_BLOCKS = 128;
    /** Packs of a two-shot part up to which twice the default threads are faster than the most: of sentinel, the fastest kernel. */
    private static final int MEDIUM_PART = 24_576;

    /** How many blocks with so many threads a GPU holds at once. */
    @FunctionalInterface
    interface Residency {
        int blocks(int threads);
    }

    /**
     * The rule of {@code native/src/driver/grid.h}, which says why; never more blocks than can be resident with those of the other ranks
     * on the GPU. Of blocks and threads, what is given stays and the other fits it.
     *
     * @param share the part of the GPU that this grid may take: ranks on it, times two with dependent launch
     */
    static Geometry of(final IpcAlgorithm algorithm, final IpcSettings settings, final int packs, final int world, final int share, final Residency residency) {
        final var standard = standard(algorithm, packs, world);
        final var work = work(algorithm, packs, world);
        final var fits = algorithm != IpcAlgorithm.EMPTY && algorithm != IpcAlgorithm.FLAG_EXCHANGE;
        final var otherBlocks = fits && settings.blocks().isPresent() && settings.blocks().getAsInt() != standard.blocks;
        final var otherThreads = fits && settings.threads().isPresent() && settings.threads().getAsInt() != standard.threads;
        final var threads = settings.threads().orElseGet(() -> otherBlocks ? threadsFor(work, world, settings.blocks().getAsInt()) : standard.threads);
        final var resident = algorithm.waits() ? Math.max(1, residency.blocks(threads) / share) : MAX_BLOCKS;
        return new Geometry(settings.blocks().orElseGet(() -> Math.min(otherThreads ? Math.min(ceil(work, threads), mostBlocks(algorithm, world)) : standard.blocks, resident)), threads);
    }

    private static Geometry standard(final IpcAlgorithm algorithm, final int packs, final int world) {
        if (algorithm == IpcAlgorithm.EMPTY || algorithm == IpcAlgorithm.FLAG_EXCHANGE) {
            return new Geometry(1, MIN_THREADS);
        }
        final var work = work(algorithm, packs, world);
        if (world == 2 && algorithm.twoShot() && work > FEW_BLOCKS * DEFAULT_THREADS) {
            return new Geometry(FEW_BLOCKS, work > MEDIUM_PART ? MAX_THREADS : 2 * DEFAULT_THREADS);
        }
        final var most = mostBlocks(algorithm, world);
        final var threads = most == MAX_BLOCKS ? DEFAULT_THREADS : threadsFor(work, world, most);
        return new Geometry(Math.min(ceil(work, threads), most), threads);
    }

    /** The least that give every pack a thread in so many blocks. */
    private static int threadsFor(final int work, final int world, final int blocks) {
        var threads = world < LARGE_WORLD ? DEFAULT_THREADS : DEFAULT_THREADS_LARGE_WORLD;
        while (threads < MAX_THREADS && ceil(work, threads) > blocks) {
            threads *= 2;
        }
        return threads;
    }

    private static int mostBlocks(final IpcAlgorithm algorithm, final int world) {
        if (world > 2) {
            return world < LARGE_WORLD ? 64 : 32;
        }
        return algorithm.twoShot() || algorithm.throughHost() ? FEW_BLOCKS : MAX_BLOCKS;
    }

    /** Packs that one pass over the grid has to cover. */
    private static int work(final IpcAlgorithm algorithm, final int packs, final int world) {
        return algorithm.twoShot() ? Region.partPacks(packs, world) : packs;
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
