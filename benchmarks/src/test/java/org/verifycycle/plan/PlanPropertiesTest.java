package org.verifycycle.plan;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Entry.Purpose;
import org.verifycycle.result.Environment;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class PlanPropertiesTest {
    private static final Collectives COLLECTIVES = new Collectives(List.of(FakeBackend.host(), FakeBackend.gpu(Optional.empty())));

    @Property(tries = 150)
    void everyRoundIsAPermutationOfTheEntries(@ForAll("requests") final Asked asked, @ForAll @IntRange(min = 1, max = 64) final int cores) {
        final var plan = plan(asked, cores);
        final var steps = plan.steps();
        assertThat(steps).hasSize(plan.entries().size() * plan.settings().rounds());
        assertThat(steps).extracting(Plan.Step::round).isSorted();
        for (int round = 1; round <= plan.settings().rounds(); round++) {
            final var number = round;
            final var ofRound = steps.stream().filter(s -> s.round() == number).toList();
            assertThat(ofRound).extracting(Plan.Step::entryId).containsExactlyInAnyOrderElementsOf(plan.entries().stream().map(Entry::id).toList());
            assertThat(ofRound).extracting(Plan.Step::position).isSorted().doesNotHaveDuplicates();
        }
    }

    @Property(tries = 50)
    void theSameRequestGivesTheSamePlanAndOrder(@ForAll("requests") final Asked asked, @ForAll final long seed) {
        final var plan = plan(asked.shuffled(seed), 8);
        assertThat(plan).isEqualTo(plan(asked.shuffled(seed), 8));
        assertThat(plan.steps()).isEqualTo(plan(asked.shuffled(seed), 8).steps());
    }

    @Property(tries = 150)
    void idsAreUniqueAndNoConfigurationIsTwiceButTheBaseline(@ForAll("requests") final Asked asked) {
        final var plan = plan(asked, 4);
        assertThat(plan.entries()).extracting(Entry::id).doesNotHaveDuplicates();
        assertThat(plan.entries().stream().filter(e -> e.purpose() != Purpose.BASELINE_COPY).map(Entry::configuration)).doesNotHaveDuplicates();
        assertThat(plan.entries().stream().filter(e -> e.purpose() == Purpose.BASELINE_COPY)).allSatisfy(copy ->
                assertThat(plan.entries()).anyMatch(e -> e.purpose() == Purpose.BASELINE && e.configuration().equals(copy.configuration())));
    }

    @Property(tries = 150)
    void whatWasAskedForIsPlannedOrLeftOutWithAReason(@ForAll("requests") final Asked asked) {
        final var plan = plan(asked, 4);
        final var planned = new HashSet<>(plan.entries().stream().map(Entry::configuration).toList());
        final var leftOut = new HashSet<>(plan.leftOut().stream().map(LeftOut::what).toList());
        assertThat(combinations(asked)).allSatisfy(c -> assertThat(planned.contains(c) || leftOut.contains(c.toString())
                || leftOut.contains("size " + Sizes.format(c.bytes()))).as(c.toString()).isTrue());
        assertThat(plan.leftOut()).allSatisfy(l -> assertThat(l.reason()).isNotBlank().doesNotContain("\n"));
    }

    @Property(tries = 150)
    void everyMeasuredGroupHasItsBaseline(@ForAll("requests") final Asked asked) {
        final var plan = plan(asked, 4);
        assertThat(plan.entries()).allSatisfy(entry -> assertThat(plan.entries()).anyMatch(e -> e.purpose() == Purpose.BASELINE
                && sameGroup(e.configuration(), entry.configuration())));
    }

    @Property(tries = 100)
    void moreRoundsTakeLonger(@ForAll("requests") final Asked asked, @ForAll @IntRange(min = 1, max = 100) final int rounds) {
        final var unlimited = new Asked(asked.patterns(), asked.worldSizes(), List.of(8192, 43_008), asked.types(), asked.kinds(), 1, Optional.empty(), 1);
        final var fewer = plan(unlimited.rounds(rounds), 4);
        final var more = plan(unlimited.rounds(rounds + 1), 4);
        assertThat(more.entries()).isEqualTo(fewer.entries());
        assertThat(more.estimateSeconds()).isGreaterThan(fewer.estimateSeconds());
    }

    /** Only the size nearest the workload's may take more than the budget. */
    @Property(tries = 150)
    void aBudgetHolds(@ForAll("requests") final Asked asked, @ForAll @IntRange(min = 1, max = 2_000) final int seconds) {
        final var plan = plan(asked.budget(seconds), 4);
        assertThat(plan.estimateSeconds() <= seconds || plan.entries().stream().map(e -> e.configuration().bytes()).distinct().count() == 1).isTrue();
    }

    @Property(tries = 50)
    void whatRemainsIsTheRestInTheSameOrder(@ForAll @IntRange(min = 0, max = 35) final int done, @ForAll final long seed) {
        final var plan = plan(new Asked().collectives("host/*").worlds(2).sizes(43_008).shuffled(seed), 2);
        var run = new Run(Run.SCHEMA, "x", Instant.EPOCH, Optional.empty(), List.of(), plan.workload(), plan.settings(),
                new Environment("h", "o", "c", 2, 1, "j", "k", List.of(), new TreeMap<>(), new TreeMap<>()), plan.entries(), plan.leftOut());
        for (final var step : plan.steps().subList(0, done)) {
            run = run.with(run.entry(step.entryId()).with(new RoundResult(step.round(), step.position(), RoundResult.Status.FAILED, Optional.of("died"),
                    Instant.EPOCH, 1, 0, Optional.empty())));
        }
        assertThat(Plan.remaining(run)).isEqualTo(plan.steps().subList(done, plan.steps().size()));
    }

    private static Plan plan(final Asked asked, final int cores) {
        try {
            return new Planner(COLLECTIVES, cores).plan(asked.request());
        } catch (final IllegalArgumentException e) {
            // Nothing of it can run, and the planner says so.
            Assume.that(!e.getMessage().startsWith("nothing to measure: "));
            throw e;
        }
    }

    private static boolean sameGroup(final Configuration a, final Configuration b) {
        return a.world() == b.world() && a.bytes() == b.bytes() && a.dtype() == b.dtype() && a.launch() == b.launch()
                && a.collective().backend().equals(b.collective().backend());
    }

    /** All combinations of the lists that were given; where one was left to the planner, none. */
    private static List<Configuration> combinations(final Asked asked) {
        return asked.patterns().stream().flatMap(p -> COLLECTIVES.matching(p).stream()).distinct()
                .flatMap(spec -> asked.worldSizes().stream().flatMap(world -> asked.bytes().stream()
                        .flatMap(bytes -> asked.types().stream().flatMap(dtype -> asked.kinds().stream()
                                .flatMap(launch -> Stream.of(new Configuration(spec, world, bytes, dtype, launch, 122))))))).toList();
    }

    @Provide
    Arbitrary<Asked> requests() {
        final var patterns = Arbitraries.of("host/*", "host/one-shot-*", "host/ring", "host/flag-exchange", "ipc/*", "*/one-shot-ll", "host/two-shot-ll:chunk=1")
                .list().ofMaxSize(3);
        final var worlds = Arbitraries.integers().between(2, 16).list().ofMaxSize(3);
        final var sizes = Arbitraries.integers().between(1, 1 << 16).map(n -> 16 * n).list().ofMaxSize(4);
        final var dtypes = Arbitraries.of(Dtype.values()).list().ofMaxSize(2);
        final var launches = Arbitraries.of(Launch.values()).list().ofMaxSize(2);
        final var rounds = Arbitraries.integers().between(1, 7);
        final var budget = Arbitraries.integers().between(1, 1_000).optional();
        return Combinators.combine(patterns, worlds, sizes, dtypes, launches, rounds, budget)
                .as((p, w, s, d, l, r, b) -> new Asked(p, w, s, d, l, r, b, 1));
    }
}
