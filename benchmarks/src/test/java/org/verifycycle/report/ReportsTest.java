package org.verifycycle.report;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.chart.RunFixture;
import org.verifycycle.chart.RunView;
import org.verifycycle.result.Interval;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.RunAnalysis;
import org.verifycycle.stats.Verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class ReportsTest {
    private static final String HOSTILE = "</td><script>alert('x')</script> | `a` **b** [c](https://evil.example/d) \u001b[31m & \"q\"\nsecond line";

    private static final RunFixture TWO = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(8192, RunFixture.BYTES), 3);

    @TempDir
    private static Path hostile;
    @TempDir
    private Path folder;

    /** One large report with odd texts in it, for all that look at its files. */
    @BeforeAll
    static void writeLargeReport() throws IOException {
        final var made = RunFixture.host().error(HOSTILE).host(HOSTILE).make();
        Reports.write(hostile, made.run(), made.analysis(), made.samples());
    }

    @Test
    void theAnswerComesFirstWithItsCostAndHowSure() {
        final var text = terminal(RunFixture.host());
        final var answer = text.substring(0, text.indexOf("\n\n")).replaceAll("\\s+", " ");
        assertThat(answer).startsWith("Use host/one-shot-pull with 2 ranks: a verify cycle (122 calls of 43,008 bytes) costs ")
                .contains("us per call.", "as fast as the baseline host/ring", "How sure: 95 % interval over 5 rounds of fresh processes",
                        "host shared memory, not GPU numbers",
                        "With 4 ranks (oversubscribed: 4 ranks share 2 cores and take turns)", "Wrong results (no time is shown for them): host/broken",
                        "Failed: host/crashing")
                .containsPattern("The baseline measured twice \\(A/A\\) differs by [\\d.]+ %: no claim below [\\d.]+ %\\.");
    }

    @Test
    void aLateRankHasATableOfItsOwnAndTheAnswerIsOfCyclesWithoutOne() {
        final var late = terminal(RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(RunFixture.BYTES), 3).skews(0, 20_000, 150_000));
        final var plain = terminal(RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(RunFixture.BYTES), 3));
        assertThat(late).startsWith(plain.substring(0, plain.indexOf("Left out")).strip());
        assertThat(late).contains("Cost over skew: 2 ranks, 43,008 bytes, fp32, eager, 122 calls").containsPattern("collective +none late +20 us late +150 us late")
                .containsPattern("host/ring +[\\d,]+ \\+ 0\\.\\d+ +[\\d,]+ \\+ 20\\.\\d +[\\d,]+ \\+ 150");
    }

    @Test
    void oneRoundIsNotCalledSure() {
        final var text = terminal(RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(RunFixture.BYTES), 1));
        assertThat(text).contains("How sure: one round gives no interval; run at least 5 before trusting this.").contains("~").doesNotContain("95 %");
    }

    @Test
    void nothingWithATimeGivesNoAnswerButAReport() throws IOException {
        final var text = write(RunFixture.of(List.of("host/ring"), List.of(2), List.of(RunFixture.BYTES), 2).bad("host/ring", RoundResult.Status.FAILED));
        assertThat(text).startsWith("No answer: no collective has a time at 43,008 bytes.").contains("rank 1 died: exit code 137");
        assertThat(folder.resolve("index.html")).isNotEmptyFile();
    }

    @Test
    void anUnfinishedRunSaysSo() {
        final var made = RunFixture.host().make();
        final var run = made.run();
        final var cut = new Run(run.schema(), run.id(), run.startedAt(), Optional.empty(), run.command(), run.workload(), run.plan(), run.environment(),
                run.entries(), run.leftOut());
        assertThat(new TerminalReport().render(ReportModel.of(new RunView(cut, made.analysis()), List.of()))).contains("This run is not finished: 500 of 500 rounds");
    }

    @Test
    void theTerminalStaysWithinItsWidthAndPlain() {
        for (final var fixture : List.of(RunFixture.host(), RunFixture.gpu().error("x".repeat(300)).host(HOSTILE))) {
            assertThat(terminal(fixture).lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TerminalReport.WIDTH))
                    .noneMatch(line -> line.matches(".*[\\p{Cntrl}].*"));
        }
    }

    @Test
    void theBestOfTheBaselinesLibraryIsNamedBesideIt() throws IOException {
        final var answer = answer(RunFixture.gpu());
        assertThat(answer).containsPattern("as fast as the baseline nccl/default \\([^)]*\\), a saving of .* It is [\\d.]+x \\[[^]]*\\] as fast as NCCL's best here, nccl/[a-z].*? \\(");
        write(RunFixture.gpu());
        assertThat(folder.resolve("report.md")).content().contains("| x NCCL's best |").contains("NCCL's best of 4 settings here: nccl/ring:channels=2;proto=LL.");
        assertThat(answer(RunFixture.of(List.of("ipc/one-shot-pull", "nccl/default"), List.of(2), List.of(RunFixture.BYTES), 5))).doesNotContain("NCCL's best");
    }

    @Test
    void aNarrowTerminalLosesNothing() {
        final var model = ReportModel.of(RunFixture.gpu().make().view(), List.of());
        final var narrow = new TerminalReport(80, false).render(model);
        assertThat(narrow.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(new TerminalReport(80, true).render(model).replaceAll("\u001b\\[[01]m", "")).isEqualTo(narrow);
    }

    @Test
    void aWrongCollectiveHasNoNumberAnywhere() {
        final var model = ReportModel.of(RunFixture.host().estimatesForWrong().make().view(), List.of());
        final var text = new TerminalReport().render(model);
        assertThat(text.lines().filter(l -> l.startsWith("host/broken ")).filter(l -> !l.contains("exit code")))
                .isNotEmpty().allSatisfy(l -> assertThat(l.substring("host/broken".length())).doesNotContainPattern("\\d"));
        assertThat(text).doesNotContainPattern("Use host/broken");
        final var markdown = new MarkdownReport().render(model);
        assertThat(markdown.lines().filter(l -> l.startsWith("| host/broken |") && !l.contains("exit code")))
                .isNotEmpty().allSatisfy(l -> assertThat(l).doesNotContainPattern("\\d"));
    }

    @Test
    void thePageNeedsNothingFromElsewhereAndEscapesEverything() throws IOException {
        final var page = Files.readString(hostile.resolve("index.html"));
        assertThat(page).doesNotContain("<script", "<link", "<iframe", "@import", "url(", "javascript:", "\u001b");
        assertThat(page).doesNotContainPattern("(?i)(src|href|action|data|poster|srcset)\\s*=\\s*[\"']?(?!data:image/png;base64,)[a-z]+:");
        final var withoutPictures = page.replaceAll("data:image/png;base64,[A-Za-z0-9+/=]+", "");
        assertThat(withoutPictures).contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        assertThat(tags(withoutPictures)).noneMatch(tag -> tag.contains("://"));
        assertThat(page.length()).isLessThan(2_000_000);
    }

    @Test
    void thePageIsWholeAndItsPicturesHaveWords() throws IOException {
        final var page = Files.readString(hostile.resolve("index.html")).replaceAll("data:image/png;base64,[A-Za-z0-9+/=]+", "PNG");
        for (final var tag : List.of("section", "table", "tr", "td", "div", "figure", "details", "main", "p")) {
            assertThat(count(page, "<" + tag + "[ >]")).as(tag).isEqualTo(count(page, "</" + tag + ">"));
        }
        assertThat(count(page, "<img ")).isEqualTo(8).isEqualTo(count(page, "alt=\"[^\"]{40,}\""));
        assertThat(page.indexOf("class=\"answer\"")).isLessThan(page.indexOf("Charts"));
        assertThat(page).contains("Left out", "Environment", "java -jar benchmarks.jar run --budget 3m", "prefers-color-scheme: dark", "width=device-width");
    }

    @Test
    void markdownTablesAreWellFormedAndChartsAreThere() throws IOException {
        final var lines = Files.readAllLines(hostile.resolve("report.md"));
        var columns = 0;
        for (final var line : lines) {
            if (line.startsWith("|")) {
                final var cells = line.replace("\\|", "").chars().filter(c -> c == '|').count();
                columns = columns == 0 ? (int) cells : columns;
                assertThat(cells).as(line).isEqualTo(columns);
            } else {
                columns = 0;
            }
        }
        final var links = Pattern.compile("]\\((plots/[^)]+)\\)").matcher(String.join("\n", lines)).results().map(r -> r.group(1)).toList();
        assertThat(links).hasSize(3 * 8).allSatisfy(link -> assertThat(hostile.resolve(link)).isNotEmptyFile());
        assertThat(lines).noneMatch(l -> l.contains("https://"));
    }

    @Test
    void theSameRunGivesTheSameReportAgain() throws IOException {
        final var first = write(TWO);
        final var page = Files.readString(folder.resolve("index.html"));
        assertThat(write(TWO)).isEqualTo(first);
        assertThat(Files.readString(folder.resolve("index.html"))).isEqualTo(page);
        try (var files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactlyInAnyOrder("plots", "index.html", "report.md");
        }
    }

    @Test
    void othersCanAddSections() throws IOException {
        final var made = TWO.make();
        final var more = new Section("Economics", Section.Depth.BRIEF, List.of(new Block.Paragraph("It pays.")));
        assertThat(Reports.write(folder, made.run(), made.analysis(), made.samples(), List.of(more), new TerminalReport())).contains("Economics\nIt pays.");
        assertThat(Files.readString(folder.resolve("report.md"))).containsSubsequence("## Economics", "It pays.", "## Environment");
    }

    @Test
    void aCommandIsQuotedSoThatItCanBeCopied() {
        final var made = TWO.make();
        final var run = made.run();
        final var odd = new Run(run.schema(), run.id(), run.startedAt(), run.finishedAt(), List.of("java", "-jar", "benchmarks.jar", "run", "--collective", "host/ring:a=b;c=d", "--out", "it's"),
                run.workload(), run.plan(), run.environment(), run.entries(), run.leftOut());
        assertThat(new MarkdownReport().render(ReportModel.of(new RunView(odd, made.analysis()), List.of()))).contains("\njava -jar benchmarks.jar run --collective 'host/ring:a=b;c=d' --out 'it'\\''s'\n");
    }

    @Test
    void withoutATimeOfTheBaselineNothingIsRecommended() {
        for (final var status : List.of(RoundResult.Status.FAILED, RoundResult.Status.WRONG)) {
            final var text = answer(RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2, 4), List.of(RunFixture.BYTES), 5).bad("host/ring", status));
            final var why = status == RoundResult.Status.FAILED ? "failed" : "wrong result";
            assertThat(text).startsWith("Fastest is host/one-shot-ll with 2 ranks, but that is undecided: a verify cycle")
                    .contains("Whether it beats the baseline is undecided: host/ring has no time (" + why + ").", "per cycle, undecided (host/ring has no time (" + why + "))",
                            "No A/A in this world")
                    .doesNotContain("Use ", "the baseline itself");
        }
    }

    @Test
    void whatFailedInSomeRoundsIsNotRecommendedWhereAnotherDidNot() {
        final var both = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(8192), 5).bad("host/one-shot-ll", RoundResult.Status.FAILED);
        assertThat(answer(both)).startsWith("Use host/ring, the baseline,").contains("Not recommended, because rounds failed: host/one-shot-ll (2 of 5 rounds), ");
        assertThat(answer(both.bad("host/ring", RoundResult.Status.FAILED))).contains("host/one-shot-ll (2 of 5 rounds) with 2 ranks");
    }

    @Test
    void sameIsWithinThePracticalMarginHoweverNoisyTheRun() {
        final var made = TWO.make();
        final var answer = made.analysis().answers().get(0);
        final var noisy = answer.group().comparisons().get(0);
        final var same = new Comparison(noisy.entryId(), noisy.baselineId(), 0.99, Optional.of(new Interval(0.985, 0.995)), noisy.pHolm(), noisy.mannWhitneyP(), 0.08, Verdict.SAME);
        final var analysis = new RunAnalysis(made.analysis().estimates(), made.analysis().groups(),
                List.of(new RunAnalysis.Answer(answer.group(), noisy.entryId(), List.of(noisy.baselineId()), List.of(), Optional.of(same))));
        assertThat(new AnswerText(new RunView(made.run(), analysis)).sentences()).anyMatch(s -> s.startsWith("Fastest is host/one-shot-ll"))
                .anyMatch(s -> s.startsWith("It is as fast as the baseline host/ring") && s.contains(" within 2 %: 1.0"));
    }

    @Test
    void withoutChartsTheTerminalHasALineOrTwoAboutIt() {
        final var lines = new TerminalReport().render(new ReportModel("t", List.of(), List.of(Reports.noCharts()))).strip().lines().toList();
        assertThat(lines).hasSizeBetween(2, 3).first().isEqualTo("No charts");
        assertThat(String.join(" ", lines)).contains("fontconfig").doesNotContain("Exception", "Error", "java.");
    }

    @Test
    void evenManyColumnsAndLongCommandsStayWithinTheTerminalsWidth() {
        final var columns = IntStream.range(0, 20).mapToObj(i -> Block.Column.number("measured " + i)).toList();
        final var table = new Block.Table(columns, List.of(columns.stream().map(c -> "123,456.7").toList()));
        final var command = new Block.Command("java -jar benchmarks.jar run" + " --collective 'host/one-shot-ll:a=b c'".repeat(6));
        final var text = new TerminalReport().render(new ReportModel("t", List.of(), List.of(new Section("s", Section.Depth.BRIEF, List.of(table, command)))));
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(110));
        assertThat(text.substring(text.indexOf("java")).strip().replaceAll(" \\\\\n *", " ")).isEqualTo(command.text());
    }

    private static String answer(final RunFixture fixture) {
        final var text = terminal(fixture);
        return text.substring(0, text.indexOf("\n\n")).replaceAll("\\s+", " ");
    }

    private String write(final RunFixture fixture) throws IOException {
        final var made = fixture.make();
        return Reports.write(folder, made.run(), made.analysis(), made.samples());
    }

    private static String terminal(final RunFixture fixture) {
        return new TerminalReport().render(ReportModel.of(fixture.make().view(), List.of()));
    }

    private static List<String> tags(final String page) {
        return Pattern.compile("<[a-z][^>]*>").matcher(page).results().map(r -> r.group()).toList();
    }

    private static long count(final String text, final String regex) {
        return Pattern.compile(regex).matcher(text).results().count();
    }
}
