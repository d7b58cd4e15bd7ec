package org.verifycycle.report;

import org.verifycycle.chart.Wrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** One page that needs nothing else: style and pictures are within. */
final class HtmlReport {
    private final Path runFolder;

    /** @param runFolder where the charts' files are */
    HtmlReport(final Path runFolder) {
        this.runFolder = runFolder;
    }

    String render(final ReportModel model) throws IOException {
        final var page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>").append(escape(model.title()))
                .append("</title>\n<style>\n").append(style()).append("</style>\n</head>\n<body>\n<main>\n<h1>").append(escape(model.title()))
                .append("</h1>\n<div class=\"answer\">\n");
        model.answer().forEach(sentence -> page.append("<p>").append(escape(sentence)).append("</p>\n"));
        page.append("</div>\n");
        for (final var section : model.sections()) {
            final var folded = section.depth() == Section.Depth.FOLDED;
            page.append(folded ? "<details>\n<summary>" : "<section>\n<h2>").append(escape(section.title())).append(folded ? "</summary>\n" : "</h2>\n");
            for (final var block : section.blocks()) {
                page.append(block(block));
            }
            page.append(folded ? "</details>\n" : "</section>\n");
        }
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    private String block(final Block block) throws IOException {
        if (block instanceof Block.Paragraph paragraph) {
            return "<p>" + escape(paragraph.text()) + "</p>\n";
        }
        if (block instanceof Block.Command command) {
            return "<pre><code>" + escape(command.text()) + "</code></pre>\n";
        }
        if (block instanceof Block.Figure figure) {
            final var png = Files.readAllBytes(runFolder.resolve(figure.file() + ".png"));
            return "<figure><img src=\"data:image/png;base64," + Base64.getEncoder().encodeToString(png) + "\" width=\"" + figure.width() + "\" height=\""
                    + figure.height() + "\" alt=\"" + escape(figure.alt()) + "\">\n<figcaption>Also as " + escape(figure.file())
                    + ".svg and .csv beside this page.</figcaption></figure>\n";
        }
        return table((Block.Table) block);
    }

    private static String table(final Block.Table table) {
        final var text = new StringBuilder("<div class=\"wide\"><table>\n<thead><tr>");
        table.columns().forEach(c -> text.append(c.number() ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">").append(escape(c.header())).append("</th>"));
        text.append("</tr></thead>\n<tbody>\n");
        for (final var row : table.rows()) {
            text.append("<tr>");
            for (var c = 0; c < row.size(); c++) {
                text.append(table.columns().get(c).number() ? "<td class=\"n\">" : "<td>").append(escape(row.get(c))).append("</td>");
            }
            text.append("</tr>\n");
        }
        return text.append("</tbody>\n</table></div>\n").toString();
    }

    private static String style() throws IOException {
        try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
            if (css == null) {
                throw new IOException("report.css is missing from this jar");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static String escape(final String text) {
        return Wrap.clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
    }
}
