package org.verifycycle.plan;

import org.junit.jupiter.api.Test;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Entry.Purpose;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PlannerTest {
    @Test
    void theDefaultPlanOfTwoCoresEndsInTime() {
        final var plan = plan(2, new Asked());
        assertThat(plan.settings().rounds()).isEqualTo(5);
        assertThat(plan.estimateSeconds()).isBetween(60L, 150L);
        assertThat(plan.entries()).allSatisfy(e -> {
            assertThat(e.configuration().world()).isEqualTo(2);
            assertThat(e.configuration().dtype()).isEqualTo(Dtype.FP32);
            assertThat(e.configuration().launch()).isEqualTo(Launch.EAGER);
            assertThat(e.configuration().calls()).isEqualTo(122);
            assertThat(e.marks()).isEmpty();
        });
        assertThat(lines(plan, 43_008)).containsExactlyInAnyOrder("host/ring BASELINE", "host/ring BASELINE_COPY", "host/one-shot-pull CANDIDATE",
                "host/two-shot-pull CANDIDATE", "host/one-shot-ll CANDIDATE", "host/two-shot-ll CANDIDATE", "host/flag-exchange FLOOR");
        assertThat(reasons(plan)).anyMatch(r -> r.startsWith("size 1 MiB: 5 rounds of it would take "))
                .contains("world 4: more ranks than this machine's cores (2): they would take turns; ask with --world 4");
    }

    @Test
    void theBaselineIsAddedAndTwiceAtTheSizeNearestTheWorkloads() {
        final var plan = plan(2, new Asked().collectives("host/two-shot-*").worlds(2).sizes(1 << 20, 8192, 32_768));
        assertThat(lines(plan, 1 << 20)).containsExactly("host/ring BASELINE", "host/two-shot-pull CANDIDATE", "host/two-shot-ll CANDIDATE");
        assertThat(lines(plan, 32_768)).contains("host/ring BASELINE", "host/ring BASELINE_COPY", "host/flag-exchange FLOOR");
        assertThat(lines(plan, 8_192)).doesNotContain("host/ring BASELINE_COPY");
        assertThat(plan.leftOut()).isEmpty();
    }

    @Test
    void theBaselineIsTwiceForEachWorldDtypeAndLaunch() {
        final var plan = plan(2, new Asked().worlds(2, 3).dtypes(Dtype.FP32, Dtype.BF16).sizes(8192, 43_008));
        assertThat(plan.entries().stream().filter(e -> e.purpose() == Purpose.BASELINE_COPY).map(Entry::configuration)).hasSize(4)
                .allSatisfy(c -> assertThat(c.bytes()).isEqualTo(43_008)).doesNotHaveDuplicates();
    }

    @Test
    void moreRanksThanCoresAreMarked() {
        final var plan = plan(2, new Asked().worlds(2, 4).sizes(43_008));
        assertThat(plan.entries()).allSatisfy(e -> assertThat(e.marks().contains(Entry.OVERSUBSCRIBED)).isEqualTo(e.configuration().world() == 4));
        assertThat(plan(1, new Asked()).entries()).allSatisfy(e -> assertThat(e.marks()).containsExactly(Entry.OVERSUBSCRIBED));
    }

    @Test
    void gpusComeFirstWhereThereAreAny() {
        final var gpus = new Collectives(List.of(FakeBackend.host(), FakeBackend.gpu(Optional.empty())));
        final var plan = new Planner(gpus, 2).plan(new Asked().request());
        assertThat(plan.entries()).allSatisfy(e -> {
            assertThat(e.configuration().collective().backend()).isEqualTo("ipc");
            assertThat(e.configuration().dtype()).isEqualTo(Dtype.BF16);
            assertThat(e.configuration().launch()).isEqualTo(Launch.GRAPH);
        });
    }

    @Test
    void whatCantRunIsLeftOutWithTheBackendsReason() {
        final var none = new Collectives(List.of(FakeBackend.host(), FakeBackend.gpu(Optional.of("no CUDA driver"))));
        final var planner = new Planner(none, 2);
        assertThat(reasons(planner.plan(new Asked().request()))).contains("ipc/*: no CUDA driver");
        assertThat(reasons(planner.plan(new Asked().collectives("ipc/one-shot-ll", "host/one-shot-ll").sizes(64).request()))).contains("ipc/*: no CUDA driver");
        final var some = plan(2, new Asked().collectives("host/one-shot-ll").launches(Launch.GRAPH, Launch.EAGER).sizes(43_008).worlds(2));
        assertThat(reasons(some)).contains("host/one-shot-ll world=2 bytes=43008 fp32 graph calls=122: the host has no graphs");
        assertThatThrownBy(() -> plan(2, new Asked().launches(Launch.GRAPH))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to measure").hasMessageContaining("the host has no graphs");
    }

    /** The baseline, which is added, is no answer. */
    @Test
    void whereNothingThatWasAskedForCanBeMeasuredThereIsNoPlan() {
        final var choosy = new Planner(new Collectives(List.of(FakeBackend.of("host", Optional.empty(),
                c -> c.world() == 3 && c.collective().toString().equals("host/tree") ? Optional.of("worlds that are powers of two only") : Optional.empty(), "ring", "flag-exchange", "tree", "pull"))), 4);
        assertThatThrownBy(() -> choosy.plan(new Asked().collectives("host/tree").worlds(3).sizes(64).request())).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nothing to measure: host/tree world=3 bytes=64 fp32 eager calls=122: worlds that are powers of two only");
        assertThatThrownBy(() -> choosy.plan(new Asked().collectives("host/tree").worlds(3).sizes(64, 128, 256, 512, 1024).request()))
                .hasMessage("nothing to measure: host/tree world=3 bytes=1024 fp32 eager calls=122 and 4 more: worlds that are powers of two only");
        assertThat(lines(choosy.plan(new Asked().collectives("host/tree", "host/pull").worlds(3).sizes(64).request()), 64)).contains("host/pull CANDIDATE").doesNotContain("host/tree CANDIDATE");
        for (final var added : List.of("host/ring", "host/flag-exchange")) {
            assertThat(choosy.plan(new Asked().collectives(added).worlds(3).sizes(64).request()).entries()).isNotEmpty();
        }
    }

    @Test
    void aBudgetKeepsTheRoundsAndLeavesOutSizesByName() {
        final var asked = new Asked().worlds(2).sizes(8192, 43_008, 1 << 20);
        final var plan = plan(2, asked.budget(120));
        assertThat(plan.settings().rounds()).isEqualTo(5);
        assertThat(plan.settings().budgetSeconds()).contains(120);
        assertThat(plan.estimateSeconds()).isLessThanOrEqualTo(120);
        assertThat(lines(plan, 43_008)).hasSize(7);
        assertThat(reasons(plan)).anyMatch(r -> r.startsWith("size 1 MiB: 5 rounds of it would take "));
        assertThat(plan(2, asked.budget(3_600)).leftOut()).isEmpty();
    }

    @Test
    void aSizeLeftOutForTheBudgetIsOneLineWhateverOfItIsUnsupported() {
        final var plan = plan(2, new Asked().worlds(2).sizes(43_008, 1 << 20).launches(Launch.EAGER, Launch.GRAPH).budget(60));
        assertThat(reasons(plan)).anyMatch(r -> r.startsWith("size 1 MiB: 5 rounds of it would take ")).noneMatch(r -> r.contains("bytes=1048576"))
                .anyMatch(r -> r.contains("bytes=43008") && r.endsWith("the host has no graphs"));
    }

    @Test
    void aMainSizeThatTakesMoreThanTheBudgetIsKeptAndSaidToBe() {
        final var plan = plan(2, new Asked().worlds(2).sizes(43_008).budget(10));
        assertThat(lines(plan, 43_008)).hasSize(7);
        assertThat(reasons(plan)).singleElement().asString()
                .matches("size 42 KiB: kept though 5 rounds of it take " + (plan.estimateSeconds() - 10) + " s more than the budget of 10 s");
    }

    @Test
    void explicitSizesAreNotCutWithoutABudget() {
        final var plan = plan(2, new Asked().worlds(2).sizes(64, 8192, 43_008, 1 << 20, 64 << 20).rounds(50));
        assertThat(plan.leftOut()).isEmpty();
        assertThat(plan.entries()).extracting(e -> e.configuration().bytes()).contains(64, 8192, 43_008, 1 << 20, 64 << 20);
    }

    @Test
    void settingsMakeACollectiveOfTheirOwn() {
        final var plan = plan(2, new Asked().collectives("host/one-shot-ll:chunk=2", "host/one-shot-ll", "host/ring", "host/flag-exchange").sizes(43_008));
        assertThat(lines(plan, 43_008)).containsExactlyInAnyOrder("host/ring BASELINE", "host/ring BASELINE_COPY", "host/one-shot-ll:chunk=2 CANDIDATE",
                "host/one-shot-ll CANDIDATE", "host/flag-exchange FLOOR");
    }

    @Test
    void wrongInputIsRefused() {
        assertThatThrownBy(() -> plan(2, new Asked().collectives("host/no-such"))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("known");
        assertThatThrownBy(() -> plan(2, new Asked().worlds(1))).hasMessageContaining("world 1");
        assertThatThrownBy(() -> plan(2, new Asked().worlds(17))).hasMessageContaining("world 17");
        assertThatThrownBy(() -> plan(2, new Asked().rounds(0))).hasMessage("rounds 0 is not between 1 and 1000");
        assertThatThrownBy(() -> plan(2, new Asked().budget(0))).hasMessageContaining("budget");
    }

    @Test
    void aDryRunShowsEverythingThatMatters() {
        final var plan = plan(2, new Asked().worlds(2, 4).sizes(43_008, 64).launches(Launch.EAGER, Launch.GRAPH).budget(10));
        final var text = DryRun.text(plan);
        assertThat(text).startsWith("kimi-k2.5, 3 tokens: 122 calls of 42 KiB").contains("x 5 rounds").contains("oversubscribed").contains("Left out:")
                .contains("the host has no graphs");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(110));
        plan.entries().forEach(e -> assertThat(text).contains("  " + e.id() + " ").contains(e.configuration().collective().toString()));
    }

    @Test
    void aDryRunStaysWithinATerminalsWidth() {
        final var reason = "a reason of many words, ".repeat(12).strip();
        final var gpus = new Collectives(List.of(FakeBackend.host(), FakeBackend.gpu(Optional.of(reason))));
        final var text = DryRun.text(new Planner(gpus, 2).plan(new Asked().request()));
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(110));
        assertThat(text.replaceAll("\\s+", " ")).contains("ipc/*: " + reason);
    }

    @Test
    void everySkewAskedForIsAGroupWithABaselineAndANoiseFloorOfItsOwn() {
        final var request = new Asked().collectives("host/one-shot-ll").worlds(2).sizes(43_008).request();
        final var planner = new Planner(new Collectives(List.of(FakeBackend.host())), 2);
        final var plan = planner.plan(request.withSkews(List.of(0, 20_000)));
        assertThat(plan.entries()).extracting(e -> e.configuration().collective() + " " + e.purpose() + " " + e.configuration().skewNanos())
                .containsExactly("host/ring BASELINE 0", "host/ring BASELINE_COPY 0", "host/flag-exchange FLOOR 0", "host/one-shot-ll CANDIDATE 0",
                        "host/ring BASELINE 20000", "host/ring BASELINE_COPY 20000", "host/flag-exchange FLOOR 20000", "host/one-shot-ll CANDIDATE 20000");
        assertThat(DryRun.text(plan)).contains("eager  skew 20us, baseline");
        assertThat(planner.plan(request).entries()).as("none is late without being asked for").allMatch(e -> e.configuration().skewNanos() == 0);
        assertThatThrownBy(() -> planner.plan(request.withSkews(List.of(1)))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("skew '1ns' is not valid");
    }

    private static Plan plan(final int cores, final Asked asked) {
        return new Planner(new Collectives(List.of(FakeBackend.host())), cores).plan(asked.request());
    }

    private static List<String> lines(final Plan plan, final int bytes) {
        return plan.entries().stream().filter(e -> e.configuration().bytes() == bytes).map(e -> e.configuration().collective() + " " + e.purpose()).toList();
    }

    private static List<String> reasons(final Plan plan) {
        return plan.leftOut().stream().map(l -> l.what() + ": " + l.reason()).toList();
    }
}
