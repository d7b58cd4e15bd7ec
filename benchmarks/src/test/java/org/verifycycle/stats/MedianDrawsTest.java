package org.verifycycle.stats;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MedianDrawsTest {
    private static final int MANY = 40_000;

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 6, 9, 20})
    void theMiddle95PercentOfThemIsTheIntervalOfTheEstimate(final int rounds) {
        final var measured = measured(rounds);
        final var interval = measured.estimate().interval().orElseThrow();
        final var draws = new Quantiles(new MedianDraws(measured, 1).take(MANY));
        final var tolerance = 0.08 * (interval.high() - interval.low());
        assertThat(draws.at(0.025)).isEqualTo(interval.low(), within(tolerance));
        assertThat(draws.at(0.975)).isEqualTo(interval.high(), within(tolerance));
    }

    @Test
    void twoRoundsGiveNoUncertaintyAndASeedAlwaysTheSame() {
        assertThat(new MedianDraws(measured(1), 1).take(3)).containsOnly(measured(1).estimate().medianNanos());
        assertThat(new MedianDraws(measured(2), 1).take(3)).containsOnly(measured(2).estimate().medianNanos());
        assertThat(new MedianDraws(measured(5), 7).take(9)).containsExactly(new MedianDraws(measured(5), 7).take(9));
        assertThat(new MedianDraws(measured(5), 7).take(9)).isNotEqualTo(new MedianDraws(measured(5), 8).take(9));
    }

    private static Measured measured(final int rounds) {
        final var medians = IntStream.range(0, rounds).mapToDouble(i -> 1_000_000 + 7_000 * ((i * 13) % 11)).toArray();
        return new RunFixture().candidate("pull", medians).measured("pull");
    }
}
