package org.verifycycle.report;

import org.verifycycle.chart.Wrap;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Plain lines for a terminal. */
public final class TerminalReport {
    public static final int WIDTH = 110;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final String CONTINUED = " \\";
    /** Of a shell: what is in quotes belongs together. */
    private static final Pattern WORD = Pattern.compile("(?:\\\\.|'[^']*'|[^\\s'])+|'");

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

    /** Broken between words, so that it can still be copied; a word longer than a line stays whole. */
    private List<String> command(final String text) {
        final var lines = new ArrayList<String>();
        var line = "";
        for (final var word : WORD.matcher(text).results().map(MatchResult::group).toList()) {
            if (!line.isEmpty() && line.length() + 1 + word.length() + CONTINUED.length() > width) {
                lines.add(line + CONTINUED);
                line = "  " + word;
            } else {
                line += line.isEmpty() ? word : " " + word;
            }
        }
        lines.add(line);
        return lines;
    }

    private List<String> block(final Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            return TextTable.wrap(paragraph.text(), width);
        }
        if (block instanceof Block.Command command) {
            return command(Wrap.clean(command.text()));
        }
        if (block instanceof Block.Table table) {
            return TextTable.lines(table, width);
        }
        return List.of();
    }
}
