package org.verifycycle.collective.host;

/**
 * One-shot LL: every word of data travels with the number of its chunk, so its arrival is its own signal. No barrier, and
 * nothing to reset: the next chunk has another number.
 *
 * <pre>
 *   rank r, chunk k                                        peers
 *   1. write own input as lines (data, k) to slot k % 2    -->
 *   2. output = sum over p of the lines of slot[p][k % 2], polling each until its flag is k
 * </pre>
 *
 * On GPUs a rank pushes its lines into every peer's memory. Here all memory is equally far, so it writes them once and
 * all peers poll the same lines.
 *
 * <p>Two alternating slots are enough: a rank that writes chunk k has received all of chunk k - 1, so every peer had
 * begun to write k - 1, and had done so after reading all of k - 2. Flags are 32 bits and may wrap: they are compared
 * for equality only, and a line is never more than two chunks of its kind old.
 */
final class OneShotLl<A> implements AllReduce<A> {
    private final HostRank<A> rank;
    private final LlLines<A> lines;
    private final RankOrderSum<A> sum;
    private int epoch;

    OneShotLl(final HostRank<A> rank) {
        this.rank = rank;
        lines = new LlLines<>(rank);
        sum = new RankOrderSum<>(rank, this::read);
        epoch = rank.firstEpoch();
    }

    static HostRegionDescriptor layout(final HostShape shape) {
        return new HostRegionDescriptor(shape.world(), 2, shape.chunkBytes() * HostRegionDescriptor.LL_FACTOR, 0);
    }

    @Override
    public void call(final A input, final A output) {
        final var shape = rank.shape();
        for (var chunk = 0; chunk < shape.chunks(); chunk++) {
            final var start = shape.elements(chunk * shape.chunkBytes());
            final var length = shape.elements(shape.bytesOfChunk(chunk));
            lines.write(input, start, length, rank.layout().inputOffset(rank.rank(), epoch & 1), epoch);
            sum.sum(input, output, start, length);
            epoch++;
        }
    }

    private void read(final int peer, final int at, final A target, final int to, final int length) {
        lines.read(rank.layout().inputOffset(peer, epoch & 1), at, epoch, target, to, length);
    }
}
