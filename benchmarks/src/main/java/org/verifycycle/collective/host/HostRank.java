package org.verifycycle.collective.host;

/**
 * What an algorithm is bound to: one rank, its view of the shared memory, and the shape of the calls.
 *
 * @param shape size, type and chunks of a call
 * @param layout where things lie in {@code region}
 * @param firstEpoch number of the first chunk; anything but 1 is for tests of the counters' wrap
 * @param <A> the array that holds a tensor on the heap
 */
record HostRank<A>(int rank, HostShape shape, HostRegionDescriptor layout, HostRegion region, Elements<A> elements, int firstEpoch) {
    /** Elements summed at a time: so few that all ranks' copies of them stay in the first-level cache. */
    private static final int BLOCK_BYTES = 4096;

    int world() {
        return shape.world();
    }

    int next() {
        return (rank + 1) % world();
    }

    int previous() {
        return (rank + world() - 1) % world();
    }

    int blockElements() {
        return BLOCK_BYTES / shape.dtype().bytes();
    }

    void raiseFlag(final long value) {
        region.raise(layout.flagOffset(rank), value);
    }

    void awaitFlag(final int peer, final long value) {
        region.await(layout.flagOffset(peer), value);
    }

    /** Waits until every other rank's flag is at least {@code value}. */
    void awaitAllFlags(final long value) {
        for (var peer = next(); peer != rank; peer = (peer + 1) % world()) {
            awaitFlag(peer, value);
        }
    }
}
