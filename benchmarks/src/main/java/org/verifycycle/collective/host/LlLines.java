package org.verifycycle.collective.host;

/**
 * Elements as LL lines: packed block by block with their flags, which {@link HostRegion} stores and polls.
 *
 * @param <A> the array that holds a tensor on the heap
 */
final class LlLines<A> {
    private static final int WORD_BYTES = 4;
    private static final int LINE_WORD_BYTES = WORD_BYTES * HostRegionDescriptor.LL_FACTOR;

    private final HostRank<A> rank;
    private final int wordElements;
    private final long[] lines;

    LlLines(final HostRank<A> rank) {
        this.rank = rank;
        wordElements = WORD_BYTES / rank.shape().dtype().bytes();
        lines = new long[rank.blockElements() / wordElements];
    }

    /** Writes any number of elements as lines to {@code offset} in the region. */
    void write(final A source, final int from, final int length, final int offset, final int flag) {
        for (var done = 0; done < length; done += rank.blockElements()) {
            final var block = Math.min(rank.blockElements(), length - done);
            rank.elements().pack(source, from + done, flag, lines, block);
            rank.region().writeLines(lines, block / wordElements, offset + done / wordElements * LINE_WORD_BYTES);
        }
    }

    /** Reads what {@link #write} wrote to {@code offset}, from element {@code at} on, waiting for each line. */
    void read(final int offset, final int at, final int flag, final A target, final int to, final int length) {
        for (var done = 0; done < length; done += rank.blockElements()) {
            final var block = Math.min(rank.blockElements(), length - done);
            rank.region().readLines(offset + (at + done) / wordElements * LINE_WORD_BYTES, flag, lines, block / wordElements);
            rank.elements().unpack(lines, target, to + done, block);
        }
    }
}
