package org.verifycycle.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.chart.RunFixture;
import org.verifycycle.economics.Assumed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class EconomicsReportTest {
    @TempDir
    private Path folder;

    @Test
    void theCaseIsToldWithItsNumbers() throws IOException {
        final var text = text(new Assumed().ofCase("eagle3-pcie8"), false);
        assertThat(text).startsWith("Case eagle3-pcie8").contains("89.5 tok/s without speculation and 54.1 with it")
                .containsPattern("saving needed per accepted token +7\\.31 ms\\n").containsPattern("if 10 ms a cycle are to be saved +1\\.37\\n").containsPattern("if 18 ms a cycle are to be saved +2\\.46\\n")
                .containsPattern("all-reduces of a cycle +24\\.40 ms\\n").containsPattern("break-even time per call +118 us +85\\.2 us +52\\.5 us")
                .containsPattern("at 50 us a call: saving +18\\.30 ms").containsPattern("at 30 us a call: saving +20\\.74 ms")
                .contains("With 30 us a call speculation pays", "At that, calls of 85.2 us would break even", "Mind: without speculation is as observed, with the old all-reduce; with a faster one it would rise too").doesNotContain("formula");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TerminalReport.WIDTH));
    }

    @Test
    void everyNumberStandsBesideItsFormulaWhereThatIsAskedFor() throws IOException {
        final var text = text(new Assumed().ofCase("eagle3-pcie8").price(2), true);
        assertThat(text).containsPattern("saving needed per accepted token +7\\.31 ms +18\\.48 ms - 11\\.17 ms").containsPattern("cycle +a x 18\\.48 ms +25\\.28 ms").contains("Terms, with 30 us a call")
                .containsPattern("gain +1\\.46x +tok/s with / tok/s without").contains("at 2.00 per GPU-hour for 8 GPUs");
    }

    @Test
    void whereItDoesNotPayThatIsSaid() throws IOException {
        final var draft = new Assumed().tokens(1.5).computeMillis(8).draftMillis(25).calls(122).callMicros(20.0);
        assertThat(text(draft, false).replaceAll("\\s+", " ")).contains("speculation does not pay", "more than the 3 that a cycle can yield")
                .as("(33 - 1.5 x 8) ms / (1.5 x 122 - 122)").contains("calls of 344 us would break even, slower ones pay");
        final var none = new Assumed().tokens(1).computeMillis(8).draftMillis(25).calls(122).callMicros(20.0);
        assertThat(text(none, false).replaceAll("\\s+", " ")).contains("it pays at no time per call");
        final var observed = new Assumed().tokens(1.5).computeMillis(8).draftMillis(25).calls(122).callMicros(20.0).baselineRate(90);
        assertThat(text(observed, false).replaceAll("\\s+", " ")).contains("Even free all-reduces would not make it pay.");
        final var little = new Assumed().tokens(1.9).computeMillis(8).draftMillis(10).calls(122).callMicros(20.0);
        assertThat(text(little, false).replaceAll("\\s+", " ")).as("20.44 / 10.44 ms").contains("does not pay", "breaks even at 1.96 tokens");
    }

    @Test
    void aRunsReportHasASectionOfItWithItsChartsAndLosesBothWithTheNextReport() throws IOException {
        final var made = RunFixture.gpu().make();
        final var economics = EconomicsReport.of(new Assumed().solveForCompute().baselineRate(150).rate(0.7).all(), false, made.run(), made.analysis(), made.samples());
        final var terminal = Reports.write(folder, made.run(), made.analysis(), made.samples(), List.of(), Optional.of(economics));
        assertThat(terminal).contains("Does speculation pay?", "tok/s with [95 %]", "Measured: 8 ranks, 43,008 bytes");
        assertThat(Files.readString(folder.resolve("index.html"))).contains("Does speculation pay?", "What speculation gains, over time per call and tokens a cycle");
        assertThat(Files.readString(folder.resolve("report.md"))).contains("plots/economics-gain.png", "plots/economics-rate.png", "plots/economics-cycle-cost.png");
        assertThat(folder.resolve("plots")).isDirectoryContaining("glob:**/economics-gain.svg");
        Reports.write(folder, made.run(), made.analysis(), made.samples());
        assertThat(folder.resolve("plots")).isDirectoryNotContaining("glob:**/economics-*");
        assertThat(Files.readString(folder.resolve("report.md"))).doesNotContain("speculation pay");
    }

    @Test
    void aRunOfAnotherDraftLengthIsToldOfBesideTheHeadline() throws IOException {
        final var made = RunFixture.gpu().make();
        final var assumed = new Assumed().solveForCompute().baselineRate(150).rate(0.7);
        final var fitting = EconomicsReport.of(assumed.all(), false, made.run(), made.analysis(), made.samples()).write(Optional.empty());
        assertThat(fitting).doesNotContain("Measure with --tokens");
        final var longer = EconomicsReport.of(assumed.drafts(3).all(), false, made.run(), made.analysis(), made.samples()).write(Optional.empty());
        assertThat(longer).contains("Mind: 3 draft tokens make calls of 57,344 bytes");
    }

    @Test
    void itsChartsAreAddedToAFolderThatHoldsOthers() throws IOException {
        final var other = Files.createFile(folder.resolve("cycle-cost-w2.png"));
        assertThat(EconomicsReport.of(new Assumed().ofCase("eagle3-pcie8").all(), false).write(Optional.of(folder))).endsWith("Charts: " + folder + System.lineSeparator());
        assertThat(other).exists();
        assertThat(folder).isDirectoryContaining("glob:**/economics-gain.png");
    }

    private static String text(final Assumed assumed, final boolean explain) throws IOException {
        return EconomicsReport.of(assumed.all(), explain).write(Optional.empty());
    }
}
