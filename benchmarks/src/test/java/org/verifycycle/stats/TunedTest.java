package org.verifycycle.stats;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TunedTest {
    private static final double[] BASELINE = {1_000_000, 1_001_000, 999_000, 1_000_500, 999_500};

    @Test
    void theFastestSettingOfTheBaselinesLibraryIsWhatOthersAreComparedWith() {
        final var group = new RunFixture().baseline("nccl/default", BASELINE).copy("nccl/default_again", BASELINE).candidate("nccl/ring", times(0.8)).candidate("nccl/tree", times(0.9))
                .candidate("ipc/pull", times(0.4)).floor("ipc/flag", times(0.1)).analysis().groups().get(0);
        final var tuned = group.tuned().orElseThrow();
        assertThat(tuned.entryId()).isEqualTo("nccl/ring");
        assertThat(tuned.settings()).isEqualTo(3);
        assertThat(tuned.comparisons()).extracting(Comparison::entryId).containsExactly("ipc/pull");
        final var comparison = tuned.comparison("ipc/pull").orElseThrow();
        assertThat(comparison.speedup()).isCloseTo(2.0, within(0.01));
        assertThat(comparison.baselineId()).isEqualTo("nccl/ring");
        assertThat(comparison.verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void aSettingThatFailedInARoundIsNotTheBest() {
        final var group = new RunFixture().baseline("nccl/default", BASELINE).candidate("nccl/ring", 100_000, Double.NaN, 100_000, 100_000, 100_000).candidate("ipc/pull", times(0.4)).analysis()
                .groups().get(0);
        assertThat(group.tuned().orElseThrow().entryId()).isEqualTo("nccl/default");
    }

    @Test
    void thereIsNoneWhereNothingElseOrNoOtherSettingWasMeasured() {
        assertThat(new RunFixture().baseline("nccl/default", BASELINE).candidate("ipc/pull", times(0.4)).analysis().groups().get(0).tuned()).isEmpty();
        assertThat(new RunFixture().baseline("nccl/default", BASELINE).candidate("nccl/ring", times(0.4)).analysis().groups().get(0).tuned()).isEmpty();
        assertThat(new RunFixture().baseline("ring", BASELINE).candidate("one-shot-pull", times(0.4)).analysis().groups().get(0).tuned()).isEmpty();
    }

    private static double[] times(final double factor) {
        return Arrays.stream(BASELINE).map(t -> t * factor).toArray();
    }
}
