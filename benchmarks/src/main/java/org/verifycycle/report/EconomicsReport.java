package org.verifycycle.report;

import org.verifycycle.chart.ChartFiles;
import org.verifycycle.chart.Drawing;
import org.verifycycle.chart.EconomicsCharts;
import org.verifycycle.chart.RunView;
import org.verifycycle.economics.Account;
import org.verifycycle.economics.Assumptions;
import org.verifycycle.economics.MeasuredCalls;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.RunAnalysis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether speculation pays: the account with its sections and charts, alone or as a part of a run's report. */
public final class EconomicsReport {
    private final Account account;
    private final List<Drawing> drawings;
    private final List<Section> sections;

    private EconomicsReport(final Account account, final boolean explain, final Optional<RunView> view) {
        this.account = account;
        this.drawings = ChartFiles.canDraw() ? EconomicsCharts.of(account, view) : List.of();
        this.sections = new EconomicsSections(account, explain).sections(drawings);
    }

    /** Without a run. @throws IllegalArgumentException naming what is missing, impossible or contradictory */
    public static EconomicsReport of(final Assumptions assumptions, final boolean explain) {
        return new EconomicsReport(assumptions.account(Optional.empty()), explain, Optional.empty());
    }

    /** With the collectives that a run has measured. @throws IllegalArgumentException naming what is missing, impossible or contradictory */
    public static EconomicsReport of(final Assumptions assumptions, final boolean explain, final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples) {
        final var measured = MeasuredCalls.of(run, analysis, samples, assumptions.drafts());
        return new EconomicsReport(assumptions.account(Optional.of(measured)), explain, Optional.of(new RunView(run, analysis)));
    }

    public Account account() {
        return account;
    }

    List<Section> sections() {
        return sections;
    }

    List<Drawing> drawings() {
        return drawings;
    }

    /** Writes the charts, if a folder is given, beside what is in it. @return the text for a terminal */
    public String write(final Optional<Path> plots) throws IOException {
        if (plots.isPresent()) {
            ChartFiles.add(plots.get(), drawings);
        }
        return new TerminalReport().render(new ReportModel("", List.of(), sections)).stripLeading()
                + plots.map(p -> "%n%s%n".formatted(drawings.isEmpty() ? "No charts: this Java can't draw text; install fontconfig and a font." : "Charts: " + p)).orElse("");
    }
}
