package org.verifycycle.stats;

import org.junit.jupiter.api.Test;
import org.verifycycle.result.Dispatch;
import org.verifycycle.result.Environment;
import org.verifycycle.result.Run;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class ChoicesTest {
    private static final int SMALL = 8 << 10;
    private static final int LARGE = 128 << 10;

    private static double[] around(final double nanos) {
        return new double[] {nanos * 0.999, nanos, nanos * 1.001, nanos * 0.9995, nanos * 1.0005};
    }

    private static Dispatch.Table table(final RunFixture fixture) {
        return Choices.of(fixture.run(), fixture.analysis(), fixture::samples).tables().get(0);
    }

    @Test
    void theCrossoverIsWhereTheTwoLinesMeet() {
        // Twice as fast at 8 KiB, half as fast at 128 KiB: they meet in the geometric middle, 32 KiB.
        final var table = table(new RunFixture().at(2, SMALL).baseline("base_1", around(90_000)).candidate("pull_1", around(10_000)).candidate("push_1", around(20_000))
                .at(2, LARGE).baseline("base_2", around(90_000)).candidate("pull_2", around(40_000)).candidate("push_2", around(20_000)));
        assertThat(table.ranges()).containsExactly(new Dispatch.Range(SMALL, 32 << 10, "host/pull", true, List.of(), List.of(SMALL)),
                new Dispatch.Range((32 << 10) + 16, LARGE, "host/push", true, List.of(), List.of(LARGE)));
        assertThat(table.crossovers()).containsExactly(new Dispatch.Crossover("host/pull", "host/push", 32 << 10, Optional.of(SMALL), Optional.of(LARGE)));
    }

    @Test
    void equalChoicesAreOneRange() {
        final var table = table(new RunFixture().at(2, SMALL).baseline("base_1", around(90_000)).candidate("pull_1", around(10_000))
                .at(2, LARGE).baseline("base_2", around(90_000)).candidate("pull_2", around(40_000)));
        assertThat(table.ranges()).containsExactly(new Dispatch.Range(SMALL, LARGE, "host/pull", true, List.of(), List.of(SMALL, LARGE)));
        assertThat(table.crossovers()).isEmpty();
    }

    @Test
    void whatCanNotBeToldIsUndecidedAndGivesTheCrossoverNoEnd() {
        final var table = table(new RunFixture().at(2, SMALL).baseline("base_1", around(90_000)).candidate("pull_1", around(10_000)).candidate("push_1", around(20_000))
                .at(2, LARGE).baseline("base_2", around(900_000)).candidate("pull_2", 8_400, 21_000, 52_000, 15_000, 31_000).candidate("push_2", 31_000, 20_000, 8_000, 50_000, 14_000));
        assertThat(table.ranges().get(1)).satisfies(r -> {
            assertThat(r.collective()).isEqualTo("host/push");
            assertThat(r.decided()).isFalse();
            assertThat(r.undecided()).containsExactly("host/pull");
        });
        assertThat(table.crossovers()).singleElement().satisfies(c -> {
            assertThat(c.low()).contains(SMALL);
            assertThat(c.high()).isEmpty();
        });
    }

    @Test
    void withoutATimeOnOneSideTheMiddleIsTaken() {
        final var table = table(new RunFixture().at(2, SMALL).baseline("base_1", around(90_000)).candidate("pull_1", around(10_000))
                .at(2, LARGE).baseline("base_2", around(90_000)).candidate("push_2", around(20_000)));
        assertThat(table.crossovers()).containsExactly(new Dispatch.Crossover("host/pull", "host/push", 32 << 10, Optional.empty(), Optional.empty()));
    }

    @Test
    void worldsHaveTablesOfTheirOwnAndHostsNoVllmSizes() {
        final var fixture = new RunFixture().at(2, SMALL).baseline("base_1", around(9_000)).at(4, SMALL).baseline("base_2", around(9_000));
        final var dispatch = Choices.of(fixture.run(), fixture.analysis(), fixture::samples);
        assertThat(dispatch.tables()).extracting(Dispatch.Table::world).containsExactly(2, 4);
        assertThat(dispatch.vllmMaxBytes()).isEmpty();
    }

    @Test
    void vllmsSizeEndsWhereNcclBegins() {
        final var made = org.verifycycle.chart.RunFixture.gpu().make();
        final var r = made.run();
        final var e = r.environment();
        final var h200 = new Environment(e.host(), e.os(), e.cpu(), e.cores(), e.memoryMiB(), e.jvm(), e.commit(), List.of("GPU 0: NVIDIA H200, compute capability 9.0, 1 MiB, PCI 0"), e.variables(), new TreeMap<>());
        final var run = new Run(r.schema(), r.id(), r.startedAt(), r.finishedAt(), r.command(), r.workload(), r.plan(), h200, r.entries(), r.leftOut());
        final var dispatch = Choices.of(run, made.analysis(), made.samples());
        final var ranges = dispatch.tables().get(0).ranges();
        final var expected = ranges.stream().takeWhile(range -> !range.collective().startsWith("nccl/")).mapToInt(Dispatch.Range::toBytes).max().orElse(0);
        assertThat(dispatch.vllmMaxBytes()).containsOnlyKeys("9.0");
        assertThat(dispatch.vllmMaxBytes().get("9.0")).containsEntry(8, expected);
    }
}
