package org.verifycycle.chart;

import org.verifycycle.economics.Account;
import org.verifycycle.economics.Outcome;
import org.verifycycle.economics.Speculation;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Rectangle;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How much speculation gains over time per call and tokens per cycle, with the collectives where they are. */
final class EconomicsGainMap {
    private static final int HEAD = 64;
    private static final int HEIGHT = 330;
    private static final int LEFT = Page.MARGIN + 40;
    private static final int COLUMNS = 90;
    private static final int ROWS = 44;
    private static final int MOST_MARKS = 14;
    private static final int MARK = 7;
    private static final double DOT = 2.5;
    /** The axis reaches this far beyond the collectives on either side. */
    private static final double REACH = 1.6;
    private static final double[] STEPS = {0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2};
    /** From a loss (orange) to a gain (blue), pale at the break-even: told apart by colour-blind readers. */
    private static final Color[] COLORS = {new Color(0x8C3A00), new Color(0xC4621C), new Color(0xE39B5F), new Color(0xF2C8A2), new Color(0xFBE9DA),
        new Color(0xE3EEF6), new Color(0xB5D3E7), new Color(0x7FB2D5), new Color(0x3F8ABD), new Color(0x0B5A8C)};
    private static final BasicStroke EVEN = new BasicStroke(2);

    private final EconomicsCharts words;
    private final Account account;
    private final List<Outcome> marks;
    private final double most;
    private final double leastMicros;
    private final double mostMicros;
    private final EndLabels labels;
    private final Page page;

    private EconomicsGainMap(final EconomicsCharts words) {
        this.words = words;
        this.account = words.account();
        this.marks = words.few(MOST_MARKS);
        this.most = account.acceptance().draftTokens() + 1;
        final var times = marks.stream().mapToDouble(EconomicsGainMap::micros).summaryStatistics();
        this.leastMicros = times.getMin() / REACH;
        this.mostMicros = times.getMax() * REACH;
        this.labels = new EndLabels(marks.stream().map(EconomicsGainMap::label).toList());
        this.page = new Page(title(), words.subtitle("Tokens per second with speculation over those without"), words.caption("Black: break-even. Marks: the collectives, at the tokens given, tied to their place where they stand too close. "
                + (words.oneBaseline() ? "Without speculation: as observed, whatever the time per call."
                : "Without speculation a call costs " + String.format(Locale.ROOT, "%.2f", ratio()) + " times what it costs in the cycle, as with " + account.reference().name() + ".")));
    }

    /** Absent where nothing is drafted, or calls take no time. */
    static Optional<Drawing> of(final EconomicsCharts words) {
        if (words.account().acceptance().draftTokens() < 1 || words.account().outcomes().stream().anyMatch(o -> !(micros(o) > 0))) {
            return Optional.empty();
        }
        final var chart = new EconomicsGainMap(words);
        return Optional.of(new Drawing("economics-gain", chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint));
    }

    private String title() {
        return "What speculation gains, over time per call and tokens a cycle";
    }

    private double ratio() {
        return account.reference().estimate().baselineNanos() / account.reference().estimate().verifyNanos();
    }

    private static double micros(final Outcome mark) {
        return mark.calls().estimate().verifyNanos() / 1e3;
    }

    private static String label(final Outcome mark) {
        return mark.calls().name() + ": " + Units.number(mark.point().gain(), mark.of(Speculation::gain).interval()) + "x";
    }

    private int plotHeight() {
        return (int) Math.max(HEIGHT, labels.height() + 10);
    }

    private int bodyHeight() {
        return HEAD + plotHeight() + 42;
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var area = new Rectangle(LEFT, page.top() + HEAD, (int) (Page.WIDTH - Page.MARGIN - LEFT - labels.width()), plotHeight());
        final var plot = new Plot(area, Axis.log(leastMicros, mostMicros, Math.max(3, area.width / 70), Axis::plain), Axis.between(1, most, 10));
        plot.drawYAxis(pen, "");
        plot.drawXAxis(pen, "us per call, log scale", t -> false);
        cells(pen, area);
        evenLine(pen, plot, area);
        pen.text("tokens a cycle yields", Pen.TEXT, Pen.SOFT, Page.MARGIN, area.y - 14, Pen.Anchor.LEFT);
        final var y = plot.py(account.acceptance().tokensPerCycle());
        marks(pen, plot, area, y);
        labels.draw(pen, area, marks.stream().map(o -> words.style(o.calls())).toList(), marks.stream().map(o -> plot.px(Math.log10(micros(o)))).toList(), marks.stream().map(o -> y).toList(),
                Double.POSITIVE_INFINITY);
        legend(pen, area);
    }

