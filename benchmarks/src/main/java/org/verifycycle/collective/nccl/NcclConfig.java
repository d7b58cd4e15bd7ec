package org.verifycycle.collective.nccl;

import com.sun.jna.Memory;

/**
 * ncclConfig_t as of NCCL 2.17 (48 bytes), which newer ones accept: they fill what it lacks with their defaults.
 *
 * <pre>
 *    0 size 8 | 8 magic 4 | 12 version 4 | 16 blocking 4 | 20 cgaClusterSize 4 | 24 minCTAs 4 | 28 maxCTAs 4
 *   32 netName 8 (pointer) | 40 splitShare 4 | 44 padding
 * </pre>
 */
final class NcclConfig {
    static final int BYTES = 48;
    static final int MAGIC = 0xcafebeef;
    static final int VERSION = 21_700;
    /** NCCL's mark for "not set": its own default, or the user's variable. */
    static final int UNDEFINED = Integer.MIN_VALUE;
    private static final int BLOCKING = 16;
    private static final int SPLIT_SHARE = 40;

    private NcclConfig() {
    }

    /** Calls block until they are done; all else is left to NCCL and its variables. */
    static Memory blocking() {
        final var config = new Memory(BYTES);
        config.clear();
        config.setLong(0, BYTES);
        config.setInt(8, MAGIC);
        config.setInt(12, VERSION);
        config.setInt(BLOCKING, 1);
        for (int field = BLOCKING + 4; field < 32; field += 4) {
            config.setInt(field, UNDEFINED);
        }
        config.setInt(SPLIT_SHARE, UNDEFINED);
        return config;
    }
}
