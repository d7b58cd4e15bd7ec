package org.verifycycle.bench;

import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Gives JMH the group time and skew of a cycle as secondary results, in microseconds. Averages over iterations of an
 * iteration's percentile: right for a look, not for a claim, which {@code report} makes from the raw samples.
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
        return LastIteration.take().filter(h -> h.groupNanos().length > 0).map(h -> Stream.concat(Stream.of(
                        percentile("group.p50", h.groupNanos(), 50),
                        percentile("group.p99", h.groupNanos(), 99),
                        percentile("skew.p50", h.skewNanos(), 50)),
                h.deviceNanos().stream().map(d -> percentile("device.p50", d, 50))).toList()).orElse(List.of());
    }

    private static ScalarResult percentile(final String name, final long[] nanos, final double percent) {
        final var value = new Percentile(percent).evaluate(Arrays.stream(nanos).asDoubleStream().toArray());
        return new ScalarResult(name, value / NANOS_PER_MICRO, "us/op", AggregationPolicy.AVG);
    }
}
