package org.verifycycle.collective.host;

/**
 * Layout of the memory that the ranks of one communicator share. All of it is zero at the start.
 *
 * <pre>
 *   0 +--------------------------------------------------------+
 *     | flag of rank 0: one 8-byte counter that only grows      |  128 bytes: its own cache line and the one that the
 * 128 +--------------------------------------------------------+  processor fetches along with it
 *     | flag of rank 1                                          |
 *     |   ...                                                   |
 *     +--------------------------------------------------------+  {@link #PAGE_BYTES}, or a multiple of it
 *     | rank 0: input slot 0 | input slot 1 | ... | result slot |  written by rank 0 only, read by all;
 *     +--------------------------------------------------------+  every slot starts on its own 128-byte line
 *     | rank 1: input slot 0 | input slot 1 | ... | result slot |
 *     |   ...                                                   |
 *     +--------------------------------------------------------+  {@link #bytes}
 *
 *   a slot of a pull algorithm or of the ring        a slot of an LL algorithm: 16-byte lines
 *   +------+------+------+---                        +--------+--------+--------+--------+---
 *   | e0   | e1   | e2   | ...  elements             | data 0 | flag   | data 1 | flag   | ...  4 bytes each
 *   +------+------+------+---                        +--------+--------+--------+--------+---
 *                                                    one 8-byte store  one 8-byte store
 * </pre>
 *
 * A tensor passes through the slots in chunks, so the memory needed does not grow with the tensor.
 *
 * @param world ranks
 * @param inputSlots slots of each rank for what it hands in; rotating
 * @param inputSlotBytes size of one
 * @param resultSlotBytes size of the slot of each rank for sums it hands out; 0 if the algorithm has none
 */
record HostRegionDescriptor(int world, int inputSlots, int inputSlotBytes, int resultSlotBytes) {
    static final int LINE_BYTES = 128;
    static final int PAGE_BYTES = 4096;
    /** LL: data bytes become twice as many line bytes. */
    static final int LL_FACTOR = 2;

    /** Size of the whole region. */
    long bytes() {
        return slotsOffset() + (long) world * rankBytes();
    }

    int flagOffset(final int rank) {
        return rank * LINE_BYTES;
    }

    int inputOffset(final int rank, final int slot) {
        return slotsOffset() + rank * rankBytes() + slot * roundUp(inputSlotBytes, LINE_BYTES);
    }

    int resultOffset(final int rank) {
        return inputOffset(rank, inputSlots);
    }

    private int slotsOffset() {
        return roundUp(world * LINE_BYTES, PAGE_BYTES);
    }

    private int rankBytes() {
        return roundUp(inputSlots * roundUp(inputSlotBytes, LINE_BYTES) + resultSlotBytes, PAGE_BYTES);
    }

    private static int roundUp(final int bytes, final int unit) {
        return (bytes + unit - 1) / unit * unit;
    }
}
