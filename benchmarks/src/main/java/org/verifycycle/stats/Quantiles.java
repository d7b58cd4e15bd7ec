package org.verifycycle.stats;

import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

import java.util.Arrays;

/**
 * Quantiles of one sample, all of type 7 in Hyndman and Fan (The American Statistician 50(4), 1996), the default of R and NumPy:
 * with x sorted and h = (n - 1) p, the quantile is x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]), indices from 0.
 */
public final class Quantiles {
    /** Tukey's outer fences stand this many interquartile ranges outside the quartiles (Exploratory Data Analysis, 1977, 2D). */
    private static final double OUTER_FENCE = 3;

    private final double[] sorted;
    private final Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);

    /** @param values at least one, in any order; copied */
    public Quantiles(final double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values to take quantiles of");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
        percentile.setData(sorted);
    }

    /** @param values at least one, in any order; times and counts below 2^53 stay exact */
    public static Quantiles of(final long[] values) {
        return new Quantiles(Arrays.stream(values).asDoubleStream().toArray());
    }

    static double median(final double[] values) {
        return new Quantiles(values).at(0.5);
    }

    /** @param p from 0 (the smallest value) to 1 (the largest) */
    public double at(final double p) {
        // Commons Math refuses 0 %.
        return p == 0 ? sorted[0] : percentile.evaluate(100 * p);
    }

    /** How many values lie beyond Q1 - 3 IQR or Q3 + 3 IQR. */
    long beyondOuterFences() {
        final double q1 = at(0.25);
        final double q3 = at(0.75);
        final double reach = OUTER_FENCE * (q3 - q1);
        return Arrays.stream(sorted).filter(v -> v < q1 - reach || v > q3 + reach).count();
    }
}
