package org.verifycycle.result;

import java.time.Instant;
import java.util.Optional;

/**
 * What one round (one fresh group of processes) of one configuration gave.
 *
 * @param round       from 1
 * @param position    place in the round's shuffled order, from 0
 * @param error       a line for a person, if status is not OK
 * @param cycles      recorded verify cycles
 * @param samplesFile path below the run folder, if status is OK
 */
public record RoundResult(int round, int position, Status status, Optional<String> error, Instant startedAt, long wallMillis,
                          int cycles, Optional<String> samplesFile) {
    public enum Status {
        /** Checked before and after, and timed. */
        OK,
        /** A check failed: there is no time. */
        WRONG,
        /** A rank died, a deadline passed, the fork failed. */
        FAILED
    }
}
