package org.verifycycle.chart;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.stats.RunAnalysis;

import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** Time per call over size, one line per collective, the floor below them, a rule at the workload's size. */
final class SizeChart {
    private static final int HEAD = 44;
    private static final int LEAST_HEIGHT = 380;
    /** Curves stand at most so far beside their size, and so far from each other, in pixels. */
    private static final int DODGE = 8;
    private static final int STEP = 4;
    /** Ends of an interval this far apart make a whisker that can hide another. */
    private static final double LONG = 1.3;
    private static final int LEFT = Page.MARGIN + 52;

    private final RunView view;
    private final SeriesStyles styles;
    private final List<RunAnalysis.Group> groups;
    private final List<Curve> curves;
    private final EndLabels labels;
    private final Page page;

    /** One line: places in microseconds per call, smallest size first. */
    private record Curve(String name, SeriesStyle style, List<Place> places) { }

    private record Place(int bytes, double micros, Optional<double[]> interval) { }

    private SizeChart(final RunView view, final SeriesStyles styles, final List<RunAnalysis.Group> groups) {
        this.view = view;
        this.styles = styles;
        this.groups = groups;
        this.curves = curves();
        this.labels = new EndLabels(curves.stream().map(Curve::name).toList());
        final var captions = new Captions(view);
        this.page = new Page(title(), captions.subtitle(groups.get(0), RunView.calls(groups.get(0)) + " in a cycle"),
                captions.below(groups, "Points: cycle time / calls, median over rounds of the group time.",
                        "Whiskers: its 95 % interval, rounds as the unit." + (longWhiskers() ? " Collectives stand a little beside their size, so that all show." : "")));
    }

    /** Absent with fewer than two sizes. */
    static Optional<Drawing> of(final RunView view, final SeriesStyles styles, final List<RunAnalysis.Group> sweep) {
        final var groups = sweep.stream().filter(g -> !view.drawn(g).isEmpty()).toList();
        if (groups.size() < 2) {
            return Optional.empty();
        }
        final var chart = new SizeChart(view, styles, groups);
        return Optional.of(new Drawing("time-by-size-" + view.slug(groups.get(0)), chart.title(), chart.alt(),
                chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint));
    }

    private String title() {
        return "Time per all-reduce call over its size with " + groups.get(0).world() + " ranks";
    }

    private int plotHeight() {
        return (int) Math.max(LEAST_HEIGHT, labels.height() + 10);
    }

    private int bodyHeight() {
        return HEAD + plotHeight() + 42;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var width = Page.WIDTH - Page.MARGIN - LEFT - labels.width();
        final var area = new Rectangle(LEFT, page.top() + HEAD, (int) width, plotHeight());
        final var plot = new Plot(area, Axis.bytes(groups.stream().map(RunAnalysis.Group::bytes).toList()), yAxis());
        final var rule = Axis.log2(view.run().workload().bytes());
        final var inside = plot.px(rule) >= area.x && plot.px(rule) <= area.getMaxX();
        plot.drawYAxis(pen, "us per call, log scale");
        plot.drawXAxis(pen, "bytes per call, log scale", t -> Math.abs(t.at() - rule) < 1e-9);
        if (inside) {
            pen.line(plot.px(rule), area.y - 6, plot.px(rule), area.getMaxY(), Pen.SOFT, Pen.RULE);
            final var text = "verify cycle: " + Units.plainBytes(view.run().workload().bytes());
            final var half = Pen.width(text, Pen.SMALL) / 2;
            final var least = Page.MARGIN + Pen.width("us per call, log scale", Pen.TEXT) + 14 + half;
            pen.text(text, Pen.SMALL, Pen.INK, Math.min(Math.max(plot.px(rule), least), Page.WIDTH - Page.MARGIN - half), area.y - 18, Pen.Anchor.CENTRE);
        }
        final var endX = new ArrayList<Double>();
        final var endY = new ArrayList<Double>();
        for (final var curve : curves) {
            final var aside = plot.across(aside(curve));
            curve.places().forEach(p -> p.interval().ifPresent(i ->
                    plot.whiskerAlongY(Axis.log2(p.bytes()) + aside, Math.log10(i[0]), Math.log10(i[1]), curve.style().color())));
            final var xs = shown(curve).stream().mapToDouble(p -> Axis.log2(p.bytes()) + aside).toArray();
            final var ys = shown(curve).stream().mapToDouble(p -> Math.log10(p.micros())).toArray();
            plot.line(xs, ys, curve.style());
            endX.add(plot.px(xs[xs.length - 1]));
            endY.add(plot.py(ys[ys.length - 1]));
        }
        plot.drawData(pen);
        final var last = plot.px(Axis.log2(groups.get(groups.size() - 1).bytes())) - DODGE;
        labels.draw(pen, area, curves.stream().map(Curve::style).toList(), endX, endY, last);
    }

