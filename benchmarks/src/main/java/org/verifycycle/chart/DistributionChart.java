package org.verifycycle.chart;

import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.RunAnalysis;

import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * How group times spread: the share of cycles that took at most so long, all rounds together.
 *
 * <p>The upward axis is -log10(1 - share): the slow tail, which a plain share would press into the top pixel, gets as much room as the
 * middle. The i-th of n times stands at (i - 0.5) / n (Hazen), so the slowest is on the page too.
 */
final class DistributionChart {
    private static final int HEIGHT = 400;
    private static final int HEAD = 34;
    private static final int LEFT = Page.MARGIN + 56;
    private static final int SAMPLE = 30;
    private static final int WIDEST = 250;
    /** Steps along the upward axis, and slowest cycles that are all kept. */
    private static final int STEPS = 240;
    private static final int TAIL = 12;
    /** More lines than this can't be followed. */
    private static final int MOST_CURVES = 10;
    private static final double[] SHARES = {0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999};

    private final RunView view;
    private final SeriesStyles styles;
    private final RunAnalysis.Group group;
    private final List<Curve> curves;
    private final List<Curve> drawn;
    private final Units.Time unit;
    private final Page page;

    /** Times in nanoseconds and their shares, both rising. */
    private record Curve(Entry entry, double[] nanos, double[] shares, int cycles) {
        double last() {
            return nanos[nanos.length - 1];
        }
    }

    private DistributionChart(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group, final List<Curve> curves) {
        this.view = view;
        this.styles = styles;
        this.group = group;
        this.curves = curves;
        this.drawn = drawn(curves);
        this.unit = Units.Time.forAll(drawn.stream().flatMap(c -> java.util.stream.Stream.of(c.nanos()[0], c.last())).toList());
        final var captions = new Captions(view);
        this.page = new Page(title(), captions.subtitle(group, "One cycle is " + RunView.calls(group) + " of " + Units.plainBytes(group.bytes())),
                captions.below(List.of(group), "All recorded cycles of all rounds; none dropped. Further left is faster, steeper is steadier."
                        + (drawn.size() < curves.size() ? " Drawn: each backend's fastest, the baseline and the next fastest, %d of %d; all are in the CSV file.".formatted(drawn.size(), curves.size()) : ""), ""));
    }

    /** Fastest first, as they came. */
    private static List<Curve> drawn(final List<Curve> curves) {
        final Set<Curve> chosen = new HashSet<>();
        curves.stream().collect(Collectors.toMap(c -> c.entry().configuration().collective().backend(), c -> c, (first, later) -> first)).values().forEach(chosen::add);
        curves.stream().filter(c -> c.entry().purpose() == Entry.Purpose.BASELINE).forEach(chosen::add);
        curves.stream().filter(c -> !chosen.contains(c)).limit(Math.max(0, MOST_CURVES - chosen.size())).toList().forEach(chosen::add);
        return curves.stream().filter(chosen::contains).toList();
    }

