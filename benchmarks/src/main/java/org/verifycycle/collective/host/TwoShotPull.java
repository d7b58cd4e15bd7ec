package org.verifycycle.collective.host;

/**
 * Two-shot pull: every rank reduces its own part of the tensor, then gathers the others' parts. SGLang's and vLLM's
 * 2stage. Moves 2 (N - 1) / N of the tensor per rank instead of one-shot's N - 1, at the price of a second wait.
 *
 * <pre>
 *   rank r, chunk k, in parts 0 .. N-1
 *   1. copy own input, but for part r, to the input slot
 *   2. flag[r] = 2k - 1       -- release -->
 *   3. await flag[p] >= 2k - 1 of every peer p
 *   4. output part r = sum over p of part r of input[p];  copy it to the result slot
 *   5. flag[r] = 2k           -- release -->
 *   6. await flag[p] >= 2k, copy result[p] to output part p, for every peer p
 * </pre>
 *
 * The two waits make one slot of each kind enough, without a trailing barrier. The input slot is written again in
 * step 1 of k + 1: after step 6 of k, which saw every peer past step 4 of k, the last that reads inputs. The result
 * slot is written again in step 4 of k + 1: after step 3 of k + 1, which saw every peer past step 6 of k.
 */
final class TwoShotPull<A> implements AllReduce<A> {
    private final HostRank<A> rank;
    private final RankOrderSum<A> sum;
    /** The chunk in hand, counted over all calls. */
    private long epoch;
    /** Where the own part begins in the chunk in hand. */
    private int partStart;

    TwoShotPull(final HostRank<A> rank) {
        this.rank = rank;
        sum = new RankOrderSum<>(rank, this::read);
    }

    static HostRegionDescriptor layout(final HostShape shape) {
        return new HostRegionDescriptor(shape.world(), 1, shape.chunkBytes(), shape.largestPartBytes());
    }

    @Override
    public void call(final A input, final A output) {
        for (var chunk = 0; chunk < rank.shape().chunks(); chunk++) {
            epoch++;
            final var start = chunk * rank.shape().chunkBytes();
            final var size = rank.shape().bytesOfChunk(chunk);
            scatter(input, start, size);
            rank.raiseFlag(2 * epoch - 1);
            rank.awaitAllFlags(2 * epoch - 1);
            reduceOwnPart(input, output, start, size);
            rank.raiseFlag(2 * epoch);
            gather(output, start, size);
        }
    }

    private void scatter(final A input, final int start, final int size) {
        final var ownStart = rank.shape().partStart(size, rank.rank());
        final var ownEnd = rank.shape().partStart(size, rank.rank() + 1);
        publish(input, start, 0, ownStart);
        publish(input, start, ownEnd, size);
    }

    private void publish(final A input, final int start, final int from, final int to) {
        if (from < to) {
            rank.elements().write(input, rank.shape().elements(start + from), rank.region(),
                    rank.layout().inputOffset(rank.rank(), 0) + from, rank.shape().elements(to - from));
        }
    }

    private void reduceOwnPart(final A input, final A output, final int start, final int size) {
        final var shape = rank.shape();
        partStart = shape.partStart(size, rank.rank());
        final var length = shape.elements(shape.partBytes(size, rank.rank()));
        final var position = shape.elements(start + partStart);
        sum.sum(input, output, position, length);
        rank.elements().write(output, position, rank.region(), rank.layout().resultOffset(rank.rank()), length);
    }

    private void read(final int peer, final int at, final A target, final int to, final int length) {
        rank.elements().read(rank.region(), rank.layout().inputOffset(peer, 0) + partStart + rank.shape().bytesOf(at), target, to, length);
    }

    private void gather(final A output, final int start, final int size) {
        final var shape = rank.shape();
        for (var peer = rank.next(); peer != rank.rank(); peer = (peer + 1) % rank.world()) {
            rank.awaitFlag(peer, 2 * epoch);
            rank.elements().read(rank.region(), rank.layout().resultOffset(peer), output,
                    shape.elements(start + shape.partStart(size, peer)), shape.elements(shape.partBytes(size, peer)));
        }
    }
}
