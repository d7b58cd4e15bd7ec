package org.verifycycle.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Rectangle;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Names at the right ends of lines, pushed apart so that none covers another, each tied to its line. */
final class EndLabels {
    private static final int WIDEST = 250;
    private static final int SAMPLE = 26;
    private static final int GAP = 26;
    private static final Color TIE = new Color(0xB5B5B5);
    private static final BasicStroke THIN = new BasicStroke(0.8f);

    private final List<List<String>> texts;

    EndLabels(final List<String> names) {
        this.texts = names.stream().map(n -> Pen.wrap(n, Pen.TEXT, WIDEST)).toList();
    }

    /** Everything right of the plot. */
    double width() {
        return GAP + SAMPLE + 6 + texts.stream().flatMap(List::stream).mapToDouble(t -> Pen.width(t, Pen.TEXT)).max().orElse(0);
    }

    double height() {
        return IntStream.range(0, texts.size()).mapToDouble(this::height).sum();
    }

    private double height(final int label) {
        return texts.get(label).size() * Pen.lineHeight(Pen.TEXT) + 2;
    }

    /** @param tiedFrom lines that end left of it have no tie to their names: across the plot it would look like data */
    void draw(final Pen pen, final Rectangle area, final List<SeriesStyle> styles, final List<Double> endX, final List<Double> endY,
              final double tiedFrom) {
        final var order = IntStream.range(0, texts.size()).boxed().sorted(Comparator.comparing(endY::get)).toList();
        final var middles = spread(order, endY, area);
        for (final var label : order) {
            final var x = area.getMaxX() + GAP;
            final var y = middles[label];
            if (endX.get(label) >= tiedFrom) {
                pen.line(endX.get(label) + 6, endY.get(label), area.getMaxX(), endY.get(label), TIE, THIN);
                pen.line(area.getMaxX(), endY.get(label), x - 3, y, TIE, THIN);
            }
            Legends.sample(pen, styles.get(label), x, y, SAMPLE);
            var lineY = y - (texts.get(label).size() - 1) * Pen.lineHeight(Pen.TEXT) / 2;
            for (final var text : texts.get(label)) {
                pen.text(text, Pen.TEXT, Pen.INK, x + SAMPLE + 6, lineY, Pen.Anchor.LEFT);
                lineY += Pen.lineHeight(Pen.TEXT);
            }
        }
    }

    /** As near to their ends as the order and the plot's edges allow: pushed down where too close, then back up from the lower edge. */
    private double[] spread(final List<Integer> order, final List<Double> wanted, final Rectangle area) {
        final var middles = new double[texts.size()];
        var free = (double) area.y;
        for (final var label : order) {
            middles[label] = Math.max(wanted.get(label), free + height(label) / 2);
            free = middles[label] + height(label) / 2;
        }
        var limit = area.getMaxY();
        for (var i = order.size() - 1; i >= 0; i--) {
            final var label = order.get(i);
            middles[label] = Math.min(middles[label], limit - height(label) / 2);
            limit = middles[label] - height(label) / 2;
        }
        return middles;
    }
}
