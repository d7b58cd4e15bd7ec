package org.verifycycle.report;

import org.verifycycle.chart.Wrap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A table in plain text no wider than asked: cells of the widest columns take several lines where need be. */
final class TextTable {
    private static final String GAP = "  ";
    private static final int NARROWEST = 8;

    private TextTable() { }

    private record Give(boolean numbersToo, int narrowest) { }

    static List<String> lines(final Block.Table table, final int width) {
        final var shown = IntStream.range(0, table.columns().size()).filter(c -> !table.columns().get(c).detail()).boxed().toList();
        final var columns = shown.stream().map(table.columns()::get).toList();
        final var rows = new ArrayList<List<String>>();
        rows.add(columns.stream().map(Block.Column::header).toList());
        table.rows().forEach(row -> rows.add(shown.stream().map(row::get).map(Wrap::clean).toList()));
        final var widths = widths(columns, rows, width);
        final var lines = new ArrayList<String>();
        for (var r = 0; r < rows.size(); r++) {
            lines.addAll(row(columns, rows.get(r), widths));
            if (r == 0) {
                lines.add("-".repeat(Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1)));
            }
        }
        return lines;
    }

    static List<String> wrap(final String text, final int width) {
        return Wrap.lines(text, width, String::length);
    }

    /** Text columns give way, the widest first, then headers and numbers too, in the end all of them as far as need be. */
    private static int[] widths(final List<Block.Column> columns, final List<List<String>> rows, final int width) {
        final var widths = IntStream.range(0, columns.size()).map(c -> rows.stream().mapToInt(r -> r.get(c).length()).max().orElse(0)).toArray();
        final var room = width - GAP.length() * (columns.size() - 1);
        for (final var step : List.of(new Give(false, NARROWEST), new Give(true, NARROWEST), new Give(true, 1))) {
            while (Arrays.stream(widths).sum() > room) {
                final var widest = IntStream.range(0, widths.length).filter(c -> (step.numbersToo() || !columns.get(c).number()) && widths[c] > step.narrowest())
                        .reduce((a, b) -> widths[b] > widths[a] ? b : a);
                if (widest.isEmpty()) {
                    break;
                }
                widths[widest.getAsInt()]--;
            }
        }
        return widths;
    }

    private static List<String> row(final List<Block.Column> columns, final List<String> cells, final int[] widths) {
        final var wrapped = IntStream.range(0, cells.size()).mapToObj(c -> wrap(cells.get(c), widths[c])).toList();
        final var height = wrapped.stream().mapToInt(List::size).max().orElse(1);
        final var lines = new ArrayList<String>();
        for (var l = 0; l < height; l++) {
            final var line = new StringBuilder();
            for (var c = 0; c < widths.length; c++) {
                final var text = l < wrapped.get(c).size() ? wrapped.get(c).get(l) : "";
                final var pad = " ".repeat(widths[c] - text.length());
                line.append(c == 0 ? "" : GAP).append(columns.get(c).number() ? pad + text : text + pad);
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
