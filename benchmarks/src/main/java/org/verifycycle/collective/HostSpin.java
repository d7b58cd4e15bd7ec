package org.verifycycle.collective;

/** Keeps this thread's processor busy, as work would; by the clock that all ranks' time stamps are taken with. */
public final class HostSpin {
    private long nanos;

    /** Returns once at least so many nanoseconds have passed. */
    public void run(final int atLeastNanos) {
        final var begin = System.nanoTime();
        do {
            Thread.onSpinWait();
            nanos = System.nanoTime() - begin;
        } while (nanos < atLeastNanos);
    }

    /** How long the last one took: longer where the thread lost its processor meanwhile. */
    public long nanos() {
        return nanos;
    }
}
