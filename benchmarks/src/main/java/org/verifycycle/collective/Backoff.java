package org.verifycycle.collective;

import java.util.concurrent.locks.LockSupport;

/**
 * How a rank waits for another: spin briefly, then yield, then park. With more ranks than cores pure spinning costs
 * milliseconds a barrier; 200 spins and then yielding costs microseconds, and nothing where cores suffice. Parking, which
 * wakes some 50 us late, begins only when a wait is far longer than any call: between iterations, not within a cycle.
 */
public final class Backoff {
    private static final int SPINS = 200;
    private static final int YIELDS = 50_000;
    private static final long PARK_NANOS = 50_000;
    /** The group's state is on a line of its own that nobody writes: reading it now and then is free. */
    private static final int CHECK_EVERY = 64;

    private final RankContext context;
    private int waited;

    public Backoff(final RankContext context) {
        this.context = context;
    }

    /** Call before a wait. */
    public void reset() {
        waited = 0;
    }

    /**
     * One step of a wait.
     *
     * @throws RankAbortedException when the group was told to end
     */
    public void idle() {
        if (waited < SPINS) {
            waited++;
            Thread.onSpinWait();
            return;
        }
        if (waited < YIELDS) {
            waited++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (waited % CHECK_EVERY == 0 || waited == YIELDS) {
            context.checkAlive();
        }
    }
}
