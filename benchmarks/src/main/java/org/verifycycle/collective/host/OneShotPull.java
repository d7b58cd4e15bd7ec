package org.verifycycle.collective.host;

/**
 * One-shot pull: every rank reads everything and reduces all of it itself. SGLang's and vLLM's 1stage.
 *
 * <pre>
 *   rank r, chunk k                                peers
 *   1. copy own input to slot k % slots
 *   2. flag[r] = k            -- release -->       (await)
 *   3. await flag[p] >= k     <-- acquire --       2. of every peer p
 *   4. output = sum over p of slot[p][k % slots]
 * </pre>
 *
 * A rank publishes chunk {@code k + AHEAD} before it reduces chunk {@code k}, so that peers find the next chunk ready.
 *
 * <p>No barrier follows the reads. A rank that publishes chunk k has reduced chunk k - AHEAD - 1, so it has seen every
 * flag at k - AHEAD - 1, and whoever had raised that had reduced chunk k - 2 AHEAD - 2. So nobody still reads the slot
 * used 2 (AHEAD + 1) chunks ago: as many slots are enough. Calls follow one another as chunks do, only without looking
 * ahead; without it (one chunk a call) these are two alternating slots.
 */
final class OneShotPull<A> implements AllReduce<A> {
    private static final int AHEAD = 1;

    private final HostRank<A> rank;
    private final RankOrderSum<A> sum;
    private final int slots;
    private final int ahead;
    /** The chunk to publish next, counted over all calls; the first is 1, above the flags' zero. */
    private long epoch = 1;
    /** The slot being reduced. */
    private int slot;

    OneShotPull(final HostRank<A> rank) {
        this.rank = rank;
        sum = new RankOrderSum<>(rank, this::read);
        slots = rank.layout().inputSlots();
        ahead = slots / 2 - 1;
    }

    static HostRegionDescriptor layout(final HostShape shape) {
        final var slots = 2 * (Math.min(AHEAD, shape.chunks() - 1) + 1);
        return new HostRegionDescriptor(shape.world(), slots, shape.chunkBytes(), 0);
    }

    @Override
    public void call(final A input, final A output) {
        final var chunks = rank.shape().chunks();
        var published = 0;
        for (var reduced = 0; reduced < chunks; reduced++) {
            while (published < chunks && published <= reduced + ahead) {
                publish(input, published, epoch + published);
                published++;
            }
            reduce(input, output, reduced, epoch + reduced);
        }
        epoch += chunks;
    }

    private void publish(final A input, final int chunk, final long number) {
        final var shape = rank.shape();
        rank.elements().write(input, shape.elements(chunk * shape.chunkBytes()), rank.region(),
                rank.layout().inputOffset(rank.rank(), (int) (number % slots)), shape.elements(shape.bytesOfChunk(chunk)));
        rank.raiseFlag(number);
    }

    private void reduce(final A input, final A output, final int chunk, final long number) {
        final var shape = rank.shape();
        rank.awaitAllFlags(number);
        slot = (int) (number % slots);
        sum.sum(input, output, shape.elements(chunk * shape.chunkBytes()), shape.elements(shape.bytesOfChunk(chunk)));
    }

    private void read(final int peer, final int at, final A target, final int to, final int length) {
        rank.elements().read(rank.region(), rank.layout().inputOffset(peer, slot) + rank.shape().bytesOf(at), target, to, length);
    }
}
