package org.verifycycle.stats;

import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class NoiseFloorTest {
    private static final int RUNS = 1_000;

    @Test
    void isTheSameWhicheverOfTheTwoWasSlower() {
        final var slower = new RunFixture().baseline("a", 1000, 1000).copy("b", 1250, 1250);
        final var faster = new RunFixture().baseline("a", 1250, 1250).copy("b", 1000, 1000);
        assertThat(floor(slower)).isEqualTo(0.25, within(1e-12));
        assertThat(floor(faster)).isEqualTo(0.25, within(1e-12));
    }

    @Test
    @DisplayName("a real difference of 15 % is seen in six of seven noisy runs; with the outer end of the A/A interval it would be in less than half")
    void theOuterEndOfTheIntervalWouldLeaveRealDifferencesUndecided() {
        final var random = new Well19937c(44);
        int faster = 0;
        int fasterByOuterEnd = 0;
        for (int i = 0; i < RUNS; i++) {
            final var fixture = new RunFixture().baseline("base", round(1, random)).copy("copy", round(1, random)).candidate("cand", round(0.85, random));
            final var comparison = fixture.analysis().groups().get(0).comparisons().get(0);
            assertThat(comparison.verdict()).isNotEqualTo(Verdict.SAME);
            faster += comparison.verdict() == Verdict.FASTER ? 1 : 0;

            final var aa = LogRatio.of(fixture.measured("copy"), fixture.measured("base"), true).orElseThrow().interval(0.95);
            final double outer = Math.expm1(Math.max(Math.abs(aa.low()), Math.abs(aa.high())));
            final var candidate = Family.compare(List.of(fixture.measured("cand")), fixture.measured("base"), new Margin(Math.max(Margin.PRACTICAL, outer)), true).get(0);
            fasterByOuterEnd += candidate.verdict() == Verdict.FASTER ? 1 : 0;
        }
        assertThat((double) faster / RUNS).isGreaterThan(0.8);
        assertThat((double) fasterByOuterEnd / RUNS).isLessThan(0.5);
    }

    private static double[] round(final double factor, final Well19937c random) {
        return Arrays.stream(IntervalMethod.medians(TwoLevelModel.HEAVY_TAILED.rounds(5, 20, random))).map(v -> factor * v).toArray();
    }

    private static double floor(final RunFixture fixture) {
        return fixture.analysis().groups().get(0).noiseFloor().orElseThrow();
    }
}
