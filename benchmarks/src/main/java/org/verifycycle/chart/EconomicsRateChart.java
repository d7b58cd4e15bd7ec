package org.verifycycle.chart;

import org.verifycycle.economics.Outcome;
import org.verifycycle.economics.Ranged;
import org.verifycycle.economics.Speculation;
import org.verifycycle.result.Interval;

import org.knowm.xchart.style.markers.SeriesMarkers;

import java.awt.Color;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tokens per second over the tokens that a cycle yields, a line and its band per collective, and where each breaks even. */
final class EconomicsRateChart {
    private static final int HEAD = 44;
    private static final int HEIGHT = 380;
    private static final int LEFT = Page.MARGIN + 52;
    private static final int MOST_LINES = 6;
    private static final int BAND_ALPHA = 60;
    private static final double MARGIN = 1.04;

    private final EconomicsCharts words;
    private final List<Outcome> lines;
    private final double most;
    private final EndLabels labels;
    private final Page page;

    private EconomicsRateChart(final EconomicsCharts words) {
        this.words = words;
        this.lines = words.few(MOST_LINES);
        this.most = words.account().acceptance().draftTokens() + 1;
        this.labels = new EndLabels(lines.stream().map(o -> o.calls().name()).toList());
        final var left = words.account().outcomes().size() - lines.size();
        this.page = new Page(title(), words.subtitle("The cycle taken as it is, whatever it yields"), words.caption(
                (words.oneBaseline() ? "Level: without speculation, as observed. " : "Level: without speculation, with the same collective, up to where speculation breaks even. ")
                        + "Dots: break-even." + (words.uncertain() ? " Bands: 95 % intervals, from draws of the measured times." : "")
                        + (left > 0 ? " " + left + " slower ones are in the table only." : "")));
    }

    /** Absent where nothing is drafted: then a cycle yields one token and no other number. */
    static Optional<Drawing> of(final EconomicsCharts words) {
        if (words.account().acceptance().draftTokens() < 1) {
            return Optional.empty();
        }
        final var chart = new EconomicsRateChart(words);
        return Optional.of(new Drawing("economics-rate", chart.title(), chart.alt(), chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint));
    }

    private String title() {
        return "Tokens per second over the tokens that a verify cycle yields";
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
        final var top = lines.stream().mapToDouble(o -> Math.max(o.point().baselineTokensPerSecond(), rate(o, most).interval().map(Interval::high).orElse(rate(o, most).value()))).max().orElse(1);
        final var plot = new Plot(area, Axis.between(1, most, 10), Axis.fromZero(top * MARGIN, 8));
        plot.drawYAxis(pen, "tokens per second, one sequence");
        plot.drawXAxis(pen, "tokens a cycle yields", t -> false);
        final double[] xs = {1, most};
        for (final var line : lines) {
            final var color = words.style(line.calls()).color();
            if (rate(line, 1).interval().isPresent()) {
                plot.band(xs, new double[] {low(line, 1), low(line, most)}, new double[] {high(line, 1), high(line, most)}, new Color(color.getRed(), color.getGreen(), color.getBlue(), BAND_ALPHA));
            }
        }
        for (final var line : lines) {
            final var style = words.style(line.calls());
            final var even = line.point().breakEvenTokens();
            final var level = line.point().baselineTokensPerSecond();
            plot.line(xs, new double[] {rate(line, 1).value(), rate(line, most).value()}, new SeriesStyle(style.color(), style.stroke(), SeriesMarkers.NONE));
            if (!words.oneBaseline()) {
                plot.line(new double[] {1, Math.max(1.0001, Math.min(most, even))}, new double[] {level, level}, new SeriesStyle(style.color(), Pen.HAIR, SeriesMarkers.NONE));
            }
            if (even >= 1 && even <= most) {
                plot.point(even, level, style.color(), SeriesMarkers.CIRCLE);
            }
        }
        plot.drawData(pen);
        rules(pen, plot, area);
        labels.draw(pen, area, lines.stream().map(o -> words.style(o.calls())).toList(), lines.stream().map(o -> plot.px(most)).toList(),
                lines.stream().map(o -> plot.py(rate(o, most).value())).toList(), area.getMaxX() - 8);
    }

    private void rules(final Pen pen, final Plot plot, final Rectangle area) {
        final var given = plot.px(words.account().acceptance().tokensPerCycle());
        pen.line(given, area.y - 6, given, area.getMaxY(), Pen.SOFT, Pen.RULE);
        final var text = "given: " + EconomicsCharts.decimals(words.account().acceptance().tokensPerCycle());
        final var half = Pen.width(text, Pen.SMALL) / 2;
        final var least = Page.MARGIN + Pen.width("tokens per second, one sequence", Pen.TEXT) + 14 + half;
        pen.text(text, Pen.SMALL, Pen.INK, Math.min(Math.max(given, least), Page.WIDTH - Page.MARGIN - half), area.y - 18, Pen.Anchor.CENTRE);
        if (words.oneBaseline()) {
            final var level = lines.get(0).point().baselineTokensPerSecond();
            pen.line(area.x, plot.py(level), area.getMaxX(), plot.py(level), Pen.INK, Pen.RULE);
            pen.textOnWhite("without: " + Units.number(level), Pen.SMALL, Pen.INK, area.x + 6, plot.py(level) - 9);
        }
    }

    /** The same cycles, yielding other numbers of tokens. */
    private static Ranged rate(final Outcome line, final double tokens) {
        return line.of(s -> new Speculation(s.acceptance().withTokens(tokens), s.verify(), s.baseline()).tokensPerSecond());
    }

    private static double low(final Outcome line, final double tokens) {
        return rate(line, tokens).interval().map(Interval::low).orElse(rate(line, tokens).value());
    }

    private static double high(final Outcome line, final double tokens) {
        return rate(line, tokens).interval().map(Interval::high).orElse(rate(line, tokens).value());
    }

    private String alt() {
        return "Line chart: " + title() + ", from 1 to " + Math.round(most) + ". " + String.join("; ", lines.stream().map(o -> o.calls().name() + " from " + Units.number(rate(o, 1).value()) + " to "
                + Units.number(rate(o, most).value()) + ", without speculation " + Units.number(o.point().baselineTokensPerSecond()) + ", break-even at "
                + EconomicsCharts.decimals(o.point().breakEvenTokens()) + " tokens").toList()) + ".";
    }

    private List<List<String>> csv() {
        final var rows = new ArrayList<List<String>>();
        rows.add(List.of("collective", "tokens_per_cycle", "tok_s", "low", "high", "tok_s_without", "break_even_tokens"));
        lines.forEach(o -> {
            for (final var tokens : new double[] {1, words.account().acceptance().tokensPerCycle(), most}) {
                rows.add(List.of(o.calls().name(), Csv.number(tokens), Csv.number(rate(o, tokens).value()), Csv.number(low(o, tokens)), Csv.number(high(o, tokens)),
                        Csv.number(o.point().baselineTokensPerSecond()), Csv.number(o.point().breakEvenTokens())));
            }
        });
        return rows;
    }
}
