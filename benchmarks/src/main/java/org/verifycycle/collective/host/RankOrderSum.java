package org.verifycycle.collective.host;

/**
 * Sums a range over all ranks, in rank order: so every rank that computes it gets the same bits.
 *
 * <p>The operands are brought to the heap block by block, since only loops over plain arrays become vector code, and
 * blocks stay in the first-level cache from the copy to the sum.
 *
 * @param <A> the array that holds a tensor on the heap
 */
final class RankOrderSum<A> {
    private final HostRank<A> rank;
    private final PeerReader<A> reader;
    private final A[] operands;
    private final A result;

    /** Reads a peer's operand. */
    interface PeerReader<A> {
        /** {@code target[to ...]} = elements {@code at ...} of the peer's range. */
        void read(int peer, int at, A target, int to, int length);
    }

    RankOrderSum(final HostRank<A> rank, final PeerReader<A> reader) {
        this.rank = rank;
        this.reader = reader;
        operands = rank.elements().table(rank.world());
        for (var peer = 0; peer < rank.world(); peer++) {
            operands[peer] = rank.elements().allocate(rank.blockElements());
        }
        result = rank.elements().allocate(rank.blockElements());
    }

    /** {@code output = } sum over ranks, for the range that begins at {@code start} in input and output. */
    void sum(final A input, final A output, final int start, final int length) {
        for (var done = 0; done < length; done += rank.blockElements()) {
            final var block = Math.min(rank.blockElements(), length - done);
            if (rank.world() == 2) {
                sumOfTwo(input, output, start + done, done, block);
            } else {
                sumOfAll(input, output, start + done, done, block);
            }
        }
    }

    /** Without copies of the own operand and the result: {@code a + b} is {@code b + a}. */
    private void sumOfTwo(final A input, final A output, final int position, final int at, final int length) {
        reader.read(rank.next(), at, output, position, length);
        rank.elements().add(input, output, position, length);
    }

    private void sumOfAll(final A input, final A output, final int position, final int at, final int length) {
        for (var peer = rank.next(); peer != rank.rank(); peer = (peer + 1) % rank.world()) {
            reader.read(peer, at, operands[peer], 0, length);
        }
        System.arraycopy(input, position, operands[rank.rank()], 0, length);
        rank.elements().sum(operands, result, length);
        System.arraycopy(result, 0, output, position, length);
    }
}
