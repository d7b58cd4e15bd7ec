package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MannWhitneyTest {
    @ParameterizedTest
    @CsvSource({"3, 3, 0, 0.050", "4, 4, 0, 0.014", "4, 4, 1, 0.029", "4, 4, 3, 0.100", "5, 5, 0, 0.004", "5, 5, 2, 0.016", "5, 5, 4, 0.048", "3, 6, 2, 0.048"})
    void agreesWithTheTableOfMannAndWhitney(final int n, final int m, final int u, final double oneSided) {
        // Annals of Mathematical Statistics 18 (1947), table I: P(U <= u), three digits.
        assertThat(pOfU(n, m, u) / 2).isEqualTo(oneSided, within(5e-4));
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 2", "5, 8, 6", "8, 8, 13", "10, 10, 23", "12, 15, 49", "20, 20, 127"})
    void agreesWithPublishedCriticalValues(final int n, final int m, final int critical) {
        // Largest U significant at 0.05, two-sided (e.g. Siegel, Nonparametric Statistics, 1956, table K).
        assertThat(pOfU(n, m, critical)).isLessThanOrEqualTo(0.05);
        assertThat(pOfU(n, m, critical + 1)).isGreaterThan(0.05);
    }

    @Test
    void tiesAreExactToo() {
        // Ranks 1, 2.5, 2.5, 4. Of the six pairs, sums 3.5, 3.5, 6.5, 6.5 are as far from 5 as x's 3.5; two give 5.
        assertThat(MannWhitney.pValue(new double[] {1, 2}, new double[] {2, 3})).isEqualTo(4 / 6.0, within(1e-12));
        assertThat(MannWhitney.pValue(new double[] {7, 7, 7}, new double[] {7, 7})).isEqualTo(1);
    }

    @Test
    void manyRoundsTakeTheNormalApproximation() {
        final double[] x = new double[60];
        final double[] y = new double[60];
        Arrays.setAll(x, i -> 2 * i);
        Arrays.setAll(y, i -> 2 * i + 1);
        assertThat(MannWhitney.pValue(x, y)).isBetween(0.5, 1.0);
    }

    @Property(tries = 200)
    void dependsOnRanksOnlyAndNotOnSides(@ForAll @Size(min = 1, max = 8) final List<@IntRange(min = 1, max = 9) Integer> a,
                                         @ForAll @Size(min = 1, max = 8) final List<@IntRange(min = 1, max = 9) Integer> b) {
        final double[] x = a.stream().mapToDouble(i -> i).toArray();
        final double[] y = b.stream().mapToDouble(i -> i).toArray();
        final double p = MannWhitney.pValue(x, y);
        assertThat(p).isGreaterThan(0).isLessThanOrEqualTo(1 + 1e-12);
        assertThat(MannWhitney.pValue(y, x)).isEqualTo(p, within(1e-12));
        assertThat(MannWhitney.pValue(Arrays.stream(x).map(Math::exp).toArray(), Arrays.stream(y).map(Math::exp).toArray())).isEqualTo(p, within(1e-12));
    }

    /** p of untied samples where u pairs (x, y) have x > y: the last of x jump over u values of y in all. */
    private static double pOfU(final int n, final int m, final int u) {
        final double[] x = new double[n];
        for (int i = n - 1, left = u; i >= 0; i--) {
            final int jump = Math.min(left, m);
            left -= jump;
            x[i] = jump + 0.5 + i * 1e-3;
        }
        final double[] y = new double[m];
        Arrays.setAll(y, j -> j + 1);
        return MannWhitney.pValue(x, y);
    }
}
