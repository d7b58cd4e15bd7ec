package org.verifycycle.stats;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class StudentTTest {
    @ParameterizedTest
    @CsvSource({"1, 0.95, 12.706", "2, 0.95, 4.303", "4, 0.95, 2.776", "4, 0.99, 4.604", "9, 0.95, 2.262", "19, 0.95, 2.093"})
    void intervalsReachAsFarAsPublishedTablesOfTSay(final int freedom, final double level, final double quantile) {
        assertThat(new StudentT(0, 1, freedom).interval(level).high()).isEqualTo(quantile, within(5e-4));
    }

    @Test
    void agreesWithStudentsOwnExample() {
        // Extra hours of sleep of ten patients, drug 2 minus drug 1 (Student 1908, table on p. 20): mean 1.58, t = 4.06,
        // p = 0.0028, 95 % interval 0.700 to 2.460.
        final var t = StudentT.of(new double[] {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4});
        assertThat(t.mean()).isEqualTo(1.58, within(1e-12));
        assertThat(t.mean() / t.standardError()).isEqualTo(4.0621, within(1e-4));
        assertThat(t.pValue()).isEqualTo(0.002833, within(1e-6));
        assertThat(t.interval(0.95).low()).isEqualTo(0.7001, within(1e-4));
        assertThat(t.interval(0.95).high()).isEqualTo(2.4599, within(1e-4));
    }

    @Test
    void agreesWithWelchsTestInScipy() {
        // scipy.stats.ttest_ind(a, b, equal_var=False), 1.17: t = -1.56543, df = 9.90474, p = 0.148842.
        final var t = StudentT.welch(new double[] {17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8},
                new double[] {21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8});
        assertThat(t.mean() / t.standardError()).isEqualTo(-1.565434, within(1e-6));
        assertThat(t.freedom()).isEqualTo(9.904741, within(1e-6));
        assertThat(t.pValue()).isEqualTo(0.148842, within(1e-6));
    }

    @Test
    void equalValuesAreCertain() {
        final var t = StudentT.of(new double[] {0.25, 0.25, 0.25});
        assertThat(t.interval(0.95).low()).isEqualTo(t.interval(0.95).high()).isEqualTo(0.25);
        assertThat(t.pValue()).isZero();
        assertThat(StudentT.of(new double[] {0, 0}).pValue()).isEqualTo(1);
        assertThat(StudentT.welch(new double[] {3, 3}, new double[] {3, 3}).pValue()).isEqualTo(1);
    }

    @Test
    void oneValueHasNoError() {
        assertThatThrownBy(() -> StudentT.of(new double[] {1})).hasMessageContaining("at least two");
    }
}
