package org.verifycycle.collective.cuda;

import java.nio.ByteBuffer;

/** What a probe kernel writes: VcProbeResult of {@code abi.h}, in mapped host memory. */
record ProbeResult(ByteBuffer memory) {
    static final int BYTES = 32 + 16 * ProbeParameters.MAX_BLOCKS;
    private static final int WRONG = 4;
    private static final int TORN = 8;
    private static final int CALLS = 12;
    private static final int NANOS = 16;
    private static final int TIMES = 32;
    private static final int TIME_BYTES = 16;

    void clear() {
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            memory.putLong(i, 0);
        }
    }

    /** Whether every wait ended as it should. */
    boolean ok() {
        return memory.getInt(0) == 0;
    }

    long wrong() {
        return Integer.toUnsignedLong(memory.getInt(WRONG));
    }

    long torn() {
        return Integer.toUnsignedLong(memory.getInt(TORN));
    }

    int calls() {
        return memory.getInt(CALLS);
    }

    long nanos() {
        return memory.getLong(NANOS);
    }

    /** From the first start to the last end among blocks {@code first, first + step, ...} of a grid; 0 if one of them did not end. */
    long nanos(final int first, final int step, final int blocks) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (int b = first; b < blocks; b += step) {
            final var at = TIMES + b * TIME_BYTES;
            if (memory.getLong(at + Long.BYTES) == 0) {
                return 0;
            }
            start = Math.min(start, memory.getLong(at));
            end = Math.max(end, memory.getLong(at + Long.BYTES));
        }
        return Math.max(0, end - start);
    }
}
