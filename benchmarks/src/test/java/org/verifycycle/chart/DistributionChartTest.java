package org.verifycycle.chart;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;

class DistributionChartTest {
    @Property(tries = 300)
    void thinningKeepsTheFastestAndEveryOneOfTheSlowestAndLittleElse(@ForAll @IntRange(min = 1, max = 2_000_000) final int count) {
        final var kept = DistributionChart.kept(count);
        assertThat(kept).contains(0, count - 1).contains(Math.max(0, count - 5)).allMatch(i -> i >= 0 && i < count);
        assertThat(kept.size()).isLessThan(300);
    }

    @Property(tries = 300)
    void thinningLeavesNoGapOfMoreThanAFewSharesInAHundred(@ForAll @IntRange(min = 200, max = 2_000_000) final int count) {
        var last = 0;
        for (final var place : DistributionChart.kept(count)) {
            assertThat((place - last) / (double) count).isLessThan(0.08);
            last = place;
        }
    }
}
