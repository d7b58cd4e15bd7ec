package org.verifycycle.collective.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The one argument of the vc_probe kernels, VcProbe of {@code abi.h}, by value.
 *
 * <pre>
 *    0  own 8 | result 8 | gate 8 | deadlineNanos 8 | bytes 8
 *   40  peers 4 | rounds 4 | width 4 | begins 4 | warmup 4 | pad 4
 *   64  memory of every peer, 8 x 8
 * </pre>
 *
 * @param own    device address of this GPU's probe memory
 * @param result device address of its result
 * @param gate   device address of the word to wait for; 0 for none
 * @param bytes  to or from each peer
 * @param rounds of flags, of stores to one place, or of going through all bytes
 * @param width  bytes of one store
 * @param begins whether this side sends the first flag
 * @param peers  probe memory of the others
 */
record ProbeParameters(long own, long result, long gate, long bytes, int rounds, int width, boolean begins, List<Long> peers) {
    static final int BYTES = 128;
    /** Start of the data in probe memory; control words before it. */
    static final int DATA_OFFSET = 4096;
    /** Of any wait in a probe. Short: what takes longer is no link to run an all-reduce over. */
    static final long DEADLINE_NANOS = 300_000_000L;
    static final int MAX_PEERS = 8;
    static final int MAX_BLOCKS = 128;
    static final int WARMUP_ROUNDS = 50;
    private static final int RESULT = 8;
    private static final int GATE = 16;
    private static final int DEADLINE = 24;
    private static final int DATA_BYTES = 32;
    private static final int PEERS = 40;
    private static final int ROUNDS = 44;
    private static final int WIDTH = 48;
    private static final int BEGINS = 52;
    private static final int WARMUP = 56;
    private static final int PEER = 64;

    byte[] bytesOfC() {
        final var b = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
        b.putLong(0, own).putLong(RESULT, result).putLong(GATE, gate).putLong(DEADLINE, DEADLINE_NANOS).putLong(DATA_BYTES, bytes);
        b.putInt(PEERS, peers.size()).putInt(ROUNDS, rounds).putInt(WIDTH, width).putInt(BEGINS, begins ? 1 : 0).putInt(WARMUP, WARMUP_ROUNDS);
        for (int i = 0; i < peers.size(); i++) {
            b.putLong(PEER + i * Long.BYTES, peers.get(i));
        }
        return b.array();
    }
}
