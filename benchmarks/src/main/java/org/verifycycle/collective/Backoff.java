package org.verifycycle.collective;

/**
 * How a rank waits for another: spin briefly, then yield. With more ranks than cores pure spinning costs milliseconds a
 * barrier; 200 spins and then yielding costs microseconds, and nothing where cores suffice.
 */
public final class Backoff {
    private static final int SPINS = 200;
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
        waited++;
        if (waited <= SPINS) {
            Thread.onSpinWait();
            return;
        }
        Thread.yield();
        if (waited % CHECK_EVERY == 0) {
            context.checkAlive();
        }
    }
}
