package org.verifycycle.stats;

import org.verifycycle.result.Samples;

import java.util.Arrays;

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
        final var group = new Quantiles(doubles(samples.groupNanos()));
        final double median = group.at(0.5);
        if (median <= 0) {
            throw new IllegalArgumentException("the median group time of round " + round + " is " + median + " ns, not a positive time");
        }
        return new RoundSummary(round, median, Quantiles.median(doubles(samples.skewNanos())), samples.cycles(), group.beyondOuterFences());
    }

    static double[] doubles(final long[] values) {
        return Arrays.stream(values).asDoubleStream().toArray();
    }
}
