package org.verifycycle.stats;

import org.verifycycle.result.Interval;

import java.util.Arrays;
import java.util.Optional;

/** Interval of the median over rounds; the round is the unit, cycles within it are not independent. */
final class MedianInterval {
    private MedianInterval() { }

    /** Of round medians, all positive; empty with fewer than two. */
    static Optional<Interval> of(final double[] medians, final double level) {
        if (medians.length < 2) {
            return Optional.empty();
        }
        final Interval logs = StudentT.of(Arrays.stream(medians).map(Math::log).toArray()).interval(level);
        return Optional.of(new Interval(Math.exp(logs.low()), Math.exp(logs.high())));
    }
}