    /** A floor measured at one size is a line all the same: a flag exchange carries no bytes. */
    private List<Place> shown(final Curve curve) {
        return curve.style() == SeriesStyles.FLOOR && curve.places().size() == 1
                ? groups.stream().map(g -> new Place(g.bytes(), curve.places().get(0).micros(), Optional.empty())).toList() : curve.places();
    }

    /** Pixels by which a curve stands beside its size, so that no whisker hides another. */
    private double aside(final Curve curve) {
        final var beside = curves.stream().filter(c -> c.style() != SeriesStyles.FLOOR).toList();
        return !longWhiskers() || curve.style() == SeriesStyles.FLOOR || beside.size() < 2 ? 0
                : (beside.indexOf(curve) / (beside.size() - 1.0) - 0.5) * Math.min(2 * DODGE, STEP * (beside.size() - 1));
    }

    private boolean longWhiskers() {
        return curves.stream().flatMap(c -> c.places().stream()).flatMap(p -> p.interval().stream()).anyMatch(i -> i[1] / i[0] > LONG);
    }

    private Axis yAxis() {
        final var values = curves.stream().flatMap(c -> c.places().stream())
                .flatMapToDouble(p -> DoubleStream.concat(DoubleStream.of(p.micros()),
                        p.interval().stream().flatMapToDouble(Arrays::stream))).summaryStatistics();
        final var pad = Math.max(1.05, Math.pow(values.getMax() / values.getMin(), 0.05));
        return Axis.log(values.getMin() / pad, values.getMax() * pad, plotHeight() / 40, Axis::plain);
    }

    /** Collectives in the order of their first appearance, the floor last; the second copy of the baseline would only hide the first. */
    private List<Curve> curves() {
        final Map<CollectiveSpec, Curve> byName = new LinkedHashMap<>();
        for (final var group : groups) {
            for (final var entry : view.drawn(group)) {
                if (entry.purpose() != Entry.Purpose.BASELINE_COPY) {
                    final var name = RunView.name(entry) + (entry.purpose() == Entry.Purpose.BASELINE ? " (baseline)" : "");
                    byName.computeIfAbsent(entry.configuration().collective(), s -> new Curve(name, styles.of(entry), new ArrayList<>()))
                            .places().add(place(group, view.time(entry).orElseThrow()));
                }
            }
        }
        final var all = new ArrayList<>(byName.values());
        final var floor = new Curve("floor", SeriesStyles.FLOOR, new ArrayList<>());
        groups.stream().filter(g -> g.floorNanos().orElse(0) > 0)
                .forEach(g -> floor.places().add(new Place(g.bytes(), micros(g.floorNanos().getAsDouble(), g), Optional.empty())));
        if (floor.places().size() == 1) {
            all.add(new Curve("floor (at " + Units.bytes(floor.places().get(0).bytes()) + ")", floor.style(), floor.places()));
        } else if (!floor.places().isEmpty()) {
            all.add(floor);
        }
        return all;
    }

    private static Place place(final RunAnalysis.Group group, final Estimate time) {
        final var micros = micros(time.medianNanos(), group);
        return new Place(group.bytes(), micros, time.interval().filter(i -> i.low() > 0)
                .map(i -> new double[] {micros(i.low(), group), micros(i.high(), group)}));
    }

    private static double micros(final double cycleNanos, final RunAnalysis.Group group) {
        return Units.Time.US.of(cycleNanos) / group.calls();
    }

    private String alt() {
        final var last = groups.get(groups.size() - 1).bytes();
        return "Line chart: " + title() + ", from " + Units.bytes(groups.get(0).bytes()) + " to " + Units.bytes(last) + ". "
                + String.join("; ", curves.stream().map(c -> c.name() + " from " + Units.number(c.places().get(0).micros()) + " to "
                + Units.number(c.places().get(c.places().size() - 1).micros()) + " us per call").toList()) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "bytes", "us_per_call", "low_us", "high_us"));
        curves.forEach(c -> c.places().forEach(p -> lines.add(List.of(c.name(), Integer.toString(p.bytes()), Csv.number(p.micros()),
                Csv.number(p.interval().map(i -> i[0])), Csv.number(p.interval().map(i -> i[1]))))));
        return lines;
    }
}
