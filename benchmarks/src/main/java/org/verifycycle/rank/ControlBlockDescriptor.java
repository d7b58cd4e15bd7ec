package org.verifycycle.rank;

import org.verifycycle.collective.RankContext;

/**
 * Layout of the file that the ranks of one group share. All values are in native byte order; every value that one rank
 * writes while another polls it has a 128-byte line of its own (two 64-byte lines: adjacent-line prefetch pairs them).
 *
 * <pre>
 *      0 +--------------------------------------------------------------------+
 *        | magic 8 | version 4 | world 4 | sampleCapacity 4 | pad 4 | data 8    |  written once, before any child starts
 *    128 +--------------------------------------------------------------------+
 *        | state 4 (open, being aborted, aborted, declined) | reasonLength 4 | reason 504  read in every wait, written at most once
 *    640 +--------------------------------------------------------------------+
 *        | epoch 8 | command 4 | pad 4 | argument 8                             |  rank 0 publishes, the others poll
 *   1024 +--------------------------------------------------------------------+
 *        | rank 0: 2048 bytes                                                   |
 *        |    0  pid 8 | phase 4 | errorLength 4 | error, UTF-8, 496 bytes      |
 *        |  512  done 8 (the last epoch this rank has finished)                 |
 *        |  640  checkHash 8 (of its outputs, valid when done shows a check)    |
 *        |  768  exchanged 8 (how many exchanges it has published)              |
 *        |  896  exchange slot 0: length 4, pad 4, 256 bytes                    |
 *        | 1280  exchange slot 1: length 4, pad 4, 256 bytes                    |
 *   3072 +--------------------------------------------------------------------+
 *        | rank 1 ... rank world-1                                              |
 *        +--------------------------------------------------------------------+
 *        | samples: per rank, sampleCapacity x { start 8, end 8, device 8 }     |
 *   data +--------------------------------------------------------------------+  page aligned
 *        | the backend's own region                                             |
 *        +--------------------------------------------------------------------+
 * </pre>
 */
final class ControlBlockDescriptor {
    static final long MAGIC = 0x4c43_5946_4952_4556L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int WORLD_OFFSET = 12;
    static final int SAMPLE_CAPACITY_OFFSET = 16;
    static final int DATA_BYTES_OFFSET = 24;

    static final int STATE_OFFSET = 128;
    static final int REASON_OFFSET = 132;
    static final int REASON_MAX_BYTES = 504;

    static final int EPOCH_OFFSET = 640;
    static final int COMMAND_OFFSET = 648;
    static final int ARGUMENT_OFFSET = 656;

    static final int RANKS_OFFSET = 1024;
    static final int RANK_BYTES = 2048;
    static final int PID = 0;
    static final int PHASE = 8;
    static final int ERROR = 12;
    static final int ERROR_MAX_BYTES = 496;
    static final int DONE = 512;
    static final int CHECK_HASH = 640;
    static final int EXCHANGED = 768;
    static final int EXCHANGE_SLOTS = 896;
    static final int EXCHANGE_SLOT_BYTES = 384;
    static final int EXCHANGE_MAX_BYTES = RankContext.EXCHANGE_MAX_BYTES;

    static final int SAMPLE_BYTES = 24;
    static final int SAMPLE_START = 0;
    static final int SAMPLE_END = 8;
    static final int SAMPLE_DEVICE = 16;

    private static final int PAGE_BYTES = 4096;

    private ControlBlockDescriptor() {
    }

    static int rankOffset(final int rank) {
        return RANKS_OFFSET + rank * RANK_BYTES;
    }

    static int samplesOffset(final int world) {
        return rankOffset(world);
    }

    static int sampleOffset(final int world, final int capacity, final int rank, final int index) {
        return samplesOffset(world) + (rank * capacity + index) * SAMPLE_BYTES;
    }

    /** Where the backend's region begins, and so the size of everything before it. */
    static int dataOffset(final int world, final int capacity) {
        final var end = samplesOffset(world) + world * capacity * SAMPLE_BYTES;
        return (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }
}
