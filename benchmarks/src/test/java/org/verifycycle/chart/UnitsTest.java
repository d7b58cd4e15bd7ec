package org.verifycycle.chart;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.verifycycle.result.Interval;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class UnitsTest {
    @Test
    void showsAsManyDigitsAsTheIntervalLeavesMeaningTo() {
        assertThat(Units.withInterval(1.18034, Optional.of(new Interval(1.1523, 1.2214)), " ms")).isEqualTo("1.18 ms [1.15, 1.22]");
        assertThat(Units.withInterval(1180.34, Optional.of(new Interval(1150.2, 1221.4)), " us")).isEqualTo("1,180 us [1,150, 1,221]");
        assertThat(Units.withInterval(9.6712, Optional.of(new Interval(9.66, 9.69)), "")).isEqualTo("9.671 [9.660, 9.690]");
        assertThat(Units.withInterval(14.0, Optional.of(new Interval(2.0, 60.0)), "")).isEqualTo("14 [2.0, 60]");
        assertThat(Units.withInterval(1.2, Optional.of(new Interval(0.0112, 129.3)), "x")).isEqualTo("1.2x [0.011, 129]");
    }

    @Test
    void showsThreeDigitsWithoutAnInterval() {
        assertThat(List.of(0.001234, 0.05678, 1.0, 9.996, 12.34, 123.4, 43_008.0, 0.0).stream().map(Units::number))
                .containsExactly("0.00123", "0.0568", "1.00", "10.00", "12.3", "123", "43,008", "0");
    }

    @Test
    void showsNoMoreDigitsForAnIntervalWithoutWidth() {
        assertThat(Units.withInterval(7.25, Optional.of(new Interval(7.25, 7.25)), "")).isEqualTo("7.25 [7.25, 7.25]");
    }

    @Test
    void writesSizesAsPeopleSayThem() {
        assertThat(List.of(16, 1024, 14_336, 43_008, 43_024, 1 << 20, 64 << 20).stream().map(Units::bytes))
                .containsExactly("16 B", "1 KiB", "14 KiB", "42 KiB", "43,024 B", "1 MiB", "64 MiB");
    }

    @Test
    void writesPercentages() {
        assertThat(List.of(0.008, 0.02, 0.0004, 0.0, 0.131, 0.0132).stream().map(Units::percent))
                .containsExactly("0.8 %", "2 %", "0.04 %", "0 %", "13 %", "1.3 %");
    }

    @Test
    void takesOneUnitForTimesThatAreComparedAndMillisecondsOnlyWhereTheyReadBetter() {
        assertThat(Units.Time.forAll(List.of(222_000.0, 885_000.0))).isEqualTo(Units.Time.US);
        assertThat(Units.Time.forAll(List.of(222_000.0, 2_885_000.0))).isEqualTo(Units.Time.US);
        assertThat(Units.Time.forAll(List.of(1_220_000.0, 2_885_000.0))).isEqualTo(Units.Time.MS);
        assertThat(Units.Time.forAll(List.of(222_000.0, 24_400_000.0))).isEqualTo(Units.Time.MS);
        assertThat(Units.Time.forAll(List.of())).isEqualTo(Units.Time.US);
    }

    @Property
    void aRoundedNumberStaysWithinOnePercentOfItself(@ForAll @Scale(6) @DoubleRange(min = 1e-4, max = 1e9) final double value) {
        assertThat(Double.parseDouble(Units.number(value).replace(",", ""))).isBetween(value * 0.99, value * 1.01);
    }
}
