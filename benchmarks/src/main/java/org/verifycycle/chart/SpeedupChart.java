package org.verifycycle.chart;

import org.knowm.xchart.style.markers.Marker;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Interval;
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.Margin;
import org.verifycycle.stats.RunAnalysis;
import org.verifycycle.stats.Verdict;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many times faster than the baseline, with the band within which one calls it the same and, where the run's noise is larger, a
 * paler one around it within which nothing is claimed.
 */
final class SpeedupChart {
    private static final Color SAME = new Color(0xE2E9F0);
    private static final Color NO_CLAIM = new Color(0xF3F6F9);
    private static final int HEAD = 44;

    private final RunView view;
    private final SeriesStyles styles;
    private final RunAnalysis.Group group;
    private final Entry baseline;
    private final List<Entry> entries;
    private final Rows rows;
    private final Page page;
    private final double margin;

    private SpeedupChart(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group, final Entry baseline) {
        this.view = view;
        this.styles = styles;
        this.group = group;
        this.baseline = baseline;
        this.entries = compared(view, group);
        this.rows = new Rows(view, entries);
        this.margin = entries.stream().mapToDouble(e -> comparison(e).margin()).max().orElse(Margin.PRACTICAL);
        final var captions = new Captions(view);
        final var nanos = view.time(baseline).orElseThrow();
        final var unit = Units.Time.forAll(List.of(nanos.medianNanos()));
        final var absolute = "The baseline takes " + Units.withInterval(unit.of(nanos.medianNanos()), nanos.interval().map(unit::of), " " + unit.label())
                + " per cycle, " + Units.number(Units.Time.US.of(nanos.medianNanos()) / group.calls()) + " us per call.";
        this.page = new Page(title(), captions.subtitle(group, RunView.calls(group) + " of " + Units.plainBytes(group.bytes())),
                captions.below(List.of(group), absolute + (undecided() ? " Hollow points: undecided." : ""),
                        "Whiskers: interval of the ratio, its level corrected over all comparisons (Holm)."));
    }

