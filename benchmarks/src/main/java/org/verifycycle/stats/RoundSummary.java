package org.verifycycle.stats;

import org.verifycycle.result.Samples;

/**
 * One round of one entry in a few numbers.
 *
 * @param round           its number in the run
 * @param medianNanos     median group time
 * @param skewMedianNanos median skew
 * @param cycles          recorded
 * @param outliers        group times beyond Tukey's outer fences of this round; they are in the median all the same
 */
public record RoundSummary(int round, double medianNanos, double skewMedianNanos, int cycles, long outliers) {
    /** @throws IllegalArgumentException if there are no samples, or their median is not a positive time */
    public static RoundSummary of(final int round, final Samples samples) {
        final var group = Quantiles.of(samples.groupNanos());
        final double median = group.at(0.5);
        if (median <= 0) {
            throw new IllegalArgumentException("the median group time of round " + round + " is " + median + " ns, not a positive time");
        }
        return new RoundSummary(round, median, Quantiles.of(samples.skewNanos()).at(0.5), samples.cycles(), group.beyondOuterFences());
    }
}
