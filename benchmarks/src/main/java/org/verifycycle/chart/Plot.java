package org.verifycycle.chart;

import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.knowm.xchart.style.theme.XChartTheme;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Rectangle;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A plot area: XChart draws the data into it, the axes' rules and labels stand around it. */
final class Plot {
    private static final Color CLEAR = new Color(255, 255, 255, 0);
    private static final int MARKER_SIZE = 7;
    private static final double CAP = 4;

    private final Rectangle area;
    private final Axis x;
    private final Axis y;
    private final XYChart chart;

    Plot(final Rectangle area, final Axis x, final Axis y) {
        this.area = area;
        this.x = x;
        this.y = y;
        this.chart = new XYChart(area.width, area.height, new XChartTheme());
        final var style = chart.getStyler();
        style.setChartBackgroundColor(CLEAR).setPlotBackgroundColor(CLEAR).setPlotBorderVisible(false).setPlotContentSize(1)
                .setChartTitleVisible(false).setLegendVisible(false).setChartPadding(0).setMarkerSize(MARKER_SIZE);
        style.setXAxisTicksVisible(false).setYAxisTicksVisible(false).setXAxisTitleVisible(false).setYAxisTitleVisible(false)
                .setPlotGridLinesVisible(false).setPlotTicksMarksVisible(false).setAxisTicksLineVisible(false)
                .setAxisTicksMarksVisible(false).setPlotMargin(0).setXAxisMin(x.min()).setXAxisMax(x.max()).setYAxisMin(y.min()).setYAxisMax(y.max());
    }

    /** So many pixels along the x axis, in its values. */
    double across(final double pixels) {
        return pixels * (x.max() - x.min()) / area.width;
    }

    double px(final double value) {
        return area.x + (value - x.min()) / (x.max() - x.min()) * area.width;
    }

    double py(final double value) {
        return area.y + area.height - (value - y.min()) / (y.max() - y.min()) * area.height;
    }

    void line(final double[] xs, final double[] ys, final SeriesStyle style) {
        series(xs, ys, style.color(), style.stroke(), style.marker());
    }

