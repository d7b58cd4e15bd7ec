package org.verifycycle.collective;

import java.nio.ByteBuffer;

/** What a backend gets from the rank process it runs in. */
public interface RankContext {
    /** Of one rank's part of an exchange. */
    int EXCHANGE_MAX_BYTES = 256;

    int rank();

    int world();

    /** Shared by all ranks, zeroed, page aligned, in native byte order, of {@link Collective#sharedBytes} bytes. */
    ByteBuffer shared();

    /**
     * All-gathers a few bytes (handles, ids): returns every rank's, in rank order. Collective: all ranks call it equally often.
     *
     * @param mine at most {@link #EXCHANGE_MAX_BYTES} bytes
     */
    byte[][] exchange(byte[] mine);

    /** Returns when all ranks have come to it: an exchange of nothing. */
    default void barrier() {
        exchange(new byte[0]);
    }

    /**
     * To be called in every unbounded wait.
     *
     * @throws RankAbortedException when the group was told to end (a rank died, a deadline passed)
     * @throws DeclinedException    when it was because a rank's library declines what was asked
     */
    void checkAlive();
}
