package org.verifycycle.chart;

import org.verifycycle.result.Entry;
import org.verifycycle.result.Interval;
import org.verifycycle.stats.RunAnalysis;

import java.awt.Rectangle;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a verify cycle costs over how late one rank is: a block of lying bars per collective, each transfer and then waiting. */
final class SkewChart {
    private static final int WIDEST = 260;
    private static final int BAR = 12;
    private static final int PITCH = 18;
    private static final int GAP = 14;
    private static final int HEAD = 34;
    private static final int LABEL_GAP = 8;
    private static final int SWATCH = 12;
    private static final double CUT_BEYOND = 2;
    private static final double CUT_AT = 1.5;

    private final RunView view;
    private final SeriesStyles styles;
    private final RunAnalysis.Group group;
    private final List<List<SkewCost>> collectives;
    private final Units.Time unit;
    private final Page page;

    private SkewChart(final RunView view, final SeriesStyles styles, final List<RunAnalysis.Group> set, final List<List<SkewCost>> collectives) {
        this.view = view;
        this.styles = styles;
        this.group = set.get(0);
        this.collectives = collectives;
        this.unit = Units.Time.forAll(bars().stream().map(SkewCost::totalNanos).toList());
        final var captions = new Captions(view);
        this.page = new Page(title(), captions.subtitle(group, RunView.calls(group) + " of " + Units.plainBytes(group.bytes())),
                captions.below(set, "In every cycle another rank is made late. Transfer: the group time, from the late rank's coming to the last rank's end. "
                        + "Waiting: the skew measured before it. Median over rounds each.", "Whiskers: 95 % interval of the transfer, rounds as the unit."
                        + (bars().stream().anyMatch(this::cut) ? " With an arrow: it goes on, see the table." : "")));
    }

    /** Absent where no collective has a time with a late rank. */
    static Optional<Drawing> of(final RunView view, final SeriesStyles styles, final List<RunAnalysis.Group> set) {
        final var collectives = SkewCost.of(view, set);
        if (collectives.isEmpty()) {
            return Optional.empty();
        }
        final var chart = new SkewChart(view, styles, set, collectives);
        return Optional.of(new Drawing("cost-over-skew-" + view.slugWithoutSkew(set.get(0)), chart.title(), chart.alt(),
                chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint));
    }

    private String title() {
        return "What a verify cycle costs when one of " + group.world() + " ranks is late";
    }

    private List<SkewCost> bars() {
        return collectives.stream().flatMap(List::stream).toList();
    }

    private static double blockHeight(final List<SkewCost> costs) {
        return Math.max(costs.size() * PITCH, name(costs).size() * Pen.lineHeight(Pen.TEXT)) + GAP;
    }

    private int rowsHeight() {
        return (int) Math.ceil(collectives.stream().mapToDouble(SkewChart::blockHeight).sum());
    }

    private int bodyHeight() {
        return HEAD + rowsHeight() + 42;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var skews = bars().stream().mapToDouble(c -> Pen.width(SkewCost.label(c.skewNanos()), Pen.SMALL)).max().orElse(0);
        final var names = collectives.stream().flatMap(c -> name(c).stream()).mapToDouble(t -> Pen.width(t, Pen.STRONG)).max().orElse(0);
        final var left = (int) (Page.MARGIN + names + 14 + skews + 8);
        final var most = most();
        final var room = Page.WIDTH - Page.MARGIN - left;
        final var width = bars().stream().mapToDouble(c -> (room - LABEL_GAP - Pen.width(label(c), Pen.TEXT)) / (end(c) / most)).reduce(room - 12.0, Math::min);
        final var area = new Rectangle(left, page.top() + HEAD, (int) Math.max(120, width), rowsHeight());
        final var plot = new Plot(area, Axis.fromZero(most, Math.max(2, area.width / 90)), Axis.bare(0, rowsHeight()));
        plot.drawXAxis(pen, unit.label() + " per verify cycle", t -> false);
        final var middles = middles();
        for (int i = 0; i < bars().size(); i++) {
            bar(plot, bars().get(i), rowsHeight() - middles.get(i));
        }
        plot.drawData(pen);
        pen.line(area.x, area.y, area.x, area.getMaxY(), Pen.AXIS, Pen.HAIR);
        for (int i = 0; i < bars().size(); i++) {
            final var cost = bars().get(i);
            final var y = area.y + middles.get(i);
            pen.text(SkewCost.label(cost.skewNanos()), Pen.SMALL, Pen.SOFT, area.x - 8, y, Pen.Anchor.RIGHT);
            pen.textOnWhite(label(cost), Pen.TEXT, Pen.INK, plot.px(end(cost)) + LABEL_GAP, y);
        }
        names(pen, area.y);
        legend(pen, area);
    }

