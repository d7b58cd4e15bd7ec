package org.verifycycle.stats;

import org.verifycycle.result.Interval;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A collective's time over the baseline's: below 1 is faster.
 *
 * @param ratio        of the estimates
 * @param interval     of the ratio and holding it, at Holm's level for the group's candidates; absent if a side has fewer than three rounds
 * @param pHolm        Holm-corrected p value of "ratio is 1"
 * @param mannWhitneyP of the round medians, uncorrected: a check beside the interval, not the verdict's ground
 * @param margin       faster or slower only outside 1 / (1 + margin) to 1 + margin: the practical margin, or the noise floor where that is
 *                     larger. "Same" only within {@link Margin#PRACTICAL}, however large this is
 */
public record Comparison(String entryId, String baselineId, double ratio, Optional<Interval> interval, OptionalDouble pHolm,
                         OptionalDouble mannWhitneyP, double margin, Verdict verdict) {
    /** How many times faster than the baseline. */
    public double speedup() {
        return 1 / ratio;
    }
}
