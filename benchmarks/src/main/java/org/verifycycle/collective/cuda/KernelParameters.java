package org.verifycycle.collective.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The one argument of every kernel, VcParams of {@code abi.h}, by value.
 *
 * <pre>
 *    0  input 8 | output 8 | control 8 | fault 8 | deadlineNanos 8
 *   40  rank 4 | world 4 | packs 4 | capacity 4 | version 4 | maxBlocks 4
 *   64  region of every rank, 8 x 8
 *  128  input of every rank, 8 x 8 (pull)
 * </pre>
 *
 * @param input      device address of this rank's input
 * @param control    device address of this rank's own region, in memory of its own GPU
 * @param fault      device address of this rank's fault record
 * @param packs      16-byte packs of a call, which is also what the region is laid out for
 * @param maxBlocks  of the largest grid on this region: the kernel keeps the call number once for each block
 * @param regions    of every rank as this process maps it; the board where there is one
 * @param peerInputs of every rank, for pull algorithms
 */
record KernelParameters(long input, long output, long control, long fault, long deadlineNanos, int rank, int packs, int maxBlocks, long[] regions, long[] peerInputs) {
    static final int BYTES = 192;
    private static final int OUTPUT = 8;
    private static final int CONTROL = 16;
    private static final int FAULT = 24;
    private static final int DEADLINE = 32;
    private static final int RANK = 40;
    private static final int WORLD = 44;
    private static final int PACKS = 48;
    private static final int CAPACITY = 52;
    private static final int VERSION = 56;
    private static final int MAX_BLOCKS = 60;
    private static final int REGIONS = 64;
    private static final int PEER_INPUTS = 128;

    byte[] bytes() {
        final var b = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
        b.putLong(0, input).putLong(OUTPUT, output).putLong(CONTROL, control).putLong(FAULT, fault).putLong(DEADLINE, deadlineNanos);
        b.putInt(RANK, rank).putInt(WORLD, regions.length).putInt(PACKS, packs).putInt(CAPACITY, packs).putInt(VERSION, Region.ABI_VERSION).putInt(MAX_BLOCKS, maxBlocks);
        for (int r = 0; r < regions.length; r++) {
            b.putLong(REGIONS + r * Long.BYTES, regions[r]).putLong(PEER_INPUTS + r * Long.BYTES, peerInputs[r]);
        }
        return b.array();
    }
}
