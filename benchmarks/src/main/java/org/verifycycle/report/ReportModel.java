package org.verifycycle.report;

import org.verifycycle.chart.Drawing;
import org.verifycycle.chart.RunView;
import org.verifycycle.result.NcclTests;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A whole report.
 *
 * @param answer   sentences, the most important first
 * @param sections in the order of reading; whoever has more to say adds one
 */
public record ReportModel(String title, List<String> answer, List<Section> sections) {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    public ReportModel {
        answer = List.copyOf(answer);
        sections = List.copyOf(sections);
    }

    /** @param drawings whose files are in {@code plots/} */
    public static ReportModel of(final RunView view, final List<Drawing> drawings) {
        return of(view, drawings, List.of());
    }

    /** @param imported another program's results, to stand beside those of the run */
    public static ReportModel of(final RunView view, final List<Drawing> drawings, final List<NcclTests> imported) {
        final var sections = new ArrayList<Section>();
        if (!drawings.isEmpty()) {
            sections.add(new Section("Charts", Section.Depth.FULL, drawings.stream()
                    .<Block>map(d -> new Block.Figure(d.title(), d.alt(), "plots/" + d.name(), d.width(), d.height())).toList()));
        }
        final var foreign = new ImportedTables(view, imported);
        final var tables = new GroupTables(view, foreign);
        sections.addAll(tables.atWorkload());
        sections.addAll(tables.bySize());
        final var policy = new PolicyCheck(view);
        policy.section().ifPresent(sections::add);
        view.run().fabric().map(LinkTables::stored).ifPresent(sections::addAll);
        sections.addAll(new SkewTables(view).sections());
        final var account = new RunAccount(view);
        account.leftOut().ifPresent(sections::add);
        account.failures().ifPresent(sections::add);
        sections.addAll(foreign.sections());
        sections.addAll(new HowItRan(view).sections());
        sections.addAll(tables.otherSizes());
        sections.add(account.howToRead());
        sections.add(account.environment());
        sections.add(account.repeat());
        final var run = view.run();
        return new ReportModel("All-reduce for a verify cycle on " + run.environment().host() + ", " + DAY.format(run.startedAt()),
                Stream.concat(new AnswerText(view).sentences().stream(), policy.sentence().stream()).toList(), sections);
    }

    /** With one more section, before the one of that title, or last where there is none. */
    public ReportModel withBefore(final String sectionTitle, final Section section) {
        final var more = new ArrayList<>(sections);
        final var at = sections.stream().map(Section::title).toList().indexOf(sectionTitle);
        more.add(at < 0 ? more.size() : at, section);
        return new ReportModel(title, answer, more);
    }
}
