package org.verifycycle.stats;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.verifycycle.result.Interval;

/**
 * A mean with its standard error and degrees of freedom, and what Student's t says of it (Student, Biometrika 6(1), 1908).
 *
 * <p>All uses are of natural logarithms of times: differences of logs are ratios, and times of processes are closer to lognormal
 * than to normal.
 *
 * @param standardError of the mean; 0 where all values are equal
 * @param freedom       degrees of freedom; not whole in Welch's case
 */
record StudentT(double mean, double standardError, double freedom) {
    /** Of one sample of n >= 2: mean, s / sqrt(n), n - 1. */
    static StudentT of(final double[] values) {
        if (values.length < 2) {
            throw new IllegalArgumentException("a standard error needs at least two values, there are " + values.length);
        }
        return new StudentT(StatUtils.mean(values), Math.sqrt(StatUtils.variance(values) / values.length), values.length - 1);
    }

    /**
     * Of mean(a) - mean(b), independent samples with unequal variances: u = s_a^2 / n_a, v = s_b^2 / n_b, standard error
     * sqrt(u + v), degrees of freedom (u + v)^2 / (u^2 / (n_a - 1) + v^2 / (n_b - 1)) (Welch, Biometrika 34, 1947).
     */
    static StudentT welch(final double[] a, final double[] b) {
        final StudentT ta = of(a);
        final StudentT tb = of(b);
        final double u = ta.standardError * ta.standardError;
        final double v = tb.standardError * tb.standardError;
        final double freedom = u + v == 0 ? a.length + b.length - 2 : (u + v) * (u + v) / (u * u / ta.freedom + v * v / tb.freedom);
        return new StudentT(ta.mean - tb.mean, Math.sqrt(u + v), freedom);
    }

    /** Two-sided: mean -+ t(1 - (1 - level) / 2) x standard error. */
    Interval interval(final double level) {
        final double reach = standardError * new TDistribution(null, freedom).inverseCumulativeProbability((1 + level) / 2);
        return new Interval(mean - reach, mean + reach);
    }

    /** Two-sided p value of "the mean is 0". */
    double pValue() {
        if (standardError == 0) {
            return mean == 0 ? 1 : 0;
        }
        return Math.min(1, 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(mean) / standardError));
    }
}
