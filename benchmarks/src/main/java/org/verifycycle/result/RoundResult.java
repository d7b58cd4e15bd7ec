package org.verifycycle.result;

import org.verifycycle.collective.DeviceMemory;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one round (one fresh group of processes) of one configuration gave.
 *
 * @param round       from 1
 * @param position    place in the round's shuffled order, from 0
 * @param error       a line for a person, if status is not OK
 * @param cycles      recorded verify cycles
 * @param samplesFile path below the run folder, if status is OK
 * @param notes       what the collective said of how it ran, e.g. what a library chose
 * @param memory      what rank 0 took of its device's memory; absent without a device, and where ranks share one
 */
public record RoundResult(int round, int position, Status status, Optional<String> error, Instant startedAt, long wallMillis,
                          int cycles, Optional<String> samplesFile, List<String> notes, Optional<DeviceMemory> memory) {
    public RoundResult {
        notes = List.copyOf(notes);
    }

    /** With nothing to say of how it ran. */
    public RoundResult(final int round, final int position, final Status status, final Optional<String> error, final Instant startedAt, final long wallMillis, final int cycles,
                       final Optional<String> samplesFile) {
        this(round, position, status, error, startedAt, wallMillis, cycles, samplesFile, List.of(), Optional.empty());
    }

    public enum Status {
        /** Checked before and after, and timed. */
        OK,
        /** A check failed: there is no time. */
        WRONG,
        /** A rank died, a deadline passed, the fork failed. */
        FAILED
    }
}
