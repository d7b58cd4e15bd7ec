package org.verifycycle.chart;

import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All charts of a run, the most telling first. */
public final class RunCharts {
    private RunCharts() { }

    /**
     * Charts of every group at the workload's size that has a time, and one over the sizes of each world.
     *
     * @param samples reads the samples of a round whose status is OK
     */
    public static List<Drawing> of(final RunView view, final Function<RoundResult, Samples> samples) {
        final var styles = new SeriesStyles(view.run());
        final var groups = view.atWorkload().stream().filter(g -> !view.drawn(g).isEmpty()).toList();
        final var drawings = new ArrayList<Drawing>();
        groups.forEach(g -> drawings.add(CycleCostChart.of(view, styles, g)));
        groups.forEach(g -> SpeedupChart.of(view, styles, g).ifPresent(drawings::add));
        for (final List<RunAnalysis.Group> sweep : view.bySweep()) {
            SizeChart.of(view, styles, sweep).ifPresent(drawings::add);
        }
        view.bySkew().stream().filter(view::atWorkload).forEach(set -> SkewChart.of(view, styles, set).ifPresent(drawings::add));
        for (final var group : groups) {
            DistributionChart.of(view, styles, group, samples).ifPresent(drawings::add);
        }
        view.run().fabric().flatMap(f -> LinkChart.of(f, view.machine())).ifPresent(drawings::add);
        return drawings;
    }
}
