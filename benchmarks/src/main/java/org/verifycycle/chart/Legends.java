package org.verifycycle.chart;

/** A line's sample beside its name. */
final class Legends {
    private static final int MARKER_SIZE = 7;

    private Legends() { }

    static void sample(final Pen pen, final SeriesStyle style, final double x, final double y, final double length) {
        pen.line(x, y, x + length, y, style.color(), style.stroke());
        pen.graphics().setColor(style.color());
        style.marker().paint(pen.graphics(), x + length / 2, y, MARKER_SIZE);
    }
}
