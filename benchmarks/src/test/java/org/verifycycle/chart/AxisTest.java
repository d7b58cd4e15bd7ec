package org.verifycycle.chart;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AxisTest {
    @Property
    void aLogAxisHasSomeButNotTooManyTicksAllWithinItsRange(@ForAll @Scale(4) @DoubleRange(min = 1e-3, max = 1e6) final double least,
                                                            @ForAll @Scale(4) @DoubleRange(min = 1.03, max = 1e5) final double span,
                                                            @ForAll @IntRange(min = 3, max = 20) final int count) {
        final var axis = Axis.log(least, least * span, count, Axis::plain);
        assertThat(axis.ticks()).hasSizeBetween(1, count + 1);
        assertThat(axis.ticks()).allSatisfy(t -> assertThat(t.at()).isBetween(axis.min() - 1e-9, axis.max() + 1e-9));
        assertThat(axis.ticks().stream().map(Axis.Tick::label).distinct().count()).isEqualTo(axis.ticks().size());
    }

    @Property
    void aLinearAxisStartsAtZeroAndLabelsItsTicksTruly(@ForAll @Scale(4) @DoubleRange(min = 1e-3, max = 1e7) final double most,
                                                       @ForAll @IntRange(min = 2, max = 12) final int count) {
        final var axis = Axis.fromZero(most, count);
        assertThat(axis.min()).isZero();
        assertThat(axis.ticks()).hasSizeBetween(1, count + 2);
        Assume.that(most > 0.01);
        assertThat(axis.ticks()).allSatisfy(t -> assertThat(Double.parseDouble(t.label().replace(",", ""))).isBetween(t.at() * 0.999, t.at() * 1.001));
    }

    @Test
    void nothingAtOrBelowZeroGetsOntoALogAxis() {
        assertThatThrownBy(() -> Axis.log(0, 1, 5, Axis::plain)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Axis.log(Double.NaN, 1, 5, Axis::plain)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sizesStandWhereTheirLogarithmsAre() {
        final var axis = Axis.bytes(List.of(1 << 20, 8192, 8192));
        assertThat(axis.ticks()).containsExactly(new Axis.Tick(13, "8 KiB"), new Axis.Tick(20, "1 MiB"));
        assertThat(axis.min()).isLessThan(13);
        assertThat(axis.max()).isGreaterThan(20);
    }

    @Test
    void numbersHaveNoTrailingZeros() {
        assertThat(List.of(0.0, 0.25, 1.0, 7.5, 1000.0, 0.002).stream().map(Axis::plain)).containsExactly("0", "0.25", "1", "7.5", "1,000", "0.002");
    }
}
