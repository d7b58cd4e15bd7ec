package org.verifycycle.stats;

import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Samples;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * An entry with times: what comparisons are made of.
 *
 * @param rounds at least one, those with times, in the order of the run
 */
public record Measured(Entry entry, List<RoundSummary> rounds, Estimate estimate) {
    public Measured {
        rounds = List.copyOf(rounds);
    }

    /**
     * Reads an entry's samples, round by round. Rounds that failed are left out; an entry that was wrong in any round has no time,
     * nor has one without a single recorded cycle.
     *
     * @throws IllegalArgumentException naming entry and round, if its samples are not times
     */
    public static Optional<Measured> of(final Entry entry, final Function<RoundResult, Samples> samples) {
        if (entry.wrong()) {
            return Optional.empty();
        }
        final var rounds = new ArrayList<RoundSummary>();
        final var cycles = DoubleStream.builder();
        for (final var round : entry.measured()) {
            final var read = samples.apply(round);
            if (read.cycles() == 0) {
                continue;
            }
            try {
                rounds.add(RoundSummary.of(round.round(), read));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("entry " + entry.id() + " (" + entry.configuration() + "): " + e.getMessage(), e);
            }
            for (final long nanos : read.groupNanos()) {
                cycles.add(nanos);
            }
        }
        return rounds.isEmpty() ? Optional.empty() : Optional.of(new Measured(entry, rounds, estimate(rounds, cycles.build().toArray())));
    }

    /** Median over rounds of the per-round median, its interval, and percentiles of all cycles together. */
    private static Estimate estimate(final List<RoundSummary> rounds, final double[] cycles) {
        final double[] medians = rounds.stream().mapToDouble(RoundSummary::medianNanos).toArray();
        final double[] skews = rounds.stream().mapToDouble(RoundSummary::skewMedianNanos).toArray();
        final var all = new Quantiles(cycles);
        return new Estimate(Quantiles.median(medians), MedianInterval.of(medians, Analysis.LEVEL), all.at(0.5), all.at(0.95), all.at(0.99), all.at(1),
                Quantiles.median(skews), rounds.size(), cycles.length, rounds.stream().mapToLong(RoundSummary::outliers).sum());
    }

    /** This entry with its estimate in it. */
    public Entry estimated() {
        return entry.with(Optional.of(estimate));
    }

    double[] medians() {
        return rounds.stream().mapToDouble(RoundSummary::medianNanos).toArray();
    }
}
