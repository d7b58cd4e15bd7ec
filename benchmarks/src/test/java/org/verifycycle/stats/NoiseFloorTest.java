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
    @DisplayName("a real difference of 5 % is seldom called \"same\"; with the outer end of the A/A interval it would be in a quarter of noisy runs")
    void theOuterEndOfTheIntervalWouldCallRealDifferencesSame() {
        final var random = new Well19937c(44);
        int same = 0;
        int sameByOuterEnd = 0;
        for (int i = 0; i < RUNS; i++) {
            final var fixture = new RunFixture().baseline("base", round(1, random)).copy("copy", round(1, random)).candidate("cand", round(0.95, random));
            final var comparison = fixture.analysis().groups().get(0).comparisons().get(0);
            same += comparison.verdict() == Verdict.SAME ? 1 : 0;

            final var aa = LogRatio.of(fixture.measured("copy"), fixture.measured("base"), true).orElseThrow().interval(0.95);
            final double outer = Math.expm1(Math.max(Math.abs(aa.low()), Math.abs(aa.high())));
            final var candidate = Family.compare(List.of(fixture.measured("cand")), fixture.measured("base"), Math.max(0.02, outer), true).get(0);
            sameByOuterEnd += candidate.verdict() == Verdict.SAME ? 1 : 0;
        }
        assertThat((double) same / RUNS).isLessThan(0.03);
        assertThat((double) sameByOuterEnd / RUNS).isGreaterThan(0.2);
    }

    private static double[] round(final double factor, final Well19937c random) {
        return Arrays.stream(IntervalMethod.medians(TwoLevelModel.HEAVY_TAILED.rounds(5, 20, random))).map(v -> factor * v).toArray();
    }

    private static double floor(final RunFixture fixture) {
        return fixture.analysis().groups().get(0).noiseFloor().orElseThrow();
    }
}