    static Optional<Drawing> of(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group, final Function<RoundResult, Samples> samples) {
        final var curves = new ArrayList<Curve>();
        for (final var entry : view.drawn(group)) {
            if (entry.purpose() != Entry.Purpose.BASELINE_COPY) {
                curve(view, entry, samples).ifPresent(curves::add);
            }
        }
        if (curves.isEmpty()) {
            return Optional.empty();
        }
        final var chart = new DistributionChart(view, styles, group, curves);
        return Optional.of(new Drawing("distribution-" + view.slug(group), chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()),
                chart.csv(), chart::paint));
    }

    private static Optional<Curve> curve(final RunView view, final Entry entry, final Function<RoundResult, Samples> samples) {
        var all = LongStream.empty();
        for (final var round : entry.measured()) {
            all = LongStream.concat(all, Arrays.stream(samples.apply(round).groupNanos()));
        }
        // A time of 0 has no place on a log axis, and no clock gives one.
        final var sorted = all.filter(n -> n > 0).sorted().toArray();
        if (sorted.length == 0) {
            return Optional.empty();
        }
        final var kept = kept(sorted.length);
        return Optional.of(new Curve(entry, kept.stream().mapToDouble(i -> sorted[i]).toArray(),
                kept.stream().mapToDouble(i -> (i + 0.5) / sorted.length).toArray(), sorted.length));
    }

    private String percentiles(final Entry entry) {
        final var time = view.time(entry).orElseThrow();
        return "p50 " + Units.number(unit.of(time.p50Nanos())) + ", p99 " + Units.number(unit.of(time.p99Nanos())) + ", max "
                + Units.number(unit.of(time.maxNanos())) + " " + unit.label();
    }

    /** Places in the sorted times: evenly along the upward axis, and every one of the slowest. */
    static TreeSet<Integer> kept(final int count) {
        final var kept = new TreeSet<Integer>();
        kept.add(0);
        final var top = up(1 - 0.5 / count);
        for (var step = 0; step <= STEPS; step++) {
            final var share = 1 - Math.pow(10, -top * step / STEPS);
            kept.add((int) Math.min(count - 1, Math.max(0, Math.round(share * count - 0.5))));
        }
        for (var i = Math.max(0, count - TAIL); i < count; i++) {
            kept.add(i);
        }
        return kept;
    }

    private static double up(final double share) {
        return -Math.log10(1 - share);
    }

    private String title() {
        return "How much verify cycles vary with " + group.world() + " ranks";
    }

    /** The name, on as many lines as it needs, and the percentiles below it. */
    private List<String> label(final Curve curve) {
        final var lines = new ArrayList<>(Pen.wrap(RunView.name(curve.entry()), Pen.TEXT, WIDEST));
        lines.add(percentiles(curve.entry()));
        return lines;
    }

    private double legendHeight() {
        return drawn.stream().mapToDouble(c -> label(c).size() * Pen.lineHeight(Pen.TEXT) + 8).sum();
    }

    private int plotHeight() {
        return (int) Math.max(HEIGHT, legendHeight());
    }

    private int bodyHeight() {
        return HEAD + plotHeight() + 42;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var legend = SAMPLE + 8 + drawn.stream().flatMap(c -> label(c).stream()).mapToDouble(t -> Pen.width(t, Pen.TEXT)).max().orElse(0);
        final var area = new Rectangle(LEFT, page.top() + HEAD, (int) (Page.WIDTH - Page.MARGIN - LEFT - legend - 18), plotHeight());
        final var plot = new Plot(area, xAxis(area.width), yAxis());
        plot.drawYAxis(pen, "% of cycles that took at most this long (upper tail stretched)");
        plot.drawXAxis(pen, unit.label() + " per verify cycle, log scale", t -> false);
        for (final var curve : drawn) {
            // From the ground up: the first step rises at the fastest time.
            final var xs = DoubleStream.concat(DoubleStream.of(curve.nanos()[0]), Arrays.stream(curve.nanos())).map(n -> Math.log10(unit.of(n))).toArray();
            final var ys = DoubleStream.concat(DoubleStream.of(0), Arrays.stream(curve.shares()).map(DistributionChart::up)).toArray();
            plot.steps(xs, ys, styles.of(curve.entry()));
        }
        plot.drawData(pen);
        var y = area.y + Pen.lineHeight(Pen.TEXT) / 2;
        for (final var curve : drawn) {
            final var style = styles.of(curve.entry());
            pen.line(area.getMaxX() + 18, y, area.getMaxX() + 18 + SAMPLE, y, style.color(), style.stroke());
            final var label = label(curve);
            for (var i = 0; i < label.size(); i++) {
                pen.text(label.get(i), Pen.TEXT, i == label.size() - 1 ? Pen.SOFT : Pen.INK, area.getMaxX() + 26 + SAMPLE, y, Pen.Anchor.LEFT);
                y += Pen.lineHeight(Pen.TEXT);
            }
            y += 8;
        }
    }

    private Axis xAxis(final int width) {
        final var least = unit.of(drawn.stream().mapToDouble(c -> c.nanos()[0]).min().orElseThrow());
        final var most = unit.of(drawn.stream().mapToDouble(Curve::last).max().orElseThrow());
        final var pad = Math.max(1.02, Math.pow(most / least, 0.03));
        return Axis.log(least / pad, most * pad, Math.max(3, width / 55), Axis::plain);
    }

    private Axis yAxis() {
        final var top = drawn.stream().mapToDouble(c -> up(c.shares()[c.shares().length - 1])).max().orElseThrow();
        final var ticks = Arrays.stream(SHARES).filter(s -> up(s) <= top).mapToObj(s -> new Axis.Tick(up(s), Axis.plain(s * 100))).toList();
        return new Axis(0, top * 1.03, ticks);
    }

    private String alt() {
        return "Distribution of group times: " + title() + ". "
                + String.join("; ", drawn.stream().map(c -> RunView.name(c.entry()) + " " + percentiles(c.entry())).toList()) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "cycle_ns", "share_of_cycles", "cycles"));
        curves.forEach(c -> {
            for (var i = 0; i < c.nanos().length; i++) {
                lines.add(List.of(RunView.name(c.entry()), Long.toString((long) c.nanos()[i]),
                        String.format(java.util.Locale.ROOT, "%.7f", c.shares()[i]), Integer.toString(c.cycles())));
            }
        });
        return lines;
    }
}
