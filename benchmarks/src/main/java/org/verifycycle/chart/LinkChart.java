package org.verifycycle.chart;

import org.verifycycle.device.Fabric;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the links between GPUs did when they were probed: a matrix each for latency and bandwidths, from row to column. */
public final class LinkChart {
    public static final String NAME = "links";
    private static final int PER_ROW = 3;
    private static final int GAP = 22;
    private static final int HEAD = 40;
    private static final int LABEL = 22;
    private static final int MAX_CELL = 56;
    private static final int CELL_HEIGHT = 24;
    private static final Color BAD = new Color(0xF2C4BC);
    private static final Color GOOD = new Color(0x9FC5E8);
    private static final Color NONE = new Color(0xEEEEEE);

    private final Fabric fabric;
    private final List<Integer> gpus;
    private final Page page;

    /** @param lowBest whether less is better */
    private record Panel(String title, String column, ToDoubleFunction<Fabric.Pair> value, double per, boolean lowBest) { }

    private static final List<Panel> PANELS = List.of(new Panel("flag, one way, us", "flag_us", Fabric.Pair::flagNanos, 1e3, true),
            new Panel("stores alone, GB/s", "store_GBps", Fabric.Pair::storeGBps, 1, false), new Panel("stores, all at once, GB/s", "store_all_GBps", Fabric.Pair::storeAllGBps, 1, false),
            new Panel("loads alone, GB/s", "load_GBps", Fabric.Pair::loadGBps, 1, false), new Panel("loads, all at once, GB/s", "load_all_GBps", Fabric.Pair::loadAllGBps, 1, false));

    private LinkChart(final Fabric fabric, final String machine) {
        this.fabric = fabric;
        this.gpus = fabric.pairs().stream().flatMap(p -> Stream.of(p.from(), p.to())).distinct().sorted().toList();
        this.page = new Page("What the links between the GPUs do", List.of("By stores and loads of kernels, from the GPU of the row to the memory of the GPU of the column"), below(fabric, machine));
    }

    /** Empty where no pair was probed. @param machine to be named below it */
    public static Optional<Drawing> of(final Fabric fabric, final String machine) {
        if (fabric.pairs().isEmpty()) {
            return Optional.empty();
        }
        final var chart = new LinkChart(fabric, machine);
        return Optional.of(new Drawing(NAME, "What the links between the GPUs do", chart.alt(), chart.page.height(chart.bodyHeight()), chart.csv(), chart::paint));
    }

    private static List<String> below(final Fabric fabric, final String machine) {
        final var lines = new ArrayList<String>();
        fabric.findings().forEach(f -> lines.add("Found: " + f.text() + "."));
        if (fabric.findings().isEmpty()) {
            lines.add("No wrong word, no torn store, nothing collapsed.");
        }
        fabric.problem().ifPresent(p -> lines.add("Ended early: " + p + "."));
        lines.add(machine + ".");
        return lines;
    }

    private double cell() {
        final var panel = (Page.WIDTH - 2.0 * Page.MARGIN - (PER_ROW - 1) * GAP) / PER_ROW;
        return Math.min(MAX_CELL, (panel - LABEL) / gpus.size());
    }

    private int panelHeight() {
        return HEAD + gpus.size() * CELL_HEIGHT + GAP;
    }

    private int bodyHeight() {
        return panelHeight() * ((PANELS.size() + PER_ROW - 1) / PER_ROW);
    }

    private void paint(final Pen pen) {
        page.draw(pen, bodyHeight());
        final var step = (Page.WIDTH - 2.0 * Page.MARGIN + GAP) / PER_ROW;
        for (int i = 0; i < PANELS.size(); i++) {
            panel(pen, PANELS.get(i), Page.MARGIN + i % PER_ROW * step, page.top() + (double) (i / PER_ROW) * panelHeight());
        }
    }

    private void panel(final Pen pen, final Panel panel, final double x, final double y) {
        pen.text(panel.title(), Pen.STRONG, Pen.INK, x, y + 12, Pen.Anchor.LEFT);
        final var measured = fabric.pairs().stream().mapToDouble(panel.value()).filter(v -> v > 0).summaryStatistics();
        final var width = cell();
        for (int c = 0; c < gpus.size(); c++) {
            pen.text(Integer.toString(gpus.get(c)), Pen.SMALL, Pen.SOFT, x + LABEL + (c + 0.5) * width, y + HEAD - 10, Pen.Anchor.CENTRE);
        }
        for (int r = 0; r < gpus.size(); r++) {
            final var top = y + HEAD + r * CELL_HEIGHT;
            pen.text(Integer.toString(gpus.get(r)), Pen.SMALL, Pen.SOFT, x + LABEL - 8, top + CELL_HEIGHT / 2.0, Pen.Anchor.RIGHT);
            for (int c = 0; c < gpus.size(); c++) {
                final var box = new Rectangle2D.Double(x + LABEL + c * width + 1, top + 1, width - 2, CELL_HEIGHT - 2);
                final var value = value(panel, gpus.get(r), gpus.get(c));
                pen.fill(box, value == 0 ? NONE : color(panel, value, measured.getMin(), measured.getMax()));
                pen.text(r == c ? "" : text(value / panel.per()), Pen.SMALL, Pen.INK, box.getCenterX(), box.getCenterY(), Pen.Anchor.CENTRE);
            }
        }
    }

    private double value(final Panel panel, final int from, final int to) {
        return fabric.pairs().stream().filter(p -> p.from() == from && p.to() == to).mapToDouble(panel.value()).findFirst().orElse(0);
    }

    /** By ratio to the best: what is half as good is in the middle, what is a quarter or less is at the end. */
    private static Color color(final Panel panel, final double value, final double least, final double most) {
        final var worse = panel.lowBest() ? value / least : most / value;
        final var bad = Math.min(1, Math.log(worse) / Math.log(4));
        return new Color(mix(GOOD.getRed(), BAD.getRed(), bad), mix(GOOD.getGreen(), BAD.getGreen(), bad), mix(GOOD.getBlue(), BAD.getBlue(), bad));
    }

    private static int mix(final int good, final int bad, final double share) {
        return (int) Math.round(good + (bad - good) * share);
    }

    private static String text(final double value) {
        return value == 0 ? "-" : value < 10 ? String.format(Locale.ROOT, "%.2f", value) : value < 100 ? String.format(Locale.ROOT, "%.1f", value) : String.format(Locale.ROOT, "%.0f", value);
    }

    private String alt() {
        return "Matrices of " + gpus.size() + " GPUs: " + String.join("; ", PANELS.stream().map(p -> {
            final var measured = fabric.pairs().stream().mapToDouble(p.value()).filter(v -> v > 0).summaryStatistics();
            return p.title() + (measured.getCount() == 0 ? " not measured" : " " + text(measured.getMin() / p.per()) + " to " + text(measured.getMax() / p.per()));
        }).toList()) + ".";
    }

    private List<List<String>> csv() {
        final var rows = new ArrayList<List<String>>();
        rows.add(Stream.concat(Stream.of("from", "to"), PANELS.stream().map(Panel::column)).toList());
        fabric.pairs().forEach(p -> rows.add(Stream.concat(Stream.of(Integer.toString(p.from()), Integer.toString(p.to())),
                PANELS.stream().map(panel -> panel.value().applyAsDouble(p) == 0 ? "" : Double.toString(panel.value().applyAsDouble(p) / panel.per()))).toList()));
        return rows;
    }
}
