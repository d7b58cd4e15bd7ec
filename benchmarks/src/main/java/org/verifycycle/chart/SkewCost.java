package org.verifycycle.chart;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Skew;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.Interval;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cycle costs the group with a late rank: transfer, the group time, which begins when the last rank has come, and waiting,
 * the measured skew before it. Medians each, so their sum is near the median of the sum and no more.
 *
 * @param skewNanos injected
 */
public record SkewCost(Entry entry, int skewNanos, double transferNanos, Optional<Interval> transferInterval, double waitingNanos) {
    private static SkewCost of(final Entry entry, final Estimate time) {
        return new SkewCost(entry, entry.configuration().skewNanos(), time.medianNanos(), time.interval(), time.skewMedianNanos());
    }

    public double totalNanos() {
        return transferNanos + waitingNanos;
    }

    /** {@code no late rank}, {@code 20 us late}. */
    public static String label(final int skewNanos) {
        return skewNanos == Skew.NONE ? "none late" : Axis.plain(Units.Time.US.of(skewNanos)) + " us late";
    }

    /** Of each collective with a time, least skew first; the collective that costs least at the largest skew it has first. */
    public static List<List<SkewCost>> of(final RunView view, final List<RunAnalysis.Group> set) {
        final Map<CollectiveSpec, List<SkewCost>> costs = new LinkedHashMap<>();
        set.forEach(group -> view.drawn(group).stream().filter(e -> e.purpose() != Entry.Purpose.BASELINE_COPY)
                .forEach(e -> costs.computeIfAbsent(e.configuration().collective(), s -> new ArrayList<>()).add(of(e, view.time(e).orElseThrow()))));
        return costs.values().stream().sorted(Comparator.comparingDouble(c -> c.get(c.size() - 1).totalNanos())).map(List::copyOf).toList();
    }
}
