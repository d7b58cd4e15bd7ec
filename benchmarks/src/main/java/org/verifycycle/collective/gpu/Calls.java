package org.verifycycle.collective.gpu;

import java.util.Optional;

/** The all-reduce calls of one rank's cycle; what a backend adds to {@link GpuCycle}. */
public interface Calls {
    /**
     * Puts call {@code i} of a cycle on the rank's stream, which may be capturing.
     *
     * @throws RuntimeException if it can't be started
     */
    void enqueue(int call);

    /** Looks, after a cycle, for faults that the stream does not show. @throws RuntimeException if there is one */
    default void verify() {
    }

    /** Looks for the reason when a cycle does not end for far longer than one takes. @throws RuntimeException if there is one */
    default void stuck() {
    }

    /** Calls that have run since the first, by the device's own count, where there is one. */
    default Optional<Long> counted() {
        return Optional.empty();
    }

    /** This rank can't go on: closing must then wait for nobody. */
    void failed();
}
