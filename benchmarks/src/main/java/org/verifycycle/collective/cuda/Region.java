package org.verifycycle.collective.cuda;

/** Sizes of what a kernel works in: {@code abi.h}'s vc_region_bytes, vc_board_bytes, vc_slot_fill and vc_part_packs. */
final class Region {
    static final int ABI_VERSION = 2;
    static final int PACK_BYTES = 16;
    /** Control area, flags and entries: zero before the first call. */
    static final int SLOTS_OFFSET = 65_536;
    /** VC_ENTRIES_OFFSET: block 0's entry, whose first word is the number of the last call. */
    static final int ENTRIES_OFFSET = 33_024;
    static final int MAX_WORLD = 8;
    private static final int LINE_BYTES = 32;
    private static final int PART_PACKS = 8;
    private static final byte SENTINEL_FILL = (byte) 0xFF;

    private Region() {
    }

    /** Packs of a rank's part in a two-shot call. */
    static int partPacks(final int packs, final int world) {
        return ((packs + world - 1) / world + PART_PACKS - 1) / PART_PACKS * PART_PACKS;
    }

    /** @param capacity packs of the largest call */
    static long bytes(final IpcAlgorithm algorithm, final int capacity, final int world) {
        final var all = (long) world * capacity;
        final var parts = (long) world * partPacks(capacity, world);
        return SLOTS_OFFSET + switch (algorithm) {
            case TWO_SHOT_PULL -> (long) PACK_BYTES * partPacks(capacity, world);
            case ONE_SHOT_LL -> 2 * LINE_BYTES * all;
            case ONE_SHOT_SENTINEL -> 3 * PACK_BYTES * all;
            case TWO_SHOT_LL -> 2 * 2 * LINE_BYTES * parts;
            case TWO_SHOT_SENTINEL -> 3 * 2 * PACK_BYTES * parts;
            case EXCHANGE_ONLY -> 2 * PACK_BYTES * all;
            case ONE_SHOT_PULL, HOST_LL, HOST_SENTINEL, FLAG_EXCHANGE, COPY_ONLY, EMPTY -> 0;
        };
    }

    /** Bytes of pinned host memory that all ranks share. */
    static long boardBytes(final IpcAlgorithm algorithm, final int capacity, final int world) {
        final var all = (long) world * capacity;
        return switch (algorithm) {
            case HOST_LL -> 2 * LINE_BYTES * all;
            case HOST_SENTINEL -> 4 * PACK_BYTES * all;
            case ONE_SHOT_PULL, TWO_SHOT_PULL, ONE_SHOT_LL, TWO_SHOT_LL, ONE_SHOT_SENTINEL, TWO_SHOT_SENTINEL, FLAG_EXCHANGE, EXCHANGE_ONLY, COPY_ONLY, EMPTY -> 0;
        };
    }

    /** What the slots hold before the first call. */
    static byte slotFill(final IpcAlgorithm algorithm) {
        return switch (algorithm) {
            case ONE_SHOT_SENTINEL, TWO_SHOT_SENTINEL, HOST_SENTINEL -> SENTINEL_FILL;
            case ONE_SHOT_PULL, TWO_SHOT_PULL, ONE_SHOT_LL, TWO_SHOT_LL, HOST_LL, FLAG_EXCHANGE, EXCHANGE_ONLY, COPY_ONLY, EMPTY -> 0;
        };
    }
}
