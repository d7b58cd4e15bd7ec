package org.verifycycle.chart;

import org.verifycycle.economics.CycleTerms;
import org.verifycycle.economics.Outcome;
import org.verifycycle.economics.Ranged;
import org.verifycycle.economics.Speculation;
import org.verifycycle.result.Interval;

import java.awt.Color;
import java.awt.Rectangle;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a verify cycle takes with each collective, part upon part, and where it would break even. */
final class EconomicsCostChart {
    private static final int WIDEST = 260;
    private static final int BAR = 16;
    private static final int LEAST_HEIGHT = 28;
    private static final int HEAD = 34;
    private static final int LABEL_GAP = 8;
    private static final int SWATCH = 12;
    private static final double MILLI = 1e6;
    private static final Color EVEN = new Color(0x111111);

    private final EconomicsCharts words;
    private final List<Outcome> rows;
    private final List<Part> parts;
    private final Page page;

    private record Part(String name, Color color, ToDoubleFunction<CycleTerms> nanos) { }

    private EconomicsCostChart(final EconomicsCharts words) {
        this.words = words;
        this.rows = words.account().outcomes();
        this.parts = List.of(new Part("compute", new Color(0x0072B2), CycleTerms::computeNanos), new Part("draft", new Color(0xE69F00), CycleTerms::draftNanos),
                new Part("all else", new Color(0xA9B4BE), CycleTerms::otherNanos), new Part("all-reduce", new Color(0xD55E00), CycleTerms::communicationNanos)).stream()
                .filter(p -> rows.stream().anyMatch(o -> p.nanos().applyAsDouble(o.point().verify()) > 0)).toList();
        this.page = new Page(title(), words.subtitle("A cycle that ends left of its mark pays"), words.caption(
                "Break-even: as long as the cycle's tokens take without speculation" + (words.oneBaseline() ? "" : ", with the same collective") + "."
                        + (words.uncertain() ? " Whiskers and brackets: 95 % intervals, from draws of the measured times." : "")));
    }

    static Drawing of(final EconomicsCharts words) {
        final var chart = new EconomicsCostChart(words);
        return new Drawing("economics-cycle-cost", chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint);
    }

    private String title() {
        return "What a verify cycle is made of, and whether it pays";
    }

    private int bodyHeight() {
        return HEAD + rowsHeight() + 42;
    }

    private int rowsHeight() {
        return (int) Math.ceil(rows.stream().mapToDouble(EconomicsCostChart::height).sum());
    }

    private static double height(final Outcome row) {
        return Math.max(LEAST_HEIGHT, name(row).size() * Pen.lineHeight(Pen.TEXT) + 8);
    }

    private static List<String> name(final Outcome row) {
        return Pen.wrap(row.calls().name(), Pen.STRONG, WIDEST);
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var names = rows.stream().flatMap(r -> name(r).stream()).mapToDouble(t -> Pen.width(t, Pen.STRONG)).max().orElse(0);
        final var left = (int) (Page.MARGIN + names + 10);
        final var most = rows.stream().mapToDouble(this::end).max().orElse(1) * 1.02;
        final var room = Page.WIDTH - Page.MARGIN - left;
        final var width = rows.stream().mapToDouble(r -> (room - LABEL_GAP - Pen.width(label(r), Pen.TEXT)) / (end(r) / most)).reduce(room - 12.0, Math::min);
        final var area = new Rectangle(left, page.top() + HEAD, (int) Math.max(120, width), rowsHeight());
        final var plot = new Plot(area, Axis.fromZero(most, Math.max(2, area.width / 90)), Axis.bare(0, rowsHeight()));
        plot.drawXAxis(pen, "ms per verify cycle", t -> false);
        double top = 0;
        for (final var row : rows) {
            bar(plot, row, rowsHeight() - top - height(row) / 2);
            top += height(row);
        }
        plot.drawData(pen);
        pen.line(area.x, area.y, area.x, area.getMaxY(), Pen.AXIS, Pen.HAIR);
        top = area.y;
        for (final var row : rows) {
            final var middle = top + height(row) / 2;
            final var even = plot.px(even(row) / MILLI);
            pen.fill(new Rectangle2D.Double(even - 1.2, middle - BAR * 0.75, 2.4, BAR * 1.5), EVEN);
            names(pen, row, area.x - 10, middle);
            pen.textOnWhite(label(row), Pen.TEXT, Pen.INK, plot.px(end(row)) + LABEL_GAP, middle);
            top += height(row);
        }
        legend(pen, area);
    }

