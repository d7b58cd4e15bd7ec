package org.verifycycle.chart;

import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** What is around the plot of every chart: the title and what it is about above, how it was measured below. */
final class Page {
    static final int WIDTH = 960;
    static final int MARGIN = 20;

    private final List<String> title;
    private final List<String> subtitle;
    private final List<String> caption;

    Page(final String title, final List<String> subtitle, final List<String> caption) {
        this.title = Pen.wrap(title, Pen.TITLE, WIDTH - 2 * MARGIN);
        this.subtitle = wrapped(subtitle, Pen.TEXT);
        this.caption = wrapped(caption, Pen.SMALL);
    }

    /** Where the body begins. */
    int top() {
        return (int) Math.ceil(MARGIN + title.size() * Pen.lineHeight(Pen.TITLE) + subtitle.size() * Pen.lineHeight(Pen.TEXT) + 6);
    }

    /** Of the whole picture. */
    int height(final int bodyHeight) {
        return (int) Math.ceil(top() + bodyHeight + 16 + caption.size() * Pen.lineHeight(Pen.SMALL) + MARGIN * 0.6);
    }

    void draw(final Pen pen, final int bodyHeight) {
        pen.fill(new Rectangle2D.Double(0, 0, WIDTH, height(bodyHeight)), java.awt.Color.WHITE);
        var y = MARGIN + Pen.lineHeight(Pen.TITLE) / 2 - 4;
        for (final var line : title) {
            pen.text(line, Pen.TITLE, Pen.INK, MARGIN, y, Pen.Anchor.LEFT);
            y += Pen.lineHeight(Pen.TITLE);
        }
        y += 1;
        for (final var line : subtitle) {
            pen.text(line, Pen.TEXT, Pen.SOFT, MARGIN, y, Pen.Anchor.LEFT);
            y += Pen.lineHeight(Pen.TEXT);
        }
        final var below = top() + bodyHeight + 6;
        pen.line(MARGIN, below, WIDTH - MARGIN, below, Pen.GRID, Pen.HAIR);
        y = below + 12;
        for (final var line : caption) {
            pen.text(line, Pen.SMALL, Pen.SOFT, MARGIN, y, Pen.Anchor.LEFT);
            y += Pen.lineHeight(Pen.SMALL);
        }
    }

    private static List<String> wrapped(final List<String> texts, final Font font) {
        final var lines = new ArrayList<String>();
        texts.forEach(text -> lines.addAll(Pen.wrap(text, font, WIDTH - 2 * MARGIN)));
        return lines;
    }
}
