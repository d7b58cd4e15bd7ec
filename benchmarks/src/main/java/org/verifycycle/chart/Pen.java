package org.verifycycle.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** Writes and rules on a canvas, and remembers where text stands, so that a test can see overlaps and cut text. */
final class Pen {
    static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 17);
    static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    static final Font STRONG = new Font(Font.SANS_SERIF, Font.BOLD, 12);
    static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    static final Color INK = new Color(0x222222);
    static final Color SOFT = new Color(0x5F5F5F);
    static final Color GRID = new Color(0xE2E2E2);
    static final Color AXIS = new Color(0x9A9A9A);
    static final BasicStroke HAIR = new BasicStroke(1);
    static final BasicStroke RULE = new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {5, 4}, 0);
    /** The same for every canvas: layout must not depend on what it is drawn on. */
    private static final FontRenderContext METRICS = new FontRenderContext(null, true, true);

    private final Graphics2D graphics;
    private final List<Placed> placed = new ArrayList<>();

    /** A piece of text and the box it fills. */
    record Placed(String text, Rectangle2D box) { }

    enum Anchor { LEFT, CENTRE, RIGHT }

    Pen(final Graphics2D graphics) {
        this.graphics = graphics;
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    Graphics2D graphics() {
        return graphics;
    }

    List<Placed> placed() {
        return List.copyOf(placed);
    }

    static double width(final String text, final Font font) {
        return font.getStringBounds(text, METRICS).getWidth();
    }

    static double lineHeight(final Font font) {
        return font.getSize() * 1.35;
    }

    /** Writes one line whose vertical middle is at {@code y}. */
    void text(final String text, final Font font, final Color color, final double x, final double y, final Anchor anchor) {
        if (text.isEmpty()) {
            return;
        }
        final var width = width(text, font);
        final var left = switch (anchor) {
            case LEFT -> x;
            case CENTRE -> x - width / 2;
            case RIGHT -> x - width;
        };
        graphics.setFont(font);
        graphics.setColor(color);
        graphics.drawString(text, (float) left, (float) (y + font.getSize() * 0.36));
        placed.add(new Placed(text, new Rectangle2D.Double(left, y - font.getSize() * 0.5, width, font.getSize())));
    }

    /** The same, on a white ground, so that no rule runs through it. */
    void textOnWhite(final String text, final Font font, final Color color, final double x, final double y) {
        fill(new Rectangle2D.Double(x - 2, y - font.getSize() * 0.55, width(text, font) + 4, font.getSize() * 1.15), Color.WHITE);
        text(text, font, color, x, y, Anchor.LEFT);
    }

    void line(final double x1, final double y1, final double x2, final double y2, final Color color, final BasicStroke stroke) {
        graphics.setColor(color);
        graphics.setStroke(stroke);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    void fill(final Rectangle2D box, final Color color) {
        graphics.setColor(color);
        graphics.fill(box);
    }

    /** Lines no wider than {@code width}; none for empty text. */
    static List<String> wrap(final String text, final Font font, final double width) {
        return Wrap.lines(text, width, t -> width(t, font)).stream().filter(t -> !t.isEmpty()).toList();
    }
}
