package org.verifycycle.rank;

import org.verifycycle.collective.Collective;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.PayloadCheck;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.Skew;

import java.util.List;
import java.util.Optional;

/** What every rank does, rank 0 included: opens the collective, runs cycles with their time stamps, checks. */
final class RankWorker implements AutoCloseable {
    /** Argument of a cycle that is not to be recorded. */
    static final long UNRECORDED = -1;
    private static final long NO_DEVICE_CLOCK = -1;

    private final ControlBlock block;
    private final int rank;
    private final Collective.Role role;
    private final Communicator communicator;
    private final PreparedCycle cycle;
    private final PayloadCheck check;
    private final Configuration configuration;
    private long cycles;

    RankWorker(final ControlBlock block, final int rank, final Configuration configuration) {
        this.block = block;
        this.rank = rank;
        this.configuration = configuration;
        final var collective = Collectives.installed().find(configuration.collective());
        role = collective.role();
        communicator = collective.open(new SharedRankContext(block, rank), configuration);
        cycle = prepared(communicator);
        check = new PayloadCheck(configuration, rank, cycle, collective.roundings(configuration));
    }

    private static PreparedCycle prepared(final Communicator communicator) {
        try {
            return communicator.prepare();
        } catch (final Throwable e) {
            communicator.close();
            throw e;
        }
    }

    List<String> notes() {
        return cycle.notes();
    }

    Optional<DeviceMemory> memory() {
        return cycle.memory();
    }

    /** @param index where to record it, or {@link #UNRECORDED} */
    void cycle(final long index) {
        final var late = late();
        final var start = System.nanoTime();
        if (late) {
            cycle.delay(configuration.skewNanos());
        }
        cycle.run();
        final var end = System.nanoTime();
        if (index != UNRECORDED) {
            block.sample(rank, (int) index, late ? start + cycle.delayedNanos() : start, end, cycle.deviceNanos().orElse(NO_DEVICE_CLOCK));
        }
    }

    /** Whose turn it is to be late: all ranks count the same cycles. */
    private boolean late() {
        return configuration.skewNanos() != Skew.NONE && cycles++ % configuration.world() == rank;
    }

    /** Checks integer payloads for even seeds, random ones for odd. A floor has no sum to check. */
    void check(final long seed) {
        if (role == Collective.Role.FLOOR) {
            cycle.run();
            return;
        }
        final var outcome = check.run(seed, seed % 2 == 0);
        outcome.mismatch().ifPresent(message -> block.error(rank, message));
        block.checkHash(rank, outcome.hash());
    }

    /** So that what the outputs hold later is of cycles from now on. */
    void poison() {
        check.poison();
    }

    /** Checks what the cycles since the last {@link #poison} or {@link #check} left. In place their inputs are gone, a floor has none. */
    void checkLeft() {
        if (role == Collective.Role.FLOOR || cycle.inPlace()) {
            block.checkHash(rank, 0);
            return;
        }
        final var outcome = check.left();
        cycle.lost().or(outcome::mismatch).ifPresent(message -> block.error(rank, "after the timed cycles " + message));
        block.checkHash(rank, outcome.hash());
    }

    @Override
    public void close() {
        cycle.close();
        communicator.close();
    }
}
