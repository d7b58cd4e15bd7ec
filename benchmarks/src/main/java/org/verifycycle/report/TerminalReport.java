package org.verifycycle.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Plain lines for a terminal. */
public final class TerminalReport {
    public static final int WIDTH = 100;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final int width;
    private final boolean ansi;

    /** At most 100 columns, no control sequences. */
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
        model.answer().forEach(sentence -> lines.addAll(TextTable.wrap(clean(sentence), width)));
        for (final var section : model.sections()) {
            if (section.depth() == Section.Depth.BRIEF) {
                lines.add("");
                TextTable.wrap(clean(section.title()), width).forEach(line -> lines.add(ansi ? BOLD + line + PLAIN : line));
                section.blocks().forEach(block -> lines.addAll(block(block)));
            }
        }
        return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
    }

    private List<String> block(final Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            return TextTable.wrap(clean(paragraph.text()), width);
        }
        if (block instanceof Block.Command command) {
            return List.of(clean(command.text()));
        }
        if (block instanceof Block.Table table) {
            return TextTable.lines(table, width);
        }
        return List.of();
    }

    /** Names and errors come from outside: no control character of theirs reaches the terminal. */
    static String clean(final String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+", " ");
    }
}