    void steps(final double[] xs, final double[] ys, final SeriesStyle style) {
        series(xs, ys, style.color(), style.stroke(), SeriesMarkers.NONE).setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Step);
    }

    void point(final double atX, final double atY, final Color color, final Marker marker) {
        series(new double[] {atX}, new double[] {atY}, color, Pen.HAIR, marker);
    }

    /** A lying bar from {@code 0}, {@code thick} pixels high. */
    void bar(final double length, final double atY, final double thick, final Color fill, final Color edge) {
        final var half = thick / 2 * (y.max() - y.min()) / area.height;
        final var bar = series(new double[] {0, length, length, 0, 0}, new double[] {atY - half, atY - half, atY + half, atY + half, atY - half},
                edge, Pen.HAIR, SeriesMarkers.NONE);
        bar.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
        bar.setFillColor(fill);
    }

    /** The area between two lines over the same places. */
    void band(final double[] xs, final double[] low, final double[] high, final Color fill) {
        final var n = xs.length;
        final var edgeX = new double[2 * n + 1];
        final var edgeY = new double[2 * n + 1];
        for (int i = 0; i < n; i++) {
            edgeX[i] = xs[i];
            edgeY[i] = high[i];
            edgeX[2 * n - 1 - i] = xs[i];
            edgeY[2 * n - 1 - i] = low[i];
        }
        edgeX[2 * n] = edgeX[0];
        edgeY[2 * n] = edgeY[0];
        final var band = series(edgeX, edgeY, CLEAR, Pen.HAIR, SeriesMarkers.NONE);
        band.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
        band.setFillColor(fill);
    }

    void whiskerAlongX(final double low, final double high, final double atY, final Color color) {
        final var cap = CAP * (y.max() - y.min()) / area.height;
        whisker(new double[] {low, high}, new double[] {atY, atY}, color);
        whisker(new double[] {low, low}, new double[] {atY - cap, atY + cap}, color);
        whisker(new double[] {high, high}, new double[] {atY - cap, atY + cap}, color);
    }

    /** What stands there goes on beyond the axis. */
    void arrowAtRight(final double atY, final Color color) {
        final var back = x.max() - 2 * CAP * (x.max() - x.min()) / area.width;
        final var cap = CAP * (y.max() - y.min()) / area.height;
        whisker(new double[] {back, x.max(), back}, new double[] {atY - cap, atY, atY + cap}, color);
    }

    void whiskerAlongY(final double atX, final double low, final double high, final Color color) {
        final var cap = CAP * (x.max() - x.min()) / area.width;
        whisker(new double[] {atX, atX}, new double[] {low, high}, color);
        whisker(new double[] {atX - cap, atX + cap}, new double[] {low, low}, color);
        whisker(new double[] {atX - cap, atX + cap}, new double[] {high, high}, color);
    }

    /** Grid lines and labels of the ticks that have room; those that {@code must} accept have it first. */
    void drawXAxis(final Pen pen, final String title, final Predicate<Axis.Tick> must) {
        for (final var tick : withRoom(must)) {
            final var at = px(tick.at());
            pen.line(at, area.y, at, area.getMaxY(), Pen.GRID, Pen.HAIR);
            pen.line(at, area.getMaxY(), at, area.getMaxY() + 4, Pen.AXIS, Pen.HAIR);
            pen.text(tick.label(), Pen.TEXT, Pen.INK, at, area.getMaxY() + 14, Pen.Anchor.CENTRE);
        }
        pen.line(area.x, area.getMaxY(), area.getMaxX(), area.getMaxY(), Pen.AXIS, Pen.HAIR);
        pen.text(title, Pen.TEXT, Pen.SOFT, area.getMaxX(), area.getMaxY() + 32, Pen.Anchor.RIGHT);
    }

    /** The title stands above the axis, where it is read first and needs no turned head. */
    void drawYAxis(final Pen pen, final String title) {
        for (final var tick : y.ticks()) {
            final var at = py(tick.at());
            pen.line(area.x, at, area.getMaxX(), at, Pen.GRID, Pen.HAIR);
            pen.text(tick.label(), Pen.TEXT, Pen.INK, area.x - 7, at, Pen.Anchor.RIGHT);
        }
        pen.line(area.x, area.y, area.x, area.getMaxY(), Pen.AXIS, Pen.HAIR);
        pen.text(title, Pen.TEXT, Pen.SOFT, Page.MARGIN, area.y - 18, Pen.Anchor.LEFT);
    }

    void drawData(final Pen pen) {
        final var graphics = pen.graphics();
        final var before = graphics.getTransform();
        final var moved = new AffineTransform(before);
        moved.translate(area.x, area.y);
        graphics.setTransform(moved);
        chart.paint(graphics, area.width, area.height);
        graphics.setTransform(before);
    }

    private List<Axis.Tick> withRoom(final Predicate<Axis.Tick> must) {
        final var shown = new ArrayList<Axis.Tick>();
        final var taken = new ArrayList<Rectangle2D>();
        for (final var first : new boolean[] {true, false}) {
            for (final var tick : x.ticks()) {
                final var wide = Pen.width(tick.label(), Pen.TEXT) + 10;
                final var box = new Rectangle2D.Double(px(tick.at()) - wide / 2, 0, wide, 1);
                if (must.test(tick) == first && taken.stream().noneMatch(box::intersects)) {
                    shown.add(tick);
                    taken.add(box);
                }
            }
        }
        return shown;
    }

    private void whisker(final double[] xs, final double[] ys, final Color color) {
        series(xs, ys, color, new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER), SeriesMarkers.NONE);
    }

    private XYSeries series(final double[] xs, final double[] ys, final Color color, final BasicStroke stroke, final Marker marker) {
        final var series = chart.addSeries("s" + chart.getSeriesMap().size(), xs, ys);
        series.setMarkerColor(color);
        series.setMarker(marker);
        series.setLineColor(color).setLineStyle(stroke);
        return series;
    }
}
