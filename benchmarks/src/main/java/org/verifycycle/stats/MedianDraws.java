package org.verifycycle.stats;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Draws of where the median of an entry's round medians might lie, for whoever works on with it: the middle 95 % of many draws is
 * the interval that {@link MedianInterval} gives, up to the draws' own noise.
 *
 * <p>Up to five rounds they are of the t distribution behind that interval, exp(mean + t x standard error) of the logs. From six on
 * they are of the order statistics' confidence distribution: the median lies between the k-th and the (k+1)-th of n sorted rounds
 * with probability binomial(n, k) / 2^n; within a gap a draw is uniform, beyond the outermost it is that one.
 */
public final class MedianDraws {
    private final Measured measured;
    private final Random random;

    /** @param seed of these draws; different ones for entries whose draws are to be independent */
    public MedianDraws(final Measured measured, final long seed) {
        this.measured = measured;
        this.random = new Random(seed);
    }

    /** So many nanoseconds per cycle; all the estimate, where so few rounds give no interval. */
    public double[] take(final int count) {
        final var medians = measured.medians();
        Arrays.sort(medians);
        if (medians.length < MedianInterval.LEAST_ROUNDS) {
            return DoubleStream.generate(() -> measured.estimate().medianNanos()).limit(count).toArray();
        }
        if (MedianInterval.coverage(medians.length, 1) < Analysis.LEVEL) {
            final var logs = StudentT.of(DoubleStream.of(medians).map(Math::log).toArray());
            return DoubleStream.generate(() -> Math.exp(logs.mean() + student(medians.length - 1) * logs.standardError())).limit(count).toArray();
        }
        return DoubleStream.generate(() -> between(medians)).limit(count).toArray();
    }

    /** Student's t: a normal over the root of a mean of squared normals. */
    private double student(final int freedom) {
        double squares = 0;
        for (int i = 0; i < freedom; i++) {
            final var normal = random.nextGaussian();
            squares += normal * normal;
        }
        return random.nextGaussian() / Math.sqrt(squares / freedom);
    }

    private double between(final double[] sorted) {
        int below = 0;
        for (int i = 0; i < sorted.length; i++) {
            below += random.nextBoolean() ? 1 : 0;
        }
        final var low = sorted[Math.max(0, below - 1)];
        final var high = sorted[Math.min(sorted.length - 1, below)];
        return low + random.nextDouble() * (high - low);
    }
}
