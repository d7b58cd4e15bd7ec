package org.verifycycle.stats;

import org.apache.commons.math3.random.RandomGenerator;
import org.verifycycle.result.Interval;

import java.util.Arrays;

/** Ways to put a 95 % interval on the median over rounds; all but the first were rejected by {@link CoverageTable}. */
enum IntervalMethod {
    CHOSEN {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            return MedianInterval.of(medians(rounds), LEVEL).orElseThrow();
        }
    },
    /** Efron's percentile bootstrap of the median of round medians, the rounds resampled. */
    PERCENTILE_BOOTSTRAP {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            final double[] medians = medians(rounds);
            final double[] replicates = new double[REPLICATES];
            Arrays.setAll(replicates, i -> median(resample(medians, random)));
            return middle(replicates);
        }
    },
    /** Rounds resampled, then cycles within each; median of medians (Davison and Hinkley 1997, 3.8). */
    HIERARCHICAL_BOOTSTRAP {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            final double[] replicates = new double[REPLICATES / 5];
            for (int i = 0; i < replicates.length; i++) {
                final double[] medians = new double[rounds.length];
                Arrays.setAll(medians, r -> median(resample(rounds[random.nextInt(rounds.length)], random)));
                replicates[i] = median(medians);
            }
            return middle(replicates);
        }
    },
    /** Student's t on the logs of the round medians. */
    T_ON_LOGS {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            return MedianInterval.studentOfLogs(medians(rounds), LEVEL);
        }
    },
    /** Bootstrap-t of the mean log (Efron and Tibshirani 1993, 12.5); replicates without spread are drawn again. */
    STUDENTISED_BOOTSTRAP {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            final double[] logs = logs(medians(rounds));
            final StudentT sample = StudentT.of(logs);
            final double[] t = new double[REPLICATES];
            for (int i = 0; i < t.length; i++) {
                StudentT replicate;
                do {
                    replicate = StudentT.of(resample(logs, random));
                } while (replicate.standardError() < 1e-12);
                t[i] = (replicate.mean() - sample.mean()) / replicate.standardError();
            }
            final Interval middle = middle(t);
            return new Interval(Math.exp(sample.mean() - middle.high() * sample.standardError()),
                    Math.exp(sample.mean() - middle.low() * sample.standardError()));
        }
    },
    /** The narrowest symmetric pair of order statistics with at least 95 %, the whole range where none has. */
    ORDER_STATISTICS {
        @Override
        Interval of(final double[][] rounds, final RandomGenerator random) {
            final double[] sorted = medians(rounds);
            Arrays.sort(sorted);
            int depth = 1;
            while (MedianInterval.coverage(sorted.length, depth + 1) >= LEVEL) {
                depth++;
            }
            return new Interval(sorted[depth - 1], sorted[sorted.length - depth]);
        }
    };

    private static final double LEVEL = 0.95;
    private static final int REPLICATES = 500;

    abstract Interval of(double[][] rounds, RandomGenerator random);

    static double[] medians(final double[][] rounds) {
        return Arrays.stream(rounds).mapToDouble(IntervalMethod::median).toArray();
    }

    private static double[] logs(final double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }

    private static double[] resample(final double[] values, final RandomGenerator random) {
        final double[] drawn = new double[values.length];
        Arrays.setAll(drawn, i -> values[random.nextInt(values.length)]);
        return drawn;
    }

    /** As {@link Quantiles#median}, faster. */
    private static double median(final double[] values) {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static Interval middle(final double[] replicates) {
        final var quantiles = new Quantiles(replicates);
        return new Interval(quantiles.at((1 - LEVEL) / 2), quantiles.at((1 + LEVEL) / 2));
    }
}
