package org.verifycycle.collective.host;

/**
 * Sums a range over all ranks, in rank order: so every rank that computes it gets the same bits.
 *
 * <p>The own operand is taken from the heap as it is; the others are brought to the heap block by block, since only
 * loops over plain arrays become vector code.
 *
 * @param <A> the array that holds a tensor on the heap
 */
final class RankOrderSum<A> {
    private final HostRank<A> rank;
    private final A[] operands;
    private final int[] from;

    RankOrderSum(final HostRank<A> rank) {
        this.rank = rank;
        operands = rank.elements().table(rank.world());
        from = new int[rank.world()];
        for (var peer = 0; peer < rank.world(); peer++) {
            operands[peer] = rank.elements().allocate(rank.blockElements());
        }
    }

    /**
     * {@code output = } sum over ranks.
     *
     * @param slot the input slot that holds the peers' operands
     * @param slotStartBytes where the range begins in it
     * @param start where it begins in input and output, in elements
     */
    void ofSlots(final A input, final A output, final int slot, final int slotStartBytes, final int start, final int length) {
        final var own = rank.rank();
        final var elementBytes = rank.shape().dtype().bytes();
        operands[own] = input;
        for (var done = 0; done < length; done += rank.blockElements()) {
            final var block = Math.min(rank.blockElements(), length - done);
            for (var peer = 0; peer < rank.world(); peer++) {
                if (peer != own) {
                    rank.elements().read(rank.region(), rank.layout().inputOffset(peer, slot) + slotStartBytes + done * elementBytes,
                            operands[peer], 0, block);
                }
            }
            from[own] = start + done;
            rank.elements().sum(operands, from, output, start + done, block);
        }
    }
}
