package org.verifycycle.collective;

import java.util.Optional;

/** One algorithm with its settings; stateless. */
public interface Collective {
    CollectiveSpec spec();

    /** Whether it computes a sum, or only measures what a synchronising call costs at least. */
    Role role();

    /** Why this configuration can't be run by it, or empty if it can. A supported configuration must never be a silent no-op. */
    Optional<String> unsupported(Configuration configuration);

    /** Bytes of shared host memory that all ranks together need ({@link RankContext#shared}). */
    long sharedBytes(Configuration configuration);

    /** How often a sum may be rounded to the dtype on its way: once, where all is summed in float32. */
    default int roundings(final Configuration configuration) {
        return 1;
    }

    /**
     * Does what takes time and needs no other rank: loads libraries, starts a driver. Opening does it too; rank 0 begins with it
     * while the others start.
     */
    default void warmUp() {
        // Most have nothing of the kind.
    }

    /** Opened by every rank, in any order; may block until all have come. */
    Communicator open(RankContext context, Configuration configuration);

    enum Role {
        /** Every rank ends with the sum; outputs are checked. */
        ALL_REDUCE,
        /** A lower bound: outputs are not written and not checked. */
        FLOOR
    }
}
