package org.verifycycle.stats;

import org.verifycycle.result.Entry;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The A/A difference of a group: how far apart two measurements of the same thing came out in this run.
 *
 * <p>It is max(r, 1/r) - 1 for the ratio r of the two estimates, and not the outer end of the interval of r. Noise from round to
 * round is in every comparison's own interval already; the floor is for what those intervals can't see, differences between
 * entries that last over all rounds (position in memory, order, a setting that leaked). With the outer end, five noisy rounds
 * would count their noise twice: with 3 % of heavy-tailed noise it would leave a real difference of 15 % undecided in more than half
 * of runs, the ratio does in one of seven (NoiseFloorTest). The price: a small floor may be luck
 * and is no proof of a quiet machine.
 */
final class NoiseFloor {
    private NoiseFloor() { }

    /** Of a group's entries with times: the largest over its copies of the baseline; empty without baseline or copy. */
    static OptionalDouble of(final List<Measured> group) {
        final var baseline = Analysis.first(group, Entry.Purpose.BASELINE);
        if (baseline.isEmpty()) {
            return OptionalDouble.empty();
        }
        return group.stream().filter(m -> m.entry().purpose() == Entry.Purpose.BASELINE_COPY)
                .mapToDouble(copy -> copy.estimate().medianNanos() / baseline.get().estimate().medianNanos())
                .map(r -> Math.max(r, 1 / r) - 1).max();
    }
}