    private void bar(final Plot plot, final SkewCost cost, final double y) {
        final var style = styles.of(cost.entry());
        plot.bar(unit.of(cost.totalNanos()), y, BAR, style.pale(), style.color());
        plot.bar(unit.of(cost.transferNanos()), y, BAR, style.color(), style.color());
        cost.transferInterval().map(unit::of).ifPresent(i -> plot.whiskerAlongX(Math.max(0, i.low()), i.high(), y, Pen.AXIS));
        if (cut(cost)) {
            plot.arrowAtRight(y, Pen.AXIS);
        }
    }

    /** Of every bar, in pixels below the upper edge. */
    private List<Double> middles() {
        final var middles = new ArrayList<Double>();
        double top = 0;
        for (final var costs : collectives) {
            final var first = top + (blockHeight(costs) - costs.size() * PITCH) / 2 + PITCH / 2.0;
            for (int i = 0; i < costs.size(); i++) {
                middles.add(first + i * PITCH);
            }
            top += blockHeight(costs);
        }
        return middles;
    }

    private void names(final Pen pen, final double areaTop) {
        double top = areaTop;
        for (final var costs : collectives) {
            final var lines = name(costs);
            var y = top + blockHeight(costs) / 2 - (lines.size() - 1) * Pen.lineHeight(Pen.TEXT) / 2;
            for (final var line : lines) {
                pen.text(line, Pen.STRONG, Pen.INK, Page.MARGIN, y, Pen.Anchor.LEFT);
                y += Pen.lineHeight(Pen.TEXT);
            }
            top += blockHeight(costs);
        }
    }

    private void legend(final Pen pen, final Rectangle area) {
        final var style = styles.of(collectives.get(0).get(0).entry());
        final var y = area.y - 14.0;
        var x = (double) area.x;
        for (final var part : List.of("transfer", "waiting for the late rank")) {
            final var box = new Rectangle2D.Double(x, y - SWATCH / 2.0, SWATCH, SWATCH);
            pen.fill(box, part.equals("transfer") ? style.color() : style.pale());
            pen.text(part, Pen.SMALL, Pen.INK, x + SWATCH + 5, y, Pen.Anchor.LEFT);
            x += SWATCH + 5 + Pen.width(part, Pen.SMALL) + 18;
        }
    }

    private static List<String> name(final List<SkewCost> costs) {
        final var entry = costs.get(0).entry();
        return Pen.wrap(RunView.name(entry) + (entry.purpose() == Entry.Purpose.BASELINE ? " (baseline)" : ""), Pen.STRONG, WIDEST);
    }

    /** Where the label may begin. */
    private double end(final SkewCost cost) {
        return Math.min(most(), Math.max(unit.of(cost.totalNanos()), high(cost)));
    }

    private double high(final SkewCost cost) {
        return cost.transferInterval().map(unit::of).map(Interval::high).orElse(0.0);
    }

    /** The end of the axis: a whisker far longer than all bars would leave nothing to see of them. */
    private double most() {
        final var bars = bars().stream().mapToDouble(c -> unit.of(c.totalNanos())).max().orElse(1);
        final var whiskers = bars().stream().mapToDouble(this::high).max().orElse(0);
        return whiskers > CUT_BEYOND * bars ? CUT_AT * bars : Math.max(bars, whiskers) * 1.02;
    }

    private boolean cut(final SkewCost cost) {
        return high(cost) > most();
    }

    private String label(final SkewCost cost) {
        return Units.number(unit.of(cost.totalNanos())) + " = " + Units.number(unit.of(cost.transferNanos())) + " + " + Units.number(unit.of(cost.waitingNanos())) + " " + unit.label();
    }

    private String alt() {
        return "Bar chart: " + title().toLowerCase(Locale.ROOT) + ", transfer + waiting. " + String.join("; ", bars().stream()
                .map(c -> RunView.name(c.entry()) + ", " + SkewCost.label(c.skewNanos()) + ": " + label(c)).toList()) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "injected_ns", "transfer_ns", "transfer_low_ns", "transfer_high_ns", "waiting_ns"));
        bars().forEach(c -> lines.add(List.of(RunView.name(c.entry()), Integer.toString(c.skewNanos()), Csv.number(c.transferNanos()),
                Csv.number(c.transferInterval().map(Interval::low)), Csv.number(c.transferInterval().map(Interval::high)), Csv.number(c.waitingNanos()))));
        return lines;
    }
}
