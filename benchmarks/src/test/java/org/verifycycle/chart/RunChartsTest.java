package org.verifycycle.chart;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class RunChartsTest {
    private static final int BYTES = RunFixture.BYTES;
    private static final List<Integer> SIZES = List.of(8192, BYTES, 1 << 20);

    /** Every kind of run a reader may have, the extremes first of all. */
    static Stream<Arguments> runs() {
        final var many = Stream.concat(IntStream.range(0, 23).mapToObj(i -> i % 2 == 0 ? "ipc/one-shot-sentinel:blocks=" + i + ";pdl=on;threads=128"
                : "nccl/ring:channels=" + i + ";proto=LL"), Stream.of("nccl/default")).toList();
        final var longName = "host/" + "a-very-long-name-".repeat(6) + "x:key-one=value-one;key-two=" + "V".repeat(90);
        return Stream.of(
                arguments("two worlds, wrong and failed ones", RunFixture.host(), 8),
                arguments("GPUs, long settings", RunFixture.gpu(), 4),
                arguments("two bars", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES), 5), 3),
                arguments("24 bars", RunFixture.of(many, List.of(2), SIZES, 5), 4),
                arguments("no intervals", RunFixture.of(List.of("host/one-shot-ll", "host/two-shot-ll", "host/ring"), List.of(2), SIZES, 1), 4),
                arguments("four worlds", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2, 4, 6, 8), SIZES, 2), 16),
                arguments("very long names", RunFixture.of(List.of(longName, longName + "2", "host/ring:chunk=4096;other=value"), List.of(16), SIZES, 5), 4),
                arguments("noisy", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), SIZES, 5).copyTakes(1.3), 4),
                arguments("baseline only, no floor", RunFixture.of(List.of("host/ring"), List.of(2), List.of(BYTES), 1).withoutFloor(), 2),
                arguments("many sizes", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2),
                        List.of(16, 32, 48, 64, 1024, 8192, 14_336, BYTES, 43_024, 43_040, 65_536, 1 << 20, 64 << 20), 3), 4),
                arguments("not the workload's size", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(4096, 8192), 3), 4),
                arguments("late ranks", RunFixture.host().skews(0, 5_000, 20_000, 50_000, 150_000), 10),
                arguments("late ranks, long settings", RunFixture.gpu().skews(0, 20_000, 150_000), 5),
                arguments("late ranks only", RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES), 1).skews(20_000, 150_000), 7),
                arguments("nothing has a time", RunFixture.of(List.of("host/ring"), List.of(2), SIZES, 2).bad("host/ring", RoundResult.Status.WRONG), 0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void everyChartHasAllItsTextOnThePageAndNoneOverAnother(final String name, final RunFixture fixture, final int charts) {
        final var made = fixture.make();
        final var drawings = RunCharts.of(made.view(), made.samples());
        assertThat(drawings).hasSize(charts);
        assertThat(drawings.stream().map(Drawing::name)).doesNotHaveDuplicates();
        drawings.forEach(Layout::assertReadable);
    }

    @Test
    void everyChartSaysWhereAndHowItWasMeasured() {
        final var made = RunFixture.host().make();
        for (final var drawing : RunCharts.of(made.view(), made.samples())) {
            final var text = text(drawing);
            assertThat(text).contains("box7", "2 cores", "a5ecbd5", "x 400 cycles", "host shared memory, not GPU numbers");
            if (drawing.name().endsWith("w4")) {
                assertThat(text).contains("Oversubscribed: 4 ranks share 2 cores and take turns.");
            } else {
                assertThat(text).doesNotContainIgnoringCase("oversubscribed");
            }
        }
    }

    @Test
    void aWrongCollectiveIsNamedInANoteAndNeverDrawn() {
        final var made = RunFixture.host().estimatesForWrong().make();
        for (final var drawing : RunCharts.of(made.view(), made.samples())) {
            assertThat(drawing.csv()).noneMatch(row -> row.toString().contains("host/broken"));
            assertThat(drawing.alt()).doesNotContain("broken");
            assertThat(text(drawing).split("host/broken", -1)).hasSize(2);
            assertThat(text(drawing)).contains("Without a time: host/broken (wrong result)");
        }
    }

    @Test
    void bytesBetweenSizesThatHaveNoNameDoNotHideTheWorkloadsTick() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES - 16, BYTES, BYTES + 16), 2).make();
        final var sizes = RunCharts.of(made.view(), made.samples()).stream().filter(d -> d.name().startsWith("time-by-size")).findFirst().orElseThrow();
        assertThat(sizes.texts().stream().map(Pen.Placed::text)).contains("42 KiB", "verify cycle: 43,008 bytes");
    }

    @Test
    void aLateRankChangesNoOtherChartAndIsSplitIntoTransferAndWaiting() {
        final var fixture = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), SIZES, 3);
        final var without = RunCharts.of(fixture.make().view(), fixture.make().samples());
        final var made = fixture.skews(0, 20_000, 150_000).make();
        final var with = RunCharts.of(made.view(), made.samples());
        assertThat(with.stream().map(Drawing::name)).containsAll(without.stream().map(Drawing::name).toList());
        assertThat(with).hasSize(without.size() + 1);
        assertThat(with.stream().filter(d -> d.name().startsWith("time-by-size"))).singleElement().satisfies(d -> assertThat(d.csv()).hasSize(1 + 3 * SIZES.size()));
        final var chart = with.stream().filter(d -> d.name().equals("cost-over-skew-w2")).findFirst().orElseThrow();
        assertThat(text(chart)).contains("none late", "20 us late", "150 us late", "transfer", "waiting for the late rank");
        assertThat(chart.csv()).hasSize(1 + 2 * 3).filteredOn(row -> row.get(1).equals("150000"))
                .allSatisfy(row -> assertThat(Double.parseDouble(row.get(5))).isBetween(150_300.0, 150_500.0));
    }

    @Test
    void ofManyCollectivesTheDistributionDrawsEachBackendsFastestTheBaselineAndTheNextFastest() {
        final var made = RunFixture.of(IntStream.range(0, 23).mapToObj(i -> (i == 11 ? "nccl/a" : "host/a") + i).toList(), List.of(2), List.of(BYTES), 2).make();
        final var chart = RunCharts.of(made.view(), made.samples()).stream().filter(d -> d.name().startsWith("distribution-")).findFirst().orElseThrow();
        assertThat(text(chart)).contains("nccl/a11", "host/a22", "10 of 23; all are in the CSV file");
        assertThat(chart.texts().stream().filter(t -> t.text().startsWith("p50"))).hasSize(10);
        assertThat(chart.csv().stream().skip(1).map(row -> row.get(0)).distinct()).hasSize(23);
    }

    @Test
    void aRunWithoutAllItsRoundsSaysSoOnceAndNotOfEveryCollective() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/two-shot-ll", "host/ring"), List.of(2), SIZES, 5).planned(12).make();
        final var drawings = RunCharts.of(made.view(), made.samples());
        assertThat(drawings).isNotEmpty().allSatisfy(d -> assertThat(text(d)).contains("Mind: not finished, 5 of 12 rounds are done.").doesNotContain("host/ring: "));
    }

    @Test
    void aFinishedRunSaysWhichCollectivesLackRounds() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/two-shot-ll", "host/ring"), List.of(2), List.of(8_192, 14_336), 5).bad("host/two-shot-ll", RoundResult.Status.FAILED).make();
        assertThat(RunCharts.of(made.view(), made.samples())).isNotEmpty().allSatisfy(d -> assertThat(text(d)).contains("Mind: host/two-shot-ll: 2 of 5 rounds.")
                .doesNotContain("not finished", "host/one-shot-ll: "));
    }

    @Test
    void groupsThatDifferInTheLaunchHaveItInTheirFilesNamesAndNoNumber() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES), 3).launches(Launch.GRAPH, Launch.BARRIERED).make();
        assertThat(RunCharts.of(made.view(), made.samples()).stream().map(Drawing::name)).contains("cycle-cost-w2-fp32-graph-122", "cycle-cost-w2-fp32-barriered-122");
    }

    @Test
    void theFloorIsNamedWhereItWasMeasured() {
        final var made = RunFixture.gpu().make();
        final var cost = RunCharts.of(made.view(), made.samples()).stream().filter(d -> d.name().startsWith("cycle-cost-")).findFirst().orElseThrow();
        assertThat(text(cost)).containsPattern("floor [\\d.]+ [um]s: ipc/flag-exchange");
    }

    @Test
    void theSpeedUpChartGivesTheBaselinesAbsoluteTime() {
        final var made = RunFixture.gpu().make();
        final var speedup = RunCharts.of(made.view(), made.samples()).stream().filter(d -> d.name().equals("speedup-w8")).findFirst().orElseThrow();
        assertThat(text(speedup)).containsPattern("The baseline takes 1\\.\\d+ ms \\[[\\d., ]+] per cycle, [\\d.]+ us per call");
    }

    @Test
    void theBandOfSameDoesNotGrowWithTheNoise() {
        final var fixture = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES), 5);
        assertThat(speedup(fixture)).contains("shaded: same, within 2 %").doesNotContain("paler");
        final var noisy = fixture.copyTakes(1.2);
        final var floor = noisy.make().view().atWorkload().get(0).noiseFloor().orElseThrow();
        assertThat(floor).isGreaterThan(0.1);
        assertThat(speedup(noisy)).contains("shaded: same, within 2 %; paler: no claim within " + Units.percent(floor) + " (A/A noise)");
    }

    @Test
    void theTwinOfAWrongEntryHasNoTime() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(BYTES), 3).make();
        final var baseline = made.run().entries().stream().filter(e -> e.purpose() == Entry.Purpose.BASELINE).findFirst().orElseThrow();
        final var copy = made.run().entries().stream().filter(e -> e.purpose() == Entry.Purpose.BASELINE_COPY).findFirst().orElseThrow();
        final var round = baseline.rounds().get(0);
        final var wrong = new RoundResult(4, 0, RoundResult.Status.WRONG, Optional.of("off by one"), round.startedAt(), 1, 0, Optional.empty());
        final var view = new RunView(made.run().with(baseline.with(wrong)), made.analysis());
        assertThat(made.view().time(copy)).isPresent();
        assertThat(view.time(copy)).isEmpty();
        assertThat(view.whyUntimed(copy)).isEqualTo("wrong result");
    }

    private static String speedup(final RunFixture fixture) {
        final var made = fixture.make();
        return text(RunCharts.of(made.view(), made.samples()).stream().filter(d -> d.name().startsWith("speedup-")).findFirst().orElseThrow());
    }

    private static String text(final Drawing drawing) {
        return String.join(" ", drawing.texts().stream().map(Pen.Placed::text).toList());
    }
}
