package org.verifycycle.stats;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class HolmTest {
    @Test
    void agreesWithTheTextbookExample() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R; the example of Wikipedia's article on the method.
        assertThat(Holm.adjust(new double[] {0.01, 0.04, 0.03, 0.005})).containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
    }

    @Test
    void stopsRaisingTheIntervalsLevelAtTheFirstTestNotRejected() {
        // 0.005 x 4 and 0.01 x 3 are below 0.05, 0.03 x 2 is not: both that are left share 0.05 / 2.
        assertThat(Holm.levels(new double[] {0.01, 0.04, 0.03, 0.005}, 0.05))
                .containsExactly(new double[] {1 - 0.05 / 3, 0.975, 0.975, 1 - 0.05 / 4}, within(1e-12));
        assertThat(Holm.levels(new double[] {0.001, 0.002}, 0.05)).containsExactly(new double[] {0.975, 0.95}, within(1e-12));
        assertThat(Holm.levels(new double[] {0.3}, 0.05)).containsExactly(new double[] {0.95}, within(1e-12));
    }

    @Test
    void anEmptyFamilyIsNoError() {
        assertThat(Holm.adjust(new double[0])).isEmpty();
        assertThat(Holm.levels(new double[0], 0.05)).isEmpty();
    }

    @Property
    void keepsTheOrderAndNeverLowersAP(@ForAll @Size(min = 1, max = 12) final List<@DoubleRange(min = 0, max = 1) Double> values) {
        final double[] p = values.stream().mapToDouble(v -> v).toArray();
        final double[] adjusted = Holm.adjust(p);
        for (int i = 0; i < p.length; i++) {
            assertThat(adjusted[i]).isBetween(p[i], Math.min(1, p.length * p[i]));
            for (int j = 0; j < p.length; j++) {
                if (p[i] <= p[j]) {
                    assertThat(adjusted[i]).isLessThanOrEqualTo(adjusted[j]);
                }
            }
        }
    }

    @Property
    void anIntervalExcludesNoDifferenceExactlyIfItsCorrectedPIsSmall(
            @ForAll @Size(min = 1, max = 8) final List<@DoubleRange(min = -8, max = 8) Double> t) {
        final var tests = t.stream().map(x -> new StudentT(x, 1, 4)).toList();
        final double[] p = tests.stream().mapToDouble(StudentT::pValue).toArray();
        final double[] adjusted = Holm.adjust(p);
        final double[] levels = Holm.levels(p, 0.05);
        for (int i = 0; i < p.length; i++) {
            if (Math.abs(adjusted[i] - 0.05) > 1e-6) {
                assertThat(tests.get(i).interval(levels[i]).contains(0)).isEqualTo(adjusted[i] > 0.05);
            }
        }
    }
}
