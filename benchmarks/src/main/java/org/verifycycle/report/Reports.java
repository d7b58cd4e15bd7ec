package org.verifycycle.report;

import org.verifycycle.chart.ChartFiles;
import org.verifycycle.chart.Drawing;
import org.verifycycle.chart.RunCharts;
import org.verifycycle.chart.RunView;
import org.verifycycle.result.NcclTests;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.RunAnalysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes a run's report from what is stored of it. */
public final class Reports {
    private Reports() { }

    /**
     * Writes {@code plots/}, {@code report.md} and {@code index.html} into the run's folder, in place of those of an earlier report.
     *
     * @param samples reads the samples of a round whose status is OK
     * @return the report for a terminal
     * @throws IOException when files can't be written; what the earlier report had is then still there
     */
    public static String write(final Path runFolder, final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples) throws IOException {
        return write(runFolder, run, analysis, samples, List.of(), Optional.empty());
    }

    /**
     * @param imported  another program's results, to stand beside those of the run
     * @param economics whether speculation pays, where that was asked
     */
    public static String write(final Path runFolder, final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples, final List<NcclTests> imported,
                               final Optional<EconomicsReport> economics) throws IOException {
        return write(runFolder, run, analysis, samples, imported, economics.map(EconomicsReport::sections).orElse(List.of()), economics.map(EconomicsReport::drawings).orElse(List.of()),
                new TerminalReport());
    }

    /** @param more sections of others, shown before the environment */
    public static String write(final Path runFolder, final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples, final List<Section> more,
                               final TerminalReport terminal) throws IOException {
        return write(runFolder, run, analysis, samples, List.of(), more, List.of(), terminal);
    }

    /** @param moreDrawings of those sections' figures */
    private static String write(final Path runFolder, final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples, final List<NcclTests> imported,
                                final List<Section> more, final List<Drawing> moreDrawings, final TerminalReport terminal) throws IOException {
        final var view = new RunView(run, analysis);
        final var canDraw = ChartFiles.canDraw();
        final var drawings = canDraw ? RunCharts.of(view, samples) : List.<Drawing>of();
        if (canDraw) {
            ChartFiles.write(runFolder.resolve("plots"), Stream.concat(drawings.stream(), moreDrawings.stream()).toList());
        }
        var model = ReportModel.of(view, drawings, imported);
        final var launches = new LaunchTables(view, samples).section();
        if (launches.isPresent()) {
            model = model.withBefore(RunAccount.HOW_TO_READ, launches.get());
        }
        if (!canDraw) {
            model = model.withBefore("Left out", noCharts());
        }
        for (final var section : more) {
            model = model.withBefore("Environment", section);
        }
        replace(runFolder.resolve("report.md"), new MarkdownReport().render(model));
        replace(runFolder.resolve("index.html"), new HtmlReport(runFolder).render(model));
        return terminal.render(model);
    }

    static Section noCharts() {
        return new Section("No charts", Section.Depth.BRIEF, List.of(new Block.Paragraph("This Java can't draw text: install fontconfig and a font "
                + "(Debian: fontconfig fonts-dejavu-core), then run report again.")));
    }

    private static void replace(final Path file, final String text) throws IOException {
        final var temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            Files.writeString(temporary, text, StandardCharsets.UTF_8);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
