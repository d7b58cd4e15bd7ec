package org.verifycycle.report;

import org.verifycycle.chart.Wrap;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Plain lines for a terminal. */
public final class TerminalReport {
    public static final int WIDTH = 110;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final int width;
    private final boolean ansi;

    /** At most {@link #WIDTH} columns, no control sequences. */
    public TerminalReport() {
        this(WIDTH, false);
    }

    /** @param ansi whether titles may be set in bold by control sequences */
    public TerminalReport(final int width, final boolean ansi) {
        this.width = Math.max(60, width);
        this.ansi = ansi;
    }

    public String render(final ReportModel model) {
        final var lines = new ArrayList<String>();
        model.answer().forEach(sentence -> lines.addAll(TextTable.wrap(sentence, width)));
        for (final var section : model.sections()) {
            if (section.depth() == Section.Depth.BRIEF) {
                lines.add("");
                TextTable.wrap(section.title(), width).forEach(line -> lines.add(ansi ? BOLD + line + PLAIN : line));
                section.blocks().forEach(block -> lines.addAll(block(block)));
            }
        }
        return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
    }

    private List<String> block(final Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            return TextTable.wrap(paragraph.text(), width);
        }
        if (block instanceof Block.Command command) {
            return List.of(Wrap.clean(command.text()));
        }
        if (block instanceof Block.Table table) {
            return TextTable.lines(table, width);
        }
        return List.of();
    }
}
