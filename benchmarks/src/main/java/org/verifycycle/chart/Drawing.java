package org.verifycycle.chart;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.function.Consumer;

/** A chart, laid out and ready to be written. */
public final class Drawing {
    private final String name;
    private final String title;
    private final String alt;
    private final int height;
    private final List<List<String>> csv;
    private final Consumer<Pen> painter;

    /**
     * @param name    of its files, without an extension
     * @param alt     what it shows, in words, for those who can't see it
     * @param csv     the plotted numbers, a header first
     * @param painter must draw the same on every canvas it is given
     */
    Drawing(final String name, final String title, final String alt, final int height, final List<List<String>> csv, final Consumer<Pen> painter) {
        this.name = name;
        this.title = title;
        this.alt = alt;
        this.height = height;
        this.csv = csv;
        this.painter = painter;
    }

    public String name() {
        return name;
    }

    public String title() {
        return title;
    }

    public String alt() {
        return alt;
    }

    /** In CSS pixels. */
    public int width() {
        return Page.WIDTH;
    }

    public int height() {
        return height;
    }

    List<List<String>> csv() {
        return csv;
    }

    void paint(final Pen pen) {
        painter.accept(pen);
    }

    /** Every piece of text and where it stands. */
    List<Pen.Placed> texts() {
        final var graphics = new BufferedImage(width(), height, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            final var pen = new Pen(graphics);
            paint(pen);
            return pen.placed();
        } finally {
            graphics.dispose();
        }
    }
}
