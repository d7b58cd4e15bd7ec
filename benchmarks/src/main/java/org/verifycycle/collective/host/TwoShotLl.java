package org.verifycycle.collective.host;

/**
 * Two-shot LL: scatter, reduce, gather as in {@link TwoShotPull}, every step arriving in-band as in {@link OneShotLl}.
 *
 * <pre>
 *   rank r, chunk k, in parts 0 .. N-1
 *   1. write own input, but for part r, as lines (data, k) to the input slot
 *   2. output part r = sum over p of part r of input[p], polling for k;  write it as lines to the result slot
 *   3. output part p = result[p], polling for k, for every peer p
 * </pre>
 *
 * One slot of each kind is enough. A rank writes its input slot for k + 1 after step 3 of k: it then has every peer's
 * result of k, which that peer wrote after reading this rank's input of k. It writes its result slot for k + 1 after it
 * received every peer's input of k + 1, written after that peer's step 3 of k. Empty parts are neither sent nor waited
 * for, and break neither chain: nobody reads them.
 */
final class TwoShotLl<A> implements AllReduce<A> {
    private final HostRank<A> rank;
    private final LlLines<A> lines;
    private final RankOrderSum<A> sum;
    private int epoch;
    /** Where the own part begins in the chunk in hand. */
    private int partStart;

    TwoShotLl(final HostRank<A> rank) {
        this.rank = rank;
        lines = new LlLines<>(rank);
        sum = new RankOrderSum<>(rank, this::read);
        epoch = rank.firstEpoch();
    }

    static HostRegionDescriptor layout(final HostShape shape) {
        return new HostRegionDescriptor(shape.world(), 1, shape.chunkBytes() * HostRegionDescriptor.LL_FACTOR,
                shape.largestPartBytes() * HostRegionDescriptor.LL_FACTOR);
    }

    @Override
    public void call(final A input, final A output) {
        for (var chunk = 0; chunk < rank.shape().chunks(); chunk++) {
            final var start = chunk * rank.shape().chunkBytes();
            final var size = rank.shape().bytesOfChunk(chunk);
            scatter(input, start, size);
            reduceOwnPart(input, output, start, size);
            gather(output, start, size);
            epoch++;
        }
    }

    /** Begins with the next rank's part, so that ranks do not all wait for rank 0's. */
    private void scatter(final A input, final int start, final int size) {
        final var shape = rank.shape();
        for (var peer = rank.next(); peer != rank.rank(); peer = (peer + 1) % rank.world()) {
            final var partStart = shape.partStart(size, peer);
            lines.write(input, shape.elements(start + partStart), shape.elements(shape.partBytes(size, peer)),
                    rank.layout().inputOffset(rank.rank(), 0) + partStart * HostRegionDescriptor.LL_FACTOR, epoch);
        }
    }

    private void reduceOwnPart(final A input, final A output, final int start, final int size) {
        final var shape = rank.shape();
        partStart = shape.partStart(size, rank.rank());
        final var position = shape.elements(start + partStart);
        final var length = shape.elements(shape.partBytes(size, rank.rank()));
        sum.sum(input, output, position, length);
        lines.write(output, position, length, rank.layout().resultOffset(rank.rank()), epoch);
    }

    private void read(final int peer, final int at, final A target, final int to, final int length) {
        lines.read(rank.layout().inputOffset(peer, 0) + partStart * HostRegionDescriptor.LL_FACTOR, at, epoch, target, to, length);
    }

    private void gather(final A output, final int start, final int size) {
        final var shape = rank.shape();
        for (var peer = rank.next(); peer != rank.rank(); peer = (peer + 1) % rank.world()) {
            lines.read(rank.layout().resultOffset(peer), 0, epoch, output, shape.elements(start + shape.partStart(size, peer)),
                    shape.elements(shape.partBytes(size, peer)));
        }
    }
}
