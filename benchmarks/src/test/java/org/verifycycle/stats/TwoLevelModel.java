package org.verifycycle.stats;

import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Simulated group times: log t = log(1 ms) + round effect + cycle effect. Cycles of a round are a first-order autoregressive
 * series (correlation 0.7, standard deviation 3 %) with a 50 % spike in every fiftieth, so they are neither independent nor
 * symmetric.
 */
enum TwoLevelModel {
    /** Normal effects of 3 % on the log scale. */
    LOGNORMAL {
        @Override
        double roundEffect(final RandomGenerator random) {
            return ROUND_SD * random.nextGaussian();
        }
    },
    /** Student's t with 3 degrees of freedom, times 3 %. */
    HEAVY_TAILED {
        @Override
        double roundEffect(final RandomGenerator random) {
            final double chiSquare = square(random.nextGaussian()) + square(random.nextGaussian()) + square(random.nextGaussian());
            return ROUND_SD * random.nextGaussian() / Math.sqrt(chiSquare / 3);
        }
    },
    /** One round in ten is 30 % slower: another process was busy. */
    SLOW_ROUNDS {
        @Override
        double roundEffect(final RandomGenerator random) {
            return ROUND_SD * random.nextGaussian() + (random.nextDouble() < 0.1 ? Math.log(1.3) : 0);
        }
    },
    /** Three processes in ten land in a mode that is 15 % slower: placement in memory or on cores. */
    TWO_MODES {
        @Override
        double roundEffect(final RandomGenerator random) {
            return ROUND_SD * random.nextGaussian() + (random.nextDouble() < 0.3 ? Math.log(1.15) : 0);
        }
    };

    static final double ROUND_SD = 0.03;
    private static final double SCALE_NANOS = 1e6;
    private static final double CYCLE_SD = 0.03;
    private static final double CORRELATION = 0.7;

    abstract double roundEffect(RandomGenerator random);

    /** Times in nanoseconds, one row per round. */
    double[][] rounds(final int rounds, final int cycles, final RandomGenerator random) {
        final double[][] times = new double[rounds][cycles];
        for (final double[] round : times) {
            final double effect = roundEffect(random);
            double drift = random.nextGaussian();
            for (int i = 0; i < cycles; i++) {
                drift = CORRELATION * drift + Math.sqrt(1 - CORRELATION * CORRELATION) * random.nextGaussian();
                round[i] = SCALE_NANOS * Math.exp(effect + CYCLE_SD * drift) * (random.nextInt(50) == 0 ? 1.5 : 1);
            }
        }
        return times;
    }

    /** What intervals should cover: the median of the distribution of round medians, from 20,001 rounds. */
    double trueMedian(final int cycles) {
        return Quantiles.median(IntervalMethod.medians(rounds(20_001, cycles, new Well19937c(20260101L + ordinal()))));
    }

    private static double square(final double x) {
        return x * x;
    }
}
