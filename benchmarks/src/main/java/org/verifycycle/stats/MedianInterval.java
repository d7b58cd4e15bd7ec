package org.verifycycle.stats;

import org.apache.commons.math3.distribution.BinomialDistribution;
import org.verifycycle.result.Interval;

import java.util.Arrays;
import java.util.Optional;

/**
 * Interval of the median over rounds. The round is the unit: cycles within it are not independent.
 *
 * <p>What it covers is the median of the round medians that ever more rounds, on this machine in this state, would give. From six
 * rounds it stands on order statistics and assumes nothing but independent rounds: the pair x(d), x(n - d + 1) holds the median
 * with probability 1 - 2 P(Binomial(n, 1/2) <= d - 1), and Hettmansperger and Sheather (Statistics and Probability Letters 4,
 * 1986) interpolate between the pairs just above and just below the level. Fewer rounds have no such pair (at five the whole
 * range has 93.75 %): there it is Student's t on the logs of the round medians. That one covers their geometric mean, which
 * is the median only if their distribution is symmetric on the log scale; with so few rounds the difference is small beside the
 * interval's width. Either way the interval holds the sample's median.
 *
 * <p>The choice was made by simulated coverage (CoverageTest has the table): t loses its level with more rounds when some are
 * slow (75 % at 20 rounds), bootstraps of the median stay below theirs, and the studentised bootstrap is wider and loses it too.
 */
final class MedianInterval {
    /** With two rounds t has one degree of freedom: an interval of 95 % is then 12.7 standard errors each way, of logs, and says nothing. */
    static final int LEAST_ROUNDS = 3;

    private MedianInterval() { }

    /**
     * Of round medians, all positive, in any order; empty with fewer than {@link #LEAST_ROUNDS}.
     *
     * @param level e.g. 0.95
     */
    static Optional<Interval> of(final double[] medians, final double level) {
        if (medians.length < LEAST_ROUNDS) {
            return Optional.empty();
        }
        return Optional.of(coverage(medians.length, 1) < level ? studentOfLogs(medians, level) : orderStatistics(medians, level));
    }

    /** Exact coverage of the median by the values {@code depth} from either end of n sorted ones; 0 where these have crossed. */
    static double coverage(final int n, final int depth) {
        return 2 * depth > n ? 0 : 1 - 2 * new BinomialDistribution(null, n, 0.5).cumulativeProbability(depth - 1);
    }

    static Interval studentOfLogs(final double[] values, final double level) {
        final Interval logs = StudentT.of(Arrays.stream(values).map(Math::log).toArray()).interval(level);
        return new Interval(Math.exp(logs.low()), Math.exp(logs.high()));
    }

    /**
     * With d the deepest pair of coverage g(d) >= level and I = (g(d) - level) / (g(d) - g(d + 1)), the ends lie the part
     * (n - d) I / (d + (n - 2 d) I) of the way from pair d to pair d + 1.
     */
    private static Interval orderStatistics(final double[] values, final double level) {
        final double[] x = values.clone();
        Arrays.sort(x);
        final int n = x.length;
        int d = 1;
        while (coverage(n, d + 1) >= level) {
            d++;
        }
        final double outer = coverage(n, d);
        final double share = (outer - level) / (outer - coverage(n, d + 1));
        final double inward = (n - d) * share / (d + (n - 2 * d) * share);
        return new Interval(x[d - 1] + inward * (x[d] - x[d - 1]), x[n - d] - inward * (x[n - d] - x[n - d - 1]));
    }
}
