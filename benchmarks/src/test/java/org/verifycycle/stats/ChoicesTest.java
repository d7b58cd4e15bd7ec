package org.verifycycle.stats;

import org.junit.jupiter.api.Test;
import org.verifycycle.result.Dispatch;
import org.verifycycle.result.Environment;
import org.verifycycle.result.Run;

import java.util.List;
import java.util.Map;
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

    private static Map<Integer, Integer> vllm(final RunFixture fixture) {
        final var r = fixture.run();
        final var e = r.environment();
        final var h200 = new Environment(e.host(), e.os(), e.cpu(), e.cores(), e.memoryMiB(), e.jvm(), e.commit(), List.of("GPU 0: NVIDIA H200, compute capability 9.0, 1 MiB, PCI 0"), e.variables(), new TreeMap<>());
        final var run = new Run(r.schema(), r.id(), r.startedAt(), r.finishedAt(), r.command(), r.workload(), r.plan(), h200, r.entries(), r.leftOut());
        return Choices.of(run, fixture.analysis(), fixture::samples).vllmMaxBytes().getOrDefault("9.0", new TreeMap<>());
    }

    @Test
    void vllmsSizeIsExclusive() {
        // vLLM takes its kernel where the size is less: one pack more than the largest at which it wins.
        assertThat(vllm(new RunFixture().at(8, 43_008).baseline("nccl/default_1", around(90_000)).candidate("ipc/one-shot-pull_1", around(10_000)))).containsExactly(Map.entry(8, 43_024));
    }

    @Test
    void vllmsSizeIsAboutTheKernelsItHas() {
        // NCCL 2x the pull kernel at 8 KiB, half of it at 128 KiB: they meet at 32 KiB, however long sentinel stays ahead.
        assertThat(vllm(new RunFixture().at(8, SMALL).baseline("nccl/default_1", around(20_000)).candidate("ipc/one-shot-pull_1", around(10_000)).candidate("ipc/one-shot-sentinel_1", around(5_000))
                .at(8, LARGE).baseline("nccl/default_2", around(20_000)).candidate("ipc/two-shot-pull_2", around(40_000)).candidate("ipc/one-shot-sentinel_2", around(5_000))))
                .containsExactly(Map.entry(8, (32 << 10) + 16));
        assertThat(vllm(new RunFixture().at(8, SMALL).baseline("nccl/default_1", around(20_000)).candidate("ipc/one-shot-pull_1", around(30_000)).candidate("ipc/one-shot-ll_1", around(5_000))))
                .containsExactly(Map.entry(8, 0));
        assertThat(vllm(new RunFixture().at(8, SMALL).baseline("nccl/default_1", around(20_000)).candidate("ipc/one-shot-sentinel_1", around(5_000)))).isEmpty();
    }

    @Test
    void vllmsSizeEndsBeforeASizeWithoutBothTimes() {
        assertThat(vllm(new RunFixture().at(8, SMALL).baseline("nccl/default_1", around(20_000)).candidate("ipc/one-shot-pull_1", around(10_000))
                .at(8, LARGE).baseline("nccl/default_2", around(20_000)).candidate("ipc/one-shot-ll_2", around(5_000)))).containsExactly(Map.entry(8, SMALL + 16));
    }
}
