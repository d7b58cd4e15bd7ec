package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.result.Interval;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

class ComparisonTest {
    private static final Margin MARGIN = new Margin(Margin.PRACTICAL);

    @Test
    void pairedIntervalByHand() {
        // Log ratios log 0.50, log 0.52, log 0.54, log 0.51, log 0.53: mean -0.654297, s = 0.030421 (n - 1),
        // reach = 2.776445 s / sqrt 5 = 0.037773; so 0.519808 / 1.038495 to 0.519808 x 1.038495, the latter just short of the
        // ratio of the medians, 0.54.
        final var comparison = compare(new double[] {500_000, 1_040_000, 810_000, 510_000, 1_590_000},
                new double[] {1_000_000, 2_000_000, 1_500_000, 1_000_000, 3_000_000});
        final var interval = comparison.interval().orElseThrow();
        assertThat(comparison.ratio()).isEqualTo(810_000 / 1_500_000.0);
        assertThat(interval.low()).isEqualTo(0.500539, within(1e-6));
        assertThat(interval.high()).isEqualTo(0.54);
        assertThat(comparison.verdict()).isEqualTo(Verdict.FASTER);
        // scipy.stats.ttest_1samp of the logs. The times themselves overlap: without pairs there would be nothing to see.
        assertThat(comparison.pHolm().orElseThrow()).isEqualTo(1.118e-6, within(1e-9));
        assertThat(comparison.mannWhitneyP().orElseThrow()).isGreaterThan(0.05);
    }

    @Test
    void onlyRoundsInCommonArePaired() {
        final var fixture = new RunFixture().baseline("base", 1000, Double.NaN, 2000, 4000).candidate("cand", 500, 7000, 1000, 2000);
        final var t = LogRatio.of(fixture.measured("cand"), fixture.measured("base"), true).orElseThrow();
        assertThat(t.freedom()).isEqualTo(2);
        assertThat(t.mean()).isEqualTo(Math.log(0.5), within(1e-12));
    }