    /** Absent where there is nothing to compare. */
    static Optional<Drawing> of(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group) {
        final var baseline = group.baselineId().map(view.run()::entry).filter(e -> view.time(e).isPresent());
        if (baseline.isEmpty() || compared(view, group).isEmpty()) {
            return Optional.empty();
        }
        final var chart = new SpeedupChart(view, styles, group, baseline.get());
        return Optional.of(new Drawing("speedup-" + view.slug(group), chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()),
                chart.csv(), chart::paint));
    }

    private static List<Entry> compared(final RunView view, final RunAnalysis.Group group) {
        return view.drawn(group).stream().filter(e -> group.comparison(e.id()).filter(c -> c.ratio() > 0 && Double.isFinite(c.ratio())).isPresent()).toList();
    }

    private boolean undecided() {
        return entries.stream().anyMatch(e -> comparison(e).verdict() == Verdict.UNDECIDED);
    }

    private String title() {
        return "Speed-up over " + RunView.name(baseline) + " with " + group.world() + " ranks";
    }

    private int bodyHeight() {
        return HEAD + rows.height() + 42;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var left = Page.MARGIN + rows.labelWidth() + 10;
        final var labels = entries.stream().mapToDouble(e -> Pen.width(label(e), Pen.TEXT)).max().orElse(0);
        final var area = new Rectangle(left, page.top() + HEAD, (int) Math.max(160, Page.WIDTH - Page.MARGIN - left - labels - 14), rows.height());
        final var axis = axis(area.width);
        final var plot = new Plot(area, axis, Axis.bare(0, rows.height()));
        if (noisy()) {
            band(pen, plot, area, margin, NO_CLAIM);
        }
        band(pen, plot, area, Margin.PRACTICAL, SAME);
        plot.drawXAxis(pen, "times faster than the baseline, log scale", t -> t.at() == 0);
        final var one = plot.px(0);
        pen.line(one, area.y - 6, one, area.getMaxY(), Pen.AXIS, Pen.RULE);
        for (final var entry : entries) {
            final var comparison = comparison(entry);
            final var y = rows.middle(entry);
            final var style = styles.ofRow(entry);
            RunView.speedupInterval(comparison).ifPresent(i -> plot.whiskerAlongX(Math.log10(i.low()), Math.log10(i.high()), y, style.color()));
            plot.point(Math.log10(comparison.speedup()), y, style.color(), comparison.verdict() == Verdict.UNDECIDED ? new Hollow() : style.marker());
        }
        plot.drawData(pen);
        drawHead(pen, area, one);
        rows.draw(pen, area);
        for (final var entry : entries) {
            pen.text(label(entry), Pen.TEXT, Pen.INK, area.getMaxX() + 12, plot.py(rows.middle(entry)), Pen.Anchor.LEFT);
        }
    }

    private boolean noisy() {
        return margin > Margin.PRACTICAL;
    }

    private static void band(final Pen pen, final Plot plot, final Rectangle area, final double within, final Color color) {
        final var low = plot.px(Math.log10(1 / (1 + within)));
        final var high = plot.px(Math.log10(1 + within));
        pen.fill(new Rectangle2D.Double(low, area.y, high - low, area.height), color);
    }

    private void drawHead(final Pen pen, final Rectangle area, final double one) {
        final var same = "shaded: same, within " + Units.percent(Margin.PRACTICAL)
                + (noisy() ? "; paler: no claim within " + Units.percent(margin) + " (A/A noise)" : "");
        final var half = Pen.width(same, Pen.SMALL) / 2;
        pen.text(same, Pen.SMALL, Pen.SOFT, Math.min(Math.max(one, Page.MARGIN + half), Page.WIDTH - Page.MARGIN - half), area.y - 30, Pen.Anchor.CENTRE);
        final var slower = "slower";
        if (one - Pen.width(slower, Pen.SMALL) - 10 > Page.MARGIN) {
            pen.text(slower, Pen.SMALL, Pen.SOFT, one - 10, area.y - 12, Pen.Anchor.RIGHT);
        }
        pen.text("faster", Pen.SMALL, Pen.SOFT, one + 10, area.y - 12, Pen.Anchor.LEFT);
    }

    private Axis axis(final int width) {
        var least = 1 / (1 + 2 * margin);
        var most = 1 + 2 * margin;
        for (final var entry : entries) {
            final var comparison = comparison(entry);
            least = Math.min(least, RunView.speedupInterval(comparison).map(Interval::low).orElse(comparison.speedup()));
            most = Math.max(most, RunView.speedupInterval(comparison).map(Interval::high).orElse(comparison.speedup()));
        }
        final var pad = Math.pow(most / least, 0.04);
        return Axis.log(least / pad, most * pad, Math.max(3, width / 60), v -> Axis.plain(v) + "x");
    }

    private Comparison comparison(final Entry entry) {
        return group.comparison(entry.id()).orElseThrow();
    }

    private String label(final Entry entry) {
        final var comparison = comparison(entry);
        final var verdict = comparison.verdict() == Verdict.UNDECIDED ? "~ undecided" : comparison.verdict().label();
        return Units.withInterval(comparison.speedup(), RunView.speedupInterval(comparison), "x") + "  " + verdict;
    }

    private String alt() {
        return "Points with intervals: " + title() + ". " + String.join("; ", entries.stream().map(e -> RunView.name(e) + " " + label(e)).toList()) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "speedup", "low", "high", "verdict", "margin", "baseline", "baseline_cycle_ns"));
        entries.forEach(e -> lines.add(List.of(RunView.name(e), Csv.number(comparison(e).speedup()),
                Csv.number(RunView.speedupInterval(comparison(e)).map(Interval::low)), Csv.number(RunView.speedupInterval(comparison(e)).map(Interval::high)),
                comparison(e).verdict().label(), Csv.number(comparison(e).margin()), RunView.name(baseline),
                Csv.number(view.time(baseline).orElseThrow().medianNanos()))));
        return lines;
    }

    /** A ring on white: the whisker must not show through. */
    private static final class Hollow extends Marker {
        @Override
        public void paint(final Graphics2D graphics, final double x, final double y, final int size) {
            final var ring = new Ellipse2D.Double(x - size * 0.6, y - size * 0.6, size * 1.2, size * 1.2);
            final var color = graphics.getColor();
            graphics.setColor(Color.WHITE);
            graphics.fill(ring);
            graphics.setColor(color);
            graphics.setStroke(new BasicStroke(1.6f));
            graphics.draw(ring);
        }
    }
}
