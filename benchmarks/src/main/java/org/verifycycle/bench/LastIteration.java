package org.verifycycle.bench;

import org.verifycycle.rank.RankGroup;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where the benchmark state leaves the times of an iteration for the profiler. JMH makes both and lets neither know of the
 * other, so this is the one mutable static of the program.
 */
final class LastIteration {
    private static final AtomicReference<RankGroup.Harvest> HARVEST = new AtomicReference<>();

    private LastIteration() {
    }

    static void set(final RankGroup.Harvest harvest) {
        HARVEST.set(harvest);
    }

    static Optional<RankGroup.Harvest> take() {
        return Optional.ofNullable(HARVEST.getAndSet(null));
    }
}
