package org.verifycycle.chart;

import org.verifycycle.result.Entry;
import org.verifycycle.result.Interval;
import org.verifycycle.stats.RunAnalysis;

import java.awt.Color;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a verify cycle costs with each collective: lying bars from 0, fastest on top, with intervals and values. */
final class CycleCostChart {
    private static final int BAR = 16;
    private static final int LABEL_GAP = 8;
    private static final int HEAD = 26;
    private static final double CUT_BEYOND = 2;
    private static final double CUT_AT = 1.5;

    private final RunView view;
    private final SeriesStyles styles;
    private final RunAnalysis.Group group;
    private final Units.Time unit;
    private final Rows rows;
    private final Page page;

    private CycleCostChart(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group) {
        this.view = view;
        this.styles = styles;
        this.group = group;
        this.unit = Units.Time.forAll(view.drawn(group).stream().map(this::nanos).toList());
        this.rows = new Rows(view, view.drawn(group));
        final var captions = new Captions(view);
        this.page = new Page(title(), captions.subtitle(group, "One cycle is " + RunView.calls(group) + " of " + Units.plainBytes(group.bytes())
                + " (" + view.run().workload().name() + ")"),
                captions.below(List.of(group), "Bars: median over rounds of the group time (last rank's end minus last rank's start).",
                        "Whiskers: its 95 % interval, rounds as the unit."
                        + (rows.entries().stream().anyMatch(this::cut) ? " With an arrow: it goes on to the value in the label." : "")));
    }

    static Drawing of(final RunView view, final SeriesStyles styles, final RunAnalysis.Group group) {
        final var chart = new CycleCostChart(view, styles, group);
        return new Drawing("cycle-cost-" + view.slug(group), chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint);
    }

    private String title() {
        return "What a verify cycle costs with " + group.world() + " ranks";
    }

    private int bodyHeight() {
        return head() + rows.height() + 42;
    }

    private int head() {
        return floor().isPresent() ? HEAD : HEAD / 3;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var left = Page.MARGIN + rows.labelWidth() + 10;
        final var room = Page.WIDTH - Page.MARGIN - left;
        final var most = most();
        // As wide as it can be with every label right of its bar.
        final var width = rows.entries().stream().mapToDouble(e -> (room - LABEL_GAP - Pen.width(label(e), Pen.TEXT)) / (end(e) / most))
                .reduce(room - 12.0, Math::min);
        final var area = new Rectangle(left, page.top() + head(), (int) Math.max(120, width), rows.height());
        final var plot = new Plot(area, Axis.fromZero(most, Math.max(2, area.width / 90)), Axis.bare(0, rows.height()));
        plot.drawXAxis(pen, unit.label() + " per verify cycle", t -> false);
        for (final var entry : rows.entries()) {
            final var style = styles.ofRow(entry);
            final var again = entry.purpose() == Entry.Purpose.BASELINE_COPY;
            final var y = rows.middle(entry);
            plot.bar(unit.of(nanos(entry)), y, BAR, again ? style.pale() : style.color(), style.color());
            interval(entry).ifPresent(i -> plot.whiskerAlongX(Math.max(0, i.low()), i.high(), y, contrast(again ? style.pale() : style.color())));
            if (cut(entry)) {
                plot.arrowAtRight(y, contrast(style.color()));
            }
        }
        plot.drawData(pen);
        pen.line(area.x, area.y, area.x, area.getMaxY(), Pen.AXIS, Pen.HAIR);
        floor().ifPresent(floor -> {
            final var x = plot.px(floor);
            pen.line(x, area.y - 6, x, area.getMaxY(), SeriesStyles.FLOOR.color(), Pen.RULE);
            final var text = "floor " + Units.number(floor) + " " + unit.label() + view.floorEntry(group).map(e -> ": " + RunView.name(e)).orElse("");
            final var half = Pen.width(text, Pen.SMALL) / 2;
            pen.text(text, Pen.SMALL, Pen.SOFT, Math.max(x, Page.MARGIN + half), area.y - 14, Pen.Anchor.CENTRE);
        });
        rows.draw(pen, area);
        for (final var entry : rows.entries()) {
            pen.textOnWhite(label(entry), Pen.TEXT, Pen.INK, plot.px(end(entry)) + LABEL_GAP, plot.py(rows.middle(entry)));
        }
    }

    /** Both ends of a whisker must show, on the bar and beside it: the bar's own colour would hide one. */
    private static Color contrast(final Color bar) {
        final var bright = 0.299 * bar.getRed() + 0.587 * bar.getGreen() + 0.114 * bar.getBlue();
        return bright < 60 ? new Color(0x9A9A9A) : Color.BLACK;
    }

    private String label(final Entry entry) {
        return Units.withInterval(unit.of(nanos(entry)), interval(entry), " " + unit.label());
    }

    /** Where the label may begin. */
    private double end(final Entry entry) {
        return Math.min(most(), Math.max(unit.of(nanos(entry)), interval(entry).map(Interval::high).orElse(0.0)));
    }

    /** The axis' end. A whisker far beyond all bars would press them into a corner: it is cut, with an arrow, and its label has its end. */
    private double most() {
        final var bars = Math.max(rows.entries().stream().mapToDouble(e -> unit.of(nanos(e))).max().orElse(1), floor().orElse(0.0));
        final var whiskers = rows.entries().stream().flatMap(e -> interval(e).stream()).mapToDouble(Interval::high).max().orElse(0);
        return whiskers > CUT_BEYOND * bars ? CUT_AT * bars : Math.max(bars, whiskers) * 1.02;
    }

    private boolean cut(final Entry entry) {
        return interval(entry).filter(i -> i.high() > most()).isPresent();
    }

    private double nanos(final Entry entry) {
        return view.time(entry).orElseThrow().medianNanos();
    }

    private Optional<Interval> interval(final Entry entry) {
        return view.time(entry).orElseThrow().interval().map(unit::of);
    }

    private Optional<Double> floor() {
        return group.floorNanos().isPresent() && group.floorNanos().getAsDouble() > 0 ? Optional.of(unit.of(group.floorNanos().getAsDouble()))
                : Optional.empty();
    }

    private String alt() {
        final var parts = rows.entries().stream().map(e -> RunView.name(e) + " " + label(e)).toList();
        return "Bar chart: " + title().toLowerCase(java.util.Locale.ROOT) + ". " + String.join("; ", parts) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "purpose", "cycle_ns", "low_ns", "high_ns", "floor_ns"));
        rows.entries().forEach(e -> lines.add(List.of(RunView.name(e), Csv.purpose(e), Csv.number(nanos(e)),
                Csv.number(view.time(e).orElseThrow().interval().map(Interval::low)),
                Csv.number(view.time(e).orElseThrow().interval().map(Interval::high)), Csv.number(group.floorNanos()))));
        return lines;
    }
}