    @Test
    void withoutCommonRoundsTheSamplesAreIndependent() {
        final var fixture = new RunFixture().baseline("base", 1000, 1100, 1210, Double.NaN, Double.NaN, Double.NaN).candidate("cand", Double.NaN, Double.NaN, Double.NaN, 2000, 2200, 2420);
        final var t = LogRatio.of(fixture.measured("cand"), fixture.measured("base"), true).orElseThrow();
        assertThat(t.freedom()).isEqualTo(4, within(1e-9));
        assertThat(t.mean()).isEqualTo(Math.log(2), within(1e-12));
        assertThat(LogRatio.of(fixture.measured("cand"), fixture.measured("base"), false)).contains(t);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneRoundOrTwoDecideNothing(final int rounds) {
        final var comparison = compare(Arrays.copyOf(new double[] {500, 510}, rounds), Arrays.copyOf(new double[] {1000, 1020}, rounds));
        assertThat(comparison.ratio()).isEqualTo(0.5);
        assertThat(comparison.interval()).isEmpty();
        assertThat(comparison.pHolm()).isEmpty();
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @ParameterizedTest
    @CsvSource({"0.90, 0.98, FASTER", "0.90, 0.981, UNDECIDED", "0.981, 1.019, SAME", "0.985, 1.03, UNDECIDED", "0.5, 2, UNDECIDED", "1.021, 1.1, SLOWER",
        "1.02, 1.1, UNDECIDED"})
    void verdictNeedsTheWholeInterval(final double low, final double high, final Verdict verdict) {
        assertThat(new Margin(0.02).verdict(Optional.of(new Interval(low, high)))).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"0.981, 1.019, SAME", "0.95, 0.96, UNDECIDED", "0.97, 1.01, UNDECIDED", "0.90, 0.92, FASTER", "0.90, 0.93, UNDECIDED", "1.03, 1.07, UNDECIDED",
        "1.09, 1.2, SLOWER"})
    void noiseMakesClaimsHarderAndSameNoEasier(final double low, final double high, final Verdict verdict) {
        assertThat(Margin.of(OptionalDouble.of(0.08)).verdict(Optional.of(new Interval(low, high)))).isEqualTo(verdict);
    }

    @Property(tries = 200)
    void exchangingSidesExchangesTheVerdict(@ForAll @Size(min = 3, max = 9) final List<@DoubleRange(min = 1e5, max = 1.3e5) Double> a,
                                            @ForAll @DoubleRange(min = 0.8, max = 1.25) final double factor) {
        final double[] x = array(a);
        final double[] y = new double[x.length];
        Arrays.setAll(y, i -> factor * x[(i + 1) % x.length]);
        final var forth = compare(x, y);
        final var back = compare(y, x);
        final var swapped = Map.of(Verdict.FASTER, Verdict.SLOWER, Verdict.SLOWER, Verdict.FASTER, Verdict.SAME, Verdict.SAME, Verdict.UNDECIDED, Verdict.UNDECIDED);
        assertThat(back.ratio()).isCloseTo(1 / forth.ratio(), withPercentage(1e-6));
        assertThat(back.interval().orElseThrow().low()).isCloseTo(1 / forth.interval().orElseThrow().high(), withPercentage(1e-6));
        assertThat(back.verdict()).isEqualTo(swapped.get(forth.verdict()));
        assertThat(back.pHolm().orElseThrow()).isEqualTo(forth.pHolm().orElseThrow(), within(1e-9));
        assertThat(forth.interval().orElseThrow().contains(forth.ratio())).isTrue();
    }

    @Property(tries = 200)
    void aFasterClockChangesNothing(@ForAll @Size(min = 3, max = 9) final List<@DoubleRange(min = 1e5, max = 1.3e5) Double> a) {
        final double[] x = Arrays.stream(array(a)).map(Math::rint).toArray();
        final double[] y = new double[x.length];
        Arrays.setAll(y, i -> x[x.length - 1 - i]);
        final var slow = compare(times(x, 7), times(y, 7));
        final var fast = compare(x, y);
        assertThat(slow.interval().orElseThrow().high()).isCloseTo(fast.interval().orElseThrow().high(), withPercentage(1e-6));
        assertThat(slow.pHolm().orElseThrow()).isEqualTo(fast.pHolm().orElseThrow(), within(1e-9));
    }

    @Test
    @DisplayName("of four candidates that take as long as the baseline, one is called faster or slower in at most 5 % of runs")
    void falseClaimsAreRare() {
        final int runs = 1_000;
        final var random = new Well19937c(42);
        int claims = 0;
        for (int i = 0; i < runs; i++) {
            final var fixture = new RunFixture();
            fixture.baseline("base", IntervalMethod.medians(TwoLevelModel.HEAVY_TAILED.rounds(5, 20, random)));
            for (int c = 0; c < 4; c++) {
                fixture.candidate("c" + c, IntervalMethod.medians(TwoLevelModel.HEAVY_TAILED.rounds(5, 20, random)));
            }
            final var group = fixture.analysis().groups().get(0);
            claims += group.comparisons().stream().anyMatch(c -> c.verdict() == Verdict.FASTER || c.verdict() == Verdict.SLOWER) ? 1 : 0;
        }
        // 3.3 binomial standard errors above 5 %.
        assertThat((double) claims / runs).isLessThanOrEqualTo(0.05 + 3.3 * Math.sqrt(0.05 * 0.95 / runs));
    }

    @Test
    @DisplayName("the paired interval of a 10 % difference covers it in 95 % of runs, though rounds differ by more than that")
    void pairedIntervalsCover() {
        final int runs = 2_000;
        final var random = new Well19937c(43);
        int covered = 0;
        for (int i = 0; i < runs; i++) {
            final double[] base = new double[5];
            final double[] candidate = new double[5];
            for (int round = 0; round < 5; round++) {
                final double machine = 0.2 * random.nextGaussian();
                base[round] = 1e6 * Math.exp(machine + 0.02 * random.nextGaussian());
                candidate[round] = 0.9e6 * Math.exp(machine + 0.02 * random.nextGaussian());
            }
            final var interval = compare(candidate, base).interval().orElseThrow();
            covered += interval.contains(0.9) ? 1 : 0;
        }
        // At least, not about: an interval is widened where the ratio of medians lies outside it.
        assertThat((double) covered / runs).isGreaterThan(0.95 - 3.3 * Math.sqrt(0.05 * 0.95 / runs));
    }

    private static Comparison compare(final double[] candidate, final double[] baseline) {
        final var fixture = new RunFixture().baseline("base", baseline).candidate("cand", candidate);
        return Family.compare(List.of(fixture.measured("cand")), fixture.measured("base"), MARGIN, true).get(0);
    }

    private static double[] array(final List<Double> values) {
        return values.stream().mapToDouble(v -> v).toArray();
    }

    private static double[] times(final double[] values, final double factor) {
        return Arrays.stream(values).map(v -> v * factor).toArray();
    }
}
