package org.verifycycle.bench;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.verifycycle.stats.Quantiles;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Gives JMH the group time and skew of a cycle as secondary results, in microseconds. Averages over iterations of an
 * iteration's percentile (a mean of medians, a mean of 99th percentiles): right for a look, not for a claim, which
 * {@code report} makes from the raw samples.
 */
public final class GroupTimeProfiler implements InternalProfiler {
    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public String getDescription() {
        return "Group time, skew and device time of a verify cycle over all ranks";
    }

    @Override
    public void beforeIteration(final BenchmarkParams benchmark, final IterationParams iteration) {
        // The state starts recording by itself.
    }

    @Override
    public Collection<? extends Result> afterIteration(final BenchmarkParams benchmark, final IterationParams iteration, final IterationResult result) {
        return LastIteration.take().filter(h -> h.groupNanos().length > 0).map(h -> {
            final var group = Quantiles.of(h.groupNanos());
            return Stream.concat(Stream.of(micros("group.p50", group.at(0.5)), micros("group.p99", group.at(0.99)),
                            micros("skew.p50", Quantiles.of(h.skewNanos()).at(0.5)), new ScalarResult("unrecorded", h.unrecorded(), "cycles", AggregationPolicy.SUM)),
                    h.deviceNanos().stream().map(d -> micros("device.p50", Quantiles.of(d).at(0.5)))).toList();
        }).orElse(List.of());
    }

    private static ScalarResult micros(final String name, final double nanos) {
        return new ScalarResult(name, nanos / NANOS_PER_MICRO, "us/op", AggregationPolicy.AVG);
    }
}
