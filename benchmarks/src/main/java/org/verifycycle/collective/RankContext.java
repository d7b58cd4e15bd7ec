package org.verifycycle.collective;

import java.nio.ByteBuffer;

/** What a backend gets from the rank process it runs in. */
public interface RankContext {
    int rank();

    int world();

    /** Shared by all ranks, zeroed, page aligned, in native byte order, of {@link Collective#sharedBytes} bytes. */
    ByteBuffer shared();

    /**
     * All-gathers a few bytes (handles, ids): returns every rank's, in rank order. Collective: all ranks call it equally often.
     *
     * @param mine at most 256 bytes
     */
    byte[][] exchange(byte[] mine);

    /**
     * To be called in every unbounded wait.
     *
     * @throws RankAbortedException when the group was told to end (a rank died, a deadline passed)
     */
    void checkAlive();
}
