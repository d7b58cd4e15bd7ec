package org.verifycycle.collective.cuda;

import java.nio.ByteBuffer;

/** What a kernel writes when a wait failed: VcFault of {@code abi.h}, in mapped host memory. */
record Fault(int code, int rank, int peer, int slot, int block, int position, int expected, int seen) {
    static final int BYTES = 32;
    private static final int DEADLINE = 1;
    private static final int ARGUMENTS = 2;

    static boolean in(final ByteBuffer memory) {
        return memory.getInt(0) != 0;
    }

    static Fault of(final ByteBuffer memory) {
        return new Fault(memory.getInt(0), memory.getInt(4), memory.getInt(8), memory.getInt(12), memory.getInt(16), memory.getInt(20), memory.getInt(24), memory.getInt(28));
    }

    /** For a person. @param waitedNanos the deadline of a wait */
    String text(final IpcAlgorithm algorithm, final Geometry geometry, final long waitedNanos) {
        final var what = algorithm.id() + " (" + geometry + ")";
        return switch (code) {
            case DEADLINE -> "rank %d waited %d s for rank %d in vain: %s, %s; expected call %s, saw %s".formatted(rank, waitedNanos / 1_000_000_000L, peer, what, place(algorithm),
                    Integer.toUnsignedString(expected), Integer.toUnsignedString(seen));
            case ARGUMENTS -> "rank %d: the kernel of %s refused its launch (expected %s, got %s); kernels and program are not from one build".formatted(rank, what,
                    Integer.toUnsignedString(expected), Integer.toUnsignedString(seen));
            default -> "rank %d: the kernel of %s reports an unknown fault %d".formatted(rank, what, code);
        };
    }

    /** What slot and position are depends on what was waited for: flags are one a block, packs of two-shot algorithms are counted within a part. */
    private String place(final IpcAlgorithm algorithm) {
        return algorithm.sendsFlags() ? "flag %d of block %d".formatted(slot, position)
                : "slot %d, block %d, pack %d%s".formatted(slot, block, position, algorithm.twoShot() ? " of a part" : "");
    }
}
