package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class QuantilesTest {
    @Test
    void areOfTypeSeven() {
        // quantile(1:10, c(.25, .5, .95), type = 7) in R: 3.25, 5.5, 9.55 (type 6, Commons Math's default: 2.75, 5.5, 10).
        final var quantiles = new Quantiles(new double[] {7, 3, 10, 1, 9, 5, 2, 8, 6, 4});
        assertThat(quantiles.at(0.25)).isEqualTo(3.25, within(1e-12));
        assertThat(quantiles.at(0.5)).isEqualTo(5.5);
        assertThat(quantiles.at(0.95)).isEqualTo(9.55, within(1e-12));
        assertThat(quantiles.at(0)).isEqualTo(1);
        assertThat(quantiles.at(1)).isEqualTo(10);
    }

    @Test
    void outerFencesStandThreeInterquartileRangesOut() {
        // 10..18: Q1 = 12, Q3 = 16, so the fences are at 0 and 28, and lie inside.
        final double[] inside = {10, 11, 12, 13, 14, 15, 16, 17, 18};
        assertThat(new Quantiles(inside).beyondOuterFences()).isZero();
        // With 0 and 28 for the ends the quartiles stay; on the fence is not beyond it.
        assertThat(new Quantiles(new double[] {0, 11, 12, 13, 14, 15, 16, 17, 28}).beyondOuterFences()).isZero();
        assertThat(new Quantiles(new double[] {-0.5, 11, 12, 13, 14, 15, 16, 17, 28.5}).beyondOuterFences()).isEqualTo(2);
    }

    @Test
    void ofWholeNumbersAreThoseOfTheSameNumbers() {
        assertThat(Quantiles.of(new long[] {3, 1, 2, 9}).at(0.5)).isEqualTo(2.5);
    }

    @Test
    void needAValue() {
        assertThatThrownBy(() -> new Quantiles(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void lieBetweenTheirNeighboursWhateverTheOrder(@ForAll @Size(min = 1, max = 30) final List<@DoubleRange(min = 1, max = 1e9) Double> values,
                                                   @ForAll @DoubleRange(min = 0, max = 1) final double p) {
        final double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
        final double h = (sorted.length - 1) * p;
        final double quantile = new Quantiles(values.stream().mapToDouble(v -> v).toArray()).at(p);
        assertThat(quantile).isBetween(sorted[(int) Math.max(0, Math.floor(h - 1e-9))] * (1 - 1e-12),
                sorted[(int) Math.min(sorted.length - 1, Math.ceil(h + 1e-9))] * (1 + 1e-12));
        assertThat(quantile).isEqualTo(new Quantiles(sorted).at(p));
        assertThat(sorted).isEqualTo(Arrays.stream(sorted).sorted().toArray());
    }
}