    /** Marks that would hide one another stand above or below their place, tied to it. */
    private void marks(final Pen pen, final Plot plot, final Rectangle area, final double y) {
        final var ends = new ArrayList<Double>();
        final var upwards = y - area.y > area.getMaxY() - y ? -1 : 1;
        for (final var mark : marks.stream().sorted(Comparator.comparingDouble(EconomicsGainMap::micros)).toList()) {
            final var x = plot.px(Math.log10(micros(mark)));
            int level = 0;
            while (level < ends.size() && ends.get(level) > x - 2 * MARK) {
                level++;
            }
            if (level == ends.size()) {
                ends.add(x);
            } else {
                ends.set(level, x);
            }
            final var at = y + upwards * level * 2.2 * MARK;
            pen.line(x, y, x, at, Color.BLACK, Pen.HAIR);
            disc(pen, x, y, DOT, Color.BLACK);
            disc(pen, x, at, MARK, Color.WHITE);
            pen.graphics().setColor(words.style(mark.calls()).color());
            words.style(mark.calls()).marker().paint(pen.graphics(), x, at, MARK);
        }
    }

    private static void disc(final Pen pen, final double x, final double y, final double radius, final Color color) {
        pen.graphics().setColor(color);
        pen.graphics().fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
    }

    /** Neighbours of one colour are one rectangle. */
    private void cells(final Pen pen, final Rectangle area) {
        for (int r = 0; r < ROWS; r++) {
            final var tokens = most - (r + 0.5) / ROWS * (most - 1);
            final var upper = area.y + Math.round(r * (double) area.height / ROWS);
            final var lower = area.y + Math.round((r + 1) * (double) area.height / ROWS);
            int from = 0;
            for (int c = 1; c <= COLUMNS; c++) {
                final var color = color(gain(from, tokens));
                if (c == COLUMNS || !color.equals(color(gain(c, tokens)))) {
                    final var left = area.x + Math.round(from * (double) area.width / COLUMNS);
                    final var right = area.x + Math.round(c * (double) area.width / COLUMNS);
                    pen.fill(new Rectangle2D.Double(left, upper, right - left, lower - upper), color);
                    from = c;
                }
            }
        }
    }

    private double gain(final int column, final double tokens) {
        return account.at(1e3 * leastMicros * Math.pow(mostMicros / leastMicros, (column + 0.5) / COLUMNS), tokens).gain();
    }

    private static Color color(final double gain) {
        int step = 0;
        while (step < STEPS.length && gain >= STEPS[step]) {
            step++;
        }
        return COLORS[step];
    }

    /** Where a cycle of each time per call breaks even: its cycle over its token. */
    private void evenLine(final Pen pen, final Plot plot, final Rectangle area) {
        for (int c = 0; c < COLUMNS; c++) {
            final var from = leastMicros * Math.pow(mostMicros / leastMicros, c / (double) COLUMNS);
            final var to = leastMicros * Math.pow(mostMicros / leastMicros, (c + 1) / (double) COLUMNS);
            final var low = account.at(from * 1e3, 1).breakEvenTokens();
            final var high = account.at(to * 1e3, 1).breakEvenTokens();
            if (Math.min(low, high) >= 1 && Math.max(low, high) <= most) {
                pen.line(plot.px(Math.log10(from)), plot.py(low), plot.px(Math.log10(to)), plot.py(high), Color.BLACK, EVEN);
            }
        }
    }

    private void legend(final Pen pen, final Rectangle area) {
        final var width = 46.0;
        final var left = Math.min(area.x + 150.0, area.getMaxX() - COLORS.length * width);
        final var y = area.y - 38.0;
        pen.text("times as fast", Pen.SMALL, Pen.SOFT, left - 8, y, Pen.Anchor.RIGHT);
        for (int i = 0; i < COLORS.length; i++) {
            pen.fill(new Rectangle2D.Double(left + i * width, y - 6, width, 12), COLORS[i]);
            if (i > 0) {
                pen.text(Axis.plain(STEPS[i - 1]), Pen.SMALL, Pen.SOFT, left + i * width, y + 14, Pen.Anchor.CENTRE);
            }
        }
    }

    private String alt() {
        return "Map: " + title() + ". " + String.join("; ", marks.stream().map(o -> label(o) + " at " + Units.number(micros(o)) + " us per call").toList()) + ".";
    }

    private List<List<String>> csv() {
        final var rows = new ArrayList<List<String>>();
        rows.add(List.of("us_per_call", "tokens_per_cycle", "gain"));
        for (int c = 0; c <= 10; c++) {
            final var micros = leastMicros * Math.pow(mostMicros / leastMicros, c / 10.0);
            for (int r = 0; r <= 10; r++) {
                final var tokens = 1 + (most - 1) * r / 10;
                rows.add(List.of(Csv.number(micros), Csv.number(tokens), Csv.number(account.at(micros * 1e3, tokens).gain())));
            }
        }
        return rows;
    }
}
