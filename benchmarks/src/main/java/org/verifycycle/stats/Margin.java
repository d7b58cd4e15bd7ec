package org.verifycycle.stats;

import org.verifycycle.result.Interval;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The band of ratios that count as "same": from 1 / (1 + halfWidth) to 1 + halfWidth, symmetric on the logarithmic scale, so that
 * exchanging the two sides of a comparison exchanges faster and slower and changes nothing else.
 *
 * @param halfWidth as a fraction, not negative
 */
record Margin(double halfWidth) {
    /** Differences below 2 % are of no use to anyone who chooses a collective. */
    static final double PRACTICAL = 0.02;

    /** The practical margin, or the A/A noise floor where that is larger: no claim below either. */
    static Margin of(final OptionalDouble noiseFloor) {
        return new Margin(Math.max(PRACTICAL, noiseFloor.orElse(0)));
    }

    /** What the interval of a ratio says: without one, nothing. */
    Verdict verdict(final Optional<Interval> ratio) {
        if (ratio.isEmpty()) {
            return Verdict.UNDECIDED;
        }
        final double low = 1 / (1 + halfWidth);
        final double high = 1 + halfWidth;
        if (ratio.get().high() < low) {
            return Verdict.FASTER;
        }
        if (ratio.get().low() > high) {
            return Verdict.SLOWER;
        }
        return ratio.get().low() >= low && ratio.get().high() <= high ? Verdict.SAME : Verdict.UNDECIDED;
    }
}
