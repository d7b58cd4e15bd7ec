package org.verifycycle.chart;

import org.verifycycle.result.Entry;

import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The labelled rows of a chart of lying bars or points: names in full, on as many lines as they need. */
final class Rows {
    private static final int WIDEST = 300;
    private static final int LEAST_HEIGHT = 28;
    private static final double PADDING = 10;

    private final List<Entry> entries;
    private final Map<Entry, List<Line>> lines = new HashMap<>();
    private final Map<Entry, Double> middles = new HashMap<>();
    private final int height;

    private record Line(String text, java.awt.Font font, java.awt.Color color) { }

    Rows(final RunView view, final List<Entry> entries) {
        this.entries = entries;
        final var heights = new HashMap<Entry, Double>();
        for (final var entry : entries) {
            lines.put(entry, label(view, entry));
            heights.put(entry, Math.max(LEAST_HEIGHT, lines.get(entry).size() * Pen.lineHeight(Pen.TEXT) + PADDING));
        }
        this.height = (int) Math.ceil(heights.values().stream().mapToDouble(d -> d).sum());
        var top = (double) height;
        for (final var entry : entries) {
            middles.put(entry, top - heights.get(entry) / 2);
            top -= heights.get(entry);
        }
    }

    List<Entry> entries() {
        return entries;
    }

    int height() {
        return height;
    }

    /** In pixels above the lower edge of the rows. */
    double middle(final Entry entry) {
        return middles.get(entry);
    }

    int labelWidth() {
        return (int) Math.ceil(lines.values().stream().flatMap(List::stream).mapToDouble(l -> Pen.width(l.text(), l.font())).max().orElse(0));
    }

    void draw(final Pen pen, final Rectangle area) {
        for (final var entry : entries) {
            final var texts = lines.get(entry);
            var y = area.getMaxY() - middle(entry) - (texts.size() - 1) * Pen.lineHeight(Pen.TEXT) / 2;
            for (final var line : texts) {
                pen.text(line.text(), line.font(), line.color(), area.x - 10, y, Pen.Anchor.RIGHT);
                y += Pen.lineHeight(Pen.TEXT);
            }
        }
    }

    private static List<Line> label(final RunView view, final Entry entry) {
        final var spec = entry.configuration().collective();
        final var baseline = entry.purpose() == Entry.Purpose.BASELINE || entry.purpose() == Entry.Purpose.BASELINE_COPY;
        final var label = new ArrayList<Line>();
        Pen.wrap(spec.path(), Pen.STRONG, WIDEST).forEach(t -> label.add(new Line(t, Pen.STRONG, Pen.INK)));
        final var settings = spec.toString().substring(spec.path().length()).replaceFirst("^:", "");
        Pen.wrap(settings, Pen.SMALL, WIDEST).forEach(t -> label.add(new Line(t, Pen.SMALL, Pen.INK)));
        final var notes = new ArrayList<String>();
        if (baseline) {
            notes.add(entry.purpose() == Entry.Purpose.BASELINE ? "baseline" : "baseline again (A/A)");
        }
        notes.addAll(view.marks(entry));
        if (!notes.isEmpty()) {
            Pen.wrap(String.join(", ", notes), Pen.SMALL, WIDEST).forEach(t -> label.add(new Line(t, Pen.SMALL, Pen.SOFT)));
        }
        return label;
    }
}
