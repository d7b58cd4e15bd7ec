package org.verifycycle.stats;

import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/** The logarithm of the ratio of two entries' times, with its uncertainty. */
final class LogRatio {
    private LogRatio() { }

    /**
     * Paired by round where both have at least three rounds in common: the t of log(a / b) of each such round. A round runs all its
     * configurations one after the other, so what slows the machine for a while slows both and drops out. Otherwise Welch's t of
     * the logs. Empty if either has fewer than three rounds.
     *
     * @param sameRun whether equal round numbers mean the same round; never across runs
     */
    static Optional<StudentT> of(final Measured a, final Measured b, final boolean sameRun) {
        final double[] paired = sameRun ? pairedLogs(a, b) : new double[0];
        if (paired.length >= MedianInterval.LEAST_ROUNDS) {
            return Optional.of(StudentT.of(paired));
        }
        if (a.rounds().size() < MedianInterval.LEAST_ROUNDS || b.rounds().size() < MedianInterval.LEAST_ROUNDS) {
            return Optional.empty();
        }
        return Optional.of(StudentT.welch(logs(a.medians()), logs(b.medians())));
    }

    private static double[] pairedLogs(final Measured a, final Measured b) {
        final var ofB = new TreeMap<Integer, Double>();
        b.rounds().forEach(r -> ofB.put(r.round(), r.medianNanos()));
        return a.rounds().stream().filter(r -> ofB.containsKey(r.round()))
                .mapToDouble(r -> Math.log(r.medianNanos() / ofB.get(r.round()))).toArray();
    }

    private static double[] logs(final double[] values) {
        return DoubleStream.of(values).map(Math::log).toArray();
    }
}
