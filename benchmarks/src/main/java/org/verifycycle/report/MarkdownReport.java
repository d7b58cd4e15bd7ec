package org.verifycycle.report;

import org.verifycycle.chart.Wrap;

import java.util.stream.Collectors;

/** GitHub-flavoured Markdown, charts linked by relative path. */
final class MarkdownReport {
    String render(final ReportModel model) {
        final var text = new StringBuilder("# ").append(escape(model.title())).append("\n\n");
        model.answer().forEach(sentence -> text.append(escape(sentence)).append("\n"));
        for (final var section : model.sections()) {
            text.append("\n## ").append(escape(section.title())).append("\n");
            section.blocks().forEach(block -> text.append("\n").append(block(block)));
        }
        return text.toString();
    }

    private String block(final Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            return escape(paragraph.text()) + "\n";
        }
        if (block instanceof Block.Command command) {
            // A fence longer than any run of backticks within can't be closed from within.
            final var fence = command.text().contains("```") ? "`".repeat(command.text().length() + 1) : "```";
            return fence + "\n" + Wrap.clean(command.text()) + "\n" + fence + "\n";
        }
        if (block instanceof Block.Figure figure) {
            return "![" + escape(figure.alt()) + "](" + figure.file() + ".png)\n\n[SVG](" + figure.file() + ".svg), [numbers](" + figure.file() + ".csv)\n";
        }
        return table((Block.Table) block);
    }

    private static String table(final Block.Table table) {
        return line(table.columns().stream().map(Block.Column::header).toList())
                + line(table.columns().stream().map(c -> c.number() ? "---:" : "---").toList())
                + table.rows().stream().map(r -> line(r.stream().map(MarkdownReport::escape).toList())).collect(Collectors.joining());
    }

    private static String line(final java.util.List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /** So that every character stands for itself, also in a table's cell. */
    static String escape(final String text) {
        return Wrap.clean(text).replaceAll("([\\\\`*_\\[\\]|#~])", "\\\\$1").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                .replace("://", ":&#47;&#47;");
    }
}
