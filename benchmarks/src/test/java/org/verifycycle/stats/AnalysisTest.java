package org.verifycycle.stats;

import org.junit.jupiter.api.Test;
import org.verifycycle.result.Entry;
import org.verifycycle.stats.RunAnalysis.Answer;
import org.verifycycle.stats.RunAnalysis.Group;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class AnalysisTest {
    private static final double[] MS = {1_000_000, 1_010_000, 990_000, 1_005_000, 995_000};

    @Test
    void comparesEveryCandidateAndNamesTheFastest() {
        final var analysis = new RunFixture().baseline("ring", MS).copy("ring-again", times(1.001)).floor("flag", times(0.1)).floor("empty", times(0.05))
                .candidate("pull", times(0.5)).candidate("ll", times(0.505)).candidate("slow", times(3)).candidate("broken", Double.POSITIVE_INFINITY)
                .analysis();
        final var group = analysis.groups().get(0);
        assertThat(analysis.groups()).hasSize(1);
        assertThat(group.entries()).extracting(Entry::id).containsExactly("empty", "flag", "pull", "ll", "ring", "ring-again", "slow", "broken");
        assertThat(group.entries().get(7).estimate()).isEmpty();
        assertThat(group.entries().get(2).estimate()).contains(analysis.estimates().get("pull"));
        assertThat(analysis.estimates()).doesNotContainKey("broken").hasSize(7);
        assertThat(group.baselineId()).contains("ring");
        assertThat(group.floorNanos()).hasValue(100_000);
        assertThat(group.noiseFloor().orElseThrow()).isEqualTo(0.001, within(1e-9));
        assertThat(group.comparisons()).extracting(Comparison::entryId).containsExactly("pull", "ll", "slow");
        assertThat(group.comparisons()).extracting(Comparison::verdict).containsExactly(Verdict.FASTER, Verdict.FASTER, Verdict.SLOWER);
        final var answer = analysis.answers().get(0);
        assertThat(answer.bestId()).isEqualTo("pull");
        assertThat(answer.tiedIds()).containsExactly("ll");
        assertThat(answer.overBaseline().orElseThrow().speedup()).isEqualTo(2);
    }

    @Test
    void noClaimIsMadeBelowTheNoiseFloor() {
        final var quiet = new RunFixture().baseline("ring", MS).copy("again", times(1.001)).candidate("pull", times(0.95)).analysis();
        final var noisy = new RunFixture().baseline("ring", MS).copy("again", times(1 / 1.08)).candidate("pull", times(0.95)).analysis();
        assertThat(quiet.groups().get(0).comparisons().get(0).verdict()).isEqualTo(Verdict.FASTER);
        assertThat(noisy.groups().get(0).noiseFloor().orElseThrow()).isEqualTo(0.08, within(1e-5));
        assertThat(noisy.groups().get(0).comparisons().get(0).margin()).isEqualTo(0.08, within(1e-5));
        assertThat(noisy.groups().get(0).comparisons().get(0).verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(noisy.answers().get(0).decided()).isFalse();
        assertThat(quiet.answers().get(0).decided()).isTrue();
        assertThat(noisy.answers().get(0).tiedIds()).containsExactly("ring");
    }

    @Test
    void groupsWithoutACopyTakeTheLargestNoiseFloorOfTheirWorldAndMarks() {
        final var analysis = new RunFixture().at(2, 1024).baseline("a", MS).copy("b", times(1.03)).at(2, 2048).baseline("c", MS).copy("d", times(1.05))
                .at(2, 4096).baseline("e", MS).at(2, 4096, "shared GPU").baseline("f", MS).at(4, 4096).baseline("g", MS).candidate("h", times(0.96)).analysis();
        assertThat(analysis.groups()).extracting(g -> Math.round(100 * g.noiseFloor().orElse(-1))).containsExactly(3L, 5L, 5L, -100L, -100L);
        assertThat(analysis.groups().get(4).comparisons().get(0).verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void cyclesWithALateRankAreGroupsOfTheirOwnThatTellOthersNothing() {
        final var fixture = new RunFixture().baseline("ring", MS).copy("ring_again", times(1.01)).floor("flag", times(0.1)).candidate("pull", times(0.5))
                .late(20_000).baseline("ring_late", times(4)).copy("ring_late-again", times(5)).candidate("pull_late", times(3));
        final var analysis = fixture.analysis();
        assertThat(analysis.groups()).extracting(Group::skewNanos).containsExactly(0, 20_000);
        assertThat(analysis.groups().get(0).noiseFloor().orElseThrow()).isEqualTo(0.01, within(1e-4));
        assertThat(analysis.groups().get(1).noiseFloor().orElseThrow()).isEqualTo(0.25, within(1e-4));
        assertThat(analysis.groups().get(1).floorNanos()).isEmpty();
        assertThat(analysis.groups().get(1).comparison("pull_late").orElseThrow().ratio()).isEqualTo(0.75, within(1e-4));
        assertThat(analysis.answers()).extracting(Answer::bestId).containsExactly("pull");
        assertThat(new RunFixture().late(20_000).baseline("ring", MS).candidate("pull", times(0.5)).analysis().answers()).as("where there is no other").extracting(Answer::bestId).containsExactly("pull");
    }

    @Test
    void aRunWithoutCopyHasThePracticalMargin() {
        final var group = new RunFixture().baseline("ring", MS).candidate("pull", times(0.999)).analysis().groups().get(0);
        assertThat(group.noiseFloor()).isEmpty();
        assertThat(group.comparisons().get(0).margin()).isEqualTo(0.02);
        assertThat(group.comparisons().get(0).verdict()).isEqualTo(Verdict.SAME);
    }

    @Test
    void withoutABaselineThereIsAnAnswerButNoComparison() {
        final var analysis = new RunFixture().baseline("ring", Double.POSITIVE_INFINITY).candidate("pull", MS).analysis();
        assertThat(analysis.groups().get(0).baselineId()).isEmpty();
        assertThat(analysis.groups().get(0).comparisons()).isEmpty();
        assertThat(analysis.answers().get(0).bestId()).isEqualTo("pull");
        assertThat(analysis.answers().get(0).overBaseline()).isEmpty();
        assertThat(analysis.answers().get(0).bestIsBaseline()).isFalse();
        assertThat(analysis.answers().get(0).decided()).isFalse();
    }

    @Test
    void theBaselineIsRecommendedOnlyWhereNothingIsTiedWithIt() {
        final var ahead = new RunFixture().baseline("ring", MS).candidate("pull", times(1.5)).analysis().answers().get(0);
        final var tied = new RunFixture().baseline("ring", MS).candidate("pull", times(1.001)).analysis().answers().get(0);
        assertThat(ahead.bestId()).isEqualTo(tied.bestId()).isEqualTo("ring");
        assertThat(ahead.decided()).isTrue();
        assertThat(tied.tiedIds()).containsExactly("pull");
        assertThat(tied.decided()).isFalse();
    }

    @Test
    void whatFailedInARoundIsBestOnlyAmongOthersThatDid() {
        final var answer = new RunFixture().baseline("ring", MS).candidate("pull", 500_000, Double.NaN, 500_000).candidate("ll", times(0.8))
                .candidate("slow", 2_000_000, Double.NaN).analysis().answers().get(0);
        assertThat(answer.bestId()).isEqualTo("ll");
        assertThat(answer.passedOverIds()).containsExactly("pull");
        assertThat(answer.tiedIds()).containsExactly("slow");
        assertThat(answer.decided()).isTrue();
        final var none = new RunFixture().baseline("ring", 900_000, Double.NaN).candidate("pull", 500_000, Double.NaN, 500_000).analysis().answers().get(0);
        assertThat(none.bestId()).isEqualTo("pull");
        assertThat(none.passedOverIds()).isEmpty();
    }

    @Test
    void theTwinOfAWrongBaselineHasNoTimeEither() {
        final var analysis = new RunFixture().baseline("ring", 1_000_000, Double.POSITIVE_INFINITY).copy("ring_again", MS)
                .at(4, 43_008).candidate("ring_w4", MS).analysis();
        assertThat(analysis.estimates()).containsOnlyKeys("ring_w4");
        assertThat(analysis.groups().get(0).entries()).hasSize(2).allSatisfy(e -> assertThat(e.estimate()).isEmpty());
    }

    @Test
    void theBaselineItselfMayBeTheAnswerButNeverFloorOrCopy() {
        final var answer = new RunFixture().baseline("ring", MS).copy("again", times(0.5)).floor("flag", times(0.1)).candidate("pull", times(4))
                .analysis().answers().get(0);
        assertThat(answer.bestId()).isEqualTo("ring");
        assertThat(answer.overBaseline()).isEmpty();
        assertThat(answer.tiedIds()).isEmpty();
    }

    @Test
    void aGroupWithoutAFloorTakesTheLeastOfItsWorlds() {
        final var analysis = new RunFixture().at(2, 1024).baseline("a", MS).floor("flag", times(0.1)).floor("exchange", times(0.2))
                .at(2, 2048).baseline("b", MS).at(4, 2048).baseline("c", MS).analysis();
        assertThat(analysis.groups()).extracting(g -> g.floorNanos().orElse(-1)).containsExactly(200_000.0, 100_000.0, -1.0);
    }

    @Test
    void entriesOfDifferentMarksAreNeverCompared() {
        final var analysis = new RunFixture().at(4, 1024).baseline("ring", MS).at(4, 1024, "shared GPU").baseline("shared-ring", times(0.5))
                .candidate("shared", times(0.1)).analysis();
        assertThat(analysis.groups()).extracting(g -> g.entries().size()).containsExactly(1, 2);
        assertThat(analysis.groups().get(1).comparisons().get(0).baselineId()).isEqualTo("shared-ring");
    }

    @Test
    void answersComeForTheMainWorldFirstAndForTheNearestSizeWhereTheWorkloadsIsMissing() {
        final var analysis = new RunFixture().at(2, 43_008).candidate("w2", MS).at(2, 65_536).candidate("w2-large", MS)
                .at(4, 16_384).candidate("w4-small", MS).at(4, 65_536).candidate("w4-near", MS)
                .at(8, 43_008, Entry.OVERSUBSCRIBED).candidate("w8", MS).analysis();
        assertThat(analysis.answers()).extracting(Answer::bestId).containsExactly("w4-near", "w2", "w8");
        assertThat(analysis.groups()).extracting(Group::world).isSorted();
    }

    @Test
    void whereEveryWorldIsOversubscribedTheSmallestIsTheMainOne() {
        final var analysis = new RunFixture().at(4, 43_008, Entry.OVERSUBSCRIBED).candidate("w4", MS)
                .at(2, 43_008, Entry.OVERSUBSCRIBED).candidate("w2", MS).analysis();
        assertThat(analysis.answers()).extracting(Answer::bestId).containsExactly("w2", "w4");
    }

    @Test
    void aRivalWithTooFewRoundsIsTied() {
        final var answer = new RunFixture().baseline("ring", times(9)).candidate("pull", MS).candidate("ll", 2_000_000).analysis().answers().get(0);
        assertThat(answer.tiedIds()).containsExactly("ll");
    }

    @Test
    void moreSizesChangeNoVerdictAndTheSameRunGivesTheSameAnalysis() {
        final var alone = new RunFixture().baseline("ring", MS).candidate("pull", 900_000, 985_000, 905_000, 960_000, 940_000).analysis();
        final var among = new RunFixture().baseline("ring", MS).candidate("pull", 900_000, 985_000, 905_000, 960_000, 940_000)
                .at(2, 1024).baseline("r", MS).candidate("x", times(0.4)).at(2, 2048).baseline("s", MS).candidate("y", times(2));
        final var group = among.analysis().groups().stream().filter(g -> g.bytes() == RunFixture.WORKLOAD_BYTES).findFirst().orElseThrow();
        assertThat(group.comparisons()).isEqualTo(alone.groups().get(0).comparisons());
        assertThat(among.analysis().groups()).isEqualTo(among.analysis().groups());
    }

    @Test
    void aRunWithoutTimesHasNoAnswer() {
        final var analysis = new RunFixture().candidate("pull", Double.NaN).baseline("ring").analysis();
        assertThat(analysis.answers()).isEmpty();
        assertThat(analysis.estimates()).isEmpty();
        assertThat(analysis.groups().get(0).entries()).hasSize(2);
        assertThat(new RunFixture().analysis().groups()).isEmpty();
    }

    private static double[] times(final double factor) {
        return Arrays.stream(MS).map(v -> v * factor).toArray();
    }
}