    /** The longest first, each on top of what is behind it. */
    private void bar(final Plot plot, final Outcome row, final double y) {
        for (int last = parts.size() - 1; last >= 0; last--) {
            final var sum = parts.subList(0, last + 1).stream().mapToDouble(p -> p.nanos().applyAsDouble(row.point().verify())).sum();
            if (sum > 0) {
                plot.bar(sum / MILLI, y, BAR, parts.get(last).color(), parts.get(last).color());
            }
        }
        cycle(row).interval().ifPresent(i -> plot.whiskerAlongX(Math.max(0, i.low()), i.high(), y, Color.BLACK));
    }

    private static void names(final Pen pen, final Outcome row, final double x, final double middle) {
        var y = middle - (name(row).size() - 1) * Pen.lineHeight(Pen.TEXT) / 2;
        for (final var line : name(row)) {
            pen.text(line, Pen.STRONG, Pen.INK, x, y, Pen.Anchor.RIGHT);
            y += Pen.lineHeight(Pen.TEXT);
        }
    }

    private void legend(final Pen pen, final Rectangle area) {
        final var y = area.y - 16.0;
        var x = (double) area.x;
        for (final var part : parts) {
            pen.fill(new Rectangle2D.Double(x, y - SWATCH / 2.0, SWATCH, SWATCH), part.color());
            x = after(pen, part.name(), x + SWATCH + 5, y);
        }
        pen.fill(new Rectangle2D.Double(x + SWATCH / 2.0 - 1.2, y - SWATCH * 0.6, 2.4, SWATCH * 1.2), EVEN);
        after(pen, "break-even", x + SWATCH + 2, y);
    }

    private static double after(final Pen pen, final String text, final double x, final double y) {
        pen.text(text, Pen.SMALL, Pen.INK, x, y, Pen.Anchor.LEFT);
        return x + Pen.width(text, Pen.SMALL) + 18;
    }

    private static Ranged cycle(final Outcome row) {
        return row.of(s -> s.verify().nanos() / MILLI);
    }

    private static double even(final Outcome row) {
        return row.point().acceptance().tokensPerCycle() * row.point().baseline().nanos();
    }

    /** Where the label may begin: right of bar, whisker and mark. */
    private double end(final Outcome row) {
        return Math.max(even(row) / MILLI, cycle(row).interval().map(Interval::high).orElse(cycle(row).value()));
    }

    private static String label(final Outcome row) {
        final var gain = row.of(Speculation::gain);
        return Units.withInterval(cycle(row).value(), cycle(row).interval(), " ms") + ", " + Units.number(row.point().tokensPerSecond(), row.of(Speculation::tokensPerSecond).interval())
                + " tok/s, " + Units.number(gain.value(), gain.interval()) + "x";
    }

    private String alt() {
        return "Stacked bar chart: " + title() + ". " + String.join("; ", rows.stream().map(r -> r.calls().name() + " " + label(r) + ", break-even at " + Units.number(even(r) / MILLI) + " ms").toList()) + ".";
    }

    private List<List<String>> csv() {
        final var lines = new ArrayList<List<String>>();
        lines.add(List.of("collective", "compute_ms", "draft_ms", "other_ms", "all_reduce_ms", "cycle_ms", "cycle_low_ms", "cycle_high_ms", "break_even_ms", "tok_s", "tok_s_without", "gain"));
        rows.forEach(r -> {
            final var v = r.point().verify();
            lines.add(List.of(r.calls().name(), Csv.number(v.computeNanos() / MILLI), Csv.number(v.draftNanos() / MILLI), Csv.number(v.otherNanos() / MILLI),
                    Csv.number(v.communicationNanos() / MILLI), Csv.number(v.nanos() / MILLI), Csv.number(cycle(r).interval().map(Interval::low)), Csv.number(cycle(r).interval().map(Interval::high)),
                    Csv.number(even(r) / MILLI), Csv.number(r.point().tokensPerSecond()), Csv.number(r.point().baselineTokensPerSecond()), Csv.number(r.point().gain())));
        });
        return lines;
    }
}
