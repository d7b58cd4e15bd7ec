package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MedianIntervalTest {
    private static final double LEVEL = 0.95;

    @ParameterizedTest
    @CsvSource({"5, 1, 0.93750", "6, 1, 0.96875", "8, 2, 0.92969", "10, 2, 0.97852", "10, 3, 0.89063", "20, 6, 0.95861", "4, 3, 0"})
    void pairsOfOrderStatisticsCoverWhatTablesOfTheSignTestSay(final int n, final int depth, final double coverage) {
        // E.g. Conover, Practical Nonparametric Statistics, table A3 (binomial, p = 0.5).
        assertThat(MedianInterval.coverage(n, depth)).isEqualTo(coverage, within(5e-6));
    }

    @Test
    void tenRoundsByHand() {
        // g(2) = 1 - 22/1024, g(3) = 1 - 112/1024, I = (0.978516 - 0.95) / 0.087891 = 0.324444,
        // part inward = 8 I / (2 + 6 I) = 0.657658.
        final var interval = MedianInterval.of(new double[] {10, 1, 9, 2, 8, 3, 7, 4, 6, 5}, LEVEL).orElseThrow();
        assertThat(interval.low()).isEqualTo(2.657658, within(1e-6));
        assertThat(interval.high()).isEqualTo(8.342342, within(1e-6));
    }

    @Test
    void fiveRoundsByHand() {
        // Logs -2, -1, 0, 1, 2 (times 0.1, from 1 us): mean 0, s = 0.158114, reach = 2.776445 x s / sqrt 5 = 0.196324.
        final double[] medians = {1000 * Math.exp(-0.2), 1000 * Math.exp(-0.1), 1000, 1000 * Math.exp(0.1), 1000 * Math.exp(0.2)};
        final var interval = MedianInterval.of(medians, LEVEL).orElseThrow();
        assertThat(Math.log(interval.high() / 1000)).isEqualTo(0.196324, within(1e-6));
        assertThat(Math.log(interval.low() / 1000)).isEqualTo(-0.196324, within(1e-6));
    }

    @Test
    void oneRoundAndTwoHaveNone() {
        assertThat(MedianInterval.of(new double[] {5}, LEVEL)).isEmpty();
        assertThat(MedianInterval.of(new double[] {5, 6}, LEVEL)).isEmpty();
    }

    @Property
    void holdsTheMedianOfTheSample(@ForAll @Size(min = 3, max = 24) final List<@DoubleRange(min = 1e3, max = 1e9) Double> rounds) {
        final double[] medians = array(rounds);
        final var interval = MedianInterval.of(medians, LEVEL).orElseThrow();
        assertThat(Quantiles.median(medians)).isBetween(interval.low() * (1 - 1e-12), interval.high() * (1 + 1e-12));
    }

    @Property
    void scalesWithTheTimesAndIgnoresTheirOrder(@ForAll @Size(min = 3, max = 24) final List<@DoubleRange(min = 1e3, max = 1e9) Double> rounds,
                                                @ForAll @DoubleRange(min = 0.01, max = 100) final double factor) {
        final var interval = MedianInterval.of(array(rounds), LEVEL).orElseThrow();
        final var scaled = MedianInterval.of(Arrays.stream(array(rounds)).map(v -> v * factor).toArray(), LEVEL).orElseThrow();
        assertThat(scaled.low() / interval.low()).isEqualTo(factor, within(1e-6 * factor));
        assertThat(scaled.high() / interval.high()).isEqualTo(factor, within(1e-6 * factor));
        Collections.reverse(rounds);
        final var reversed = MedianInterval.of(array(rounds), LEVEL).orElseThrow();
        assertThat(reversed.low()).isEqualTo(interval.low(), within(1e-9 * interval.low()));
    }

    @Property
    void growsWithTheLevelFromSixRounds(@ForAll @Size(min = 8, max = 24) final List<@DoubleRange(min = 1e3, max = 1e9) Double> rounds) {
        final var at90 = MedianInterval.of(array(rounds), 0.90).orElseThrow();
        final var at95 = MedianInterval.of(array(rounds), 0.95).orElseThrow();
        assertThat(at95.low()).isLessThanOrEqualTo(at90.low());
        assertThat(at95.high()).isGreaterThanOrEqualTo(at90.high());
    }

    private static double[] array(final List<Double> values) {
        return values.stream().mapToDouble(v -> v).toArray();
    }
}
