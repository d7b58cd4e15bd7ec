package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.verifycycle.result.Samples;

import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class MeasuredTest {
    @Test
    void estimateByHand() {
        // Round medians 1000, 3000, 2000 of (900, 1000, 1500), (2700, 3000, 4500), (1800, 2000, 3000).
        final var estimate = new RunFixture().candidate("c", 1000, 3000, 2000).measured("c").estimate();
        assertThat(estimate.medianNanos()).isEqualTo(2000);
        assertThat(estimate.p50Nanos()).isEqualTo(2000);
        // Of nine values, 0.95 x 8 = 7.6: six tenths of the way from 3000 to 4500.
        assertThat(estimate.p95Nanos()).isEqualTo(3900, within(1e-9));
        assertThat(estimate.maxNanos()).isEqualTo(4500);
        assertThat(estimate.skewMedianNanos()).isEqualTo(2);
        assertThat(estimate.rounds()).isEqualTo(3);
        assertThat(estimate.cycles()).isEqualTo(9);
        assertThat(estimate.outliers()).isZero();
        assertThat(estimate.interval().orElseThrow().contains(2000)).isTrue();
    }

    @Test
    void failedRoundsAreLeftOutAndOneGoodRoundIsEnoughForAnEstimateWithoutInterval() {
        final var estimate = new RunFixture().candidate("c", Double.NaN, 1000, Double.NaN).measured("c").estimate();
        assertThat(estimate.medianNanos()).isEqualTo(1000);
        assertThat(estimate.rounds()).isEqualTo(1);
        assertThat(estimate.interval()).isEmpty();
    }

    @Test
    void aWrongRoundTakesAllTimesAway() {
        final var fixture = new RunFixture().candidate("c", 1000, 1000, Double.POSITIVE_INFINITY).candidate("none", Double.NaN);
        assertThat(Measured.of(fixture.run().entry("c"), fixture::samples)).isEmpty();
        assertThat(Measured.of(fixture.run().entry("none"), fixture::samples)).isEmpty();
    }

    @Test
    void samplesThatAreNoTimesAreNamed() {
        final var fixture = new RunFixture().candidate("c", 0, 1000);
        assertThatThrownBy(() -> fixture.measured("c")).hasMessageContaining("entry c").hasMessageContaining("round 1");
    }

    @Test
    void outliersAreFoundByTheFencesOfTheirRound() {
        // Q1 = 1000.75, Q3 = 1002.25: fences at 996.25 and 1006.75.
        final var summary = RoundSummary.of(1, RunFixture.samplesOf(1000, 1001, 1002, 1003, 1001, 1002, 1000, 9000, 1001, 1002));
        assertThat(summary.outliers()).isEqualTo(1);
        assertThat(summary.cycles()).isEqualTo(10);
    }

    @Property(tries = 300)
    void anOutlierIsCountedAndNeverDropped(@ForAll @Size(min = 8, max = 40) final List<@LongRange(min = 1000, max = 1100) Long> cycles) {
        final long[] plain = cycles.stream().mapToLong(v -> v).toArray();
        final Samples more = RunFixture.samplesOf(LongStream.concat(LongStream.of(plain), LongStream.of(1_000_000)).toArray());
        final var before = RoundSummary.of(1, RunFixture.samplesOf(plain));
        final var after = RoundSummary.of(1, more);
        assertThat(after.cycles()).isEqualTo(before.cycles() + 1);
        assertThat(after.outliers()).isPositive();
        assertThat(after.medianNanos()).isGreaterThanOrEqualTo(before.medianNanos());
    }
}
