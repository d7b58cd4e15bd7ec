package org.verifycycle.collective.host;

/**
 * Sums a range over all ranks, in rank order, where the peers' operands arrive as LL lines.
 *
 * @param <A> the array that holds a tensor on the heap
 */
final class LlSum<A> {
    private final HostRank<A> rank;
    private final LlLines<A> lines;
    private final A[] operands;
    private final int[] from;

    LlSum(final HostRank<A> rank, final LlLines<A> lines) {
        this.rank = rank;
        this.lines = lines;
        operands = rank.elements().table(rank.world());
        from = new int[rank.world()];
        for (var peer = 0; peer < rank.world(); peer++) {
            operands[peer] = rank.elements().allocate(rank.blockElements());
        }
    }

    /**
     * {@code output = } sum over ranks.
     *
     * @param slot the input slot that holds the peers' lines
     * @param lineStartBytes where the range begins in it
     * @param start where it begins in input and output, in elements
     */
    void ofLines(final A input, final A output, final int slot, final int lineStartBytes, final int start, final int length, final int flag) {
        final var own = rank.rank();
        final var elementLineBytes = rank.shape().dtype().bytes() * HostRegionDescriptor.LL_FACTOR;
        operands[own] = input;
        for (var done = 0; done < length; done += rank.blockElements()) {
            final var block = Math.min(rank.blockElements(), length - done);
            for (var peer = 0; peer < rank.world(); peer++) {
                if (peer != own) {
                    lines.read(rank.layout().inputOffset(peer, slot) + lineStartBytes + done * elementLineBytes, flag,
                            operands[peer], 0, block);
                }
            }
            from[own] = start + done;
            rank.elements().sum(operands, from, output, start + done, block);
        }
    }
}
