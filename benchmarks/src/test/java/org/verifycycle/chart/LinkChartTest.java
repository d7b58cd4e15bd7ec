package org.verifycycle.chart;

import org.junit.jupiter.api.Test;
import org.verifycycle.device.Fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class LinkChartTest {
    private static Fabric fabric(final int gpus) {
        final var pairs = new ArrayList<Fabric.Pair>();
        for (int i = 0; i < gpus; i++) {
            for (int j = 0; j < gpus; j++) {
                if (i != j) {
                    pairs.add(i == 0 && j == 1 ? Fabric.Pair.unmeasured(0, 1, "no answer") : new Fabric.Pair(i, j, Optional.empty(), 750 + 10 * j, 380.5, 351, 120, 99.9, 0, 0, 0, 0, 0, 0));
                }
            }
        }
        return new Fabric(Optional.empty(), 900, pairs, List.of(), List.of());
    }

    @Test
    void thereIsNoneWithoutPairs() {
        assertThat(LinkChart.of(Fabric.none("one GPU"), "box")).isEmpty();
    }

    @Test
    void everyMeasuredPairHasANumberInEveryMatrix() {
        final var drawing = LinkChart.of(fabric(8), "box").orElseThrow();
        final var texts = drawing.texts().stream().map(Pen.Placed::text).toList();
        // 56 pairs, one of them not measured.
        assertThat(texts.stream().filter("351"::equals)).hasSize(55);
        assertThat(texts.stream().filter("99.9"::equals)).hasSize(55);
        assertThat(texts.stream().filter("-"::equals)).hasSize(5);
        assertThat(drawing.csv()).hasSize(57).startsWith(List.of("from", "to", "flag_us", "store_GBps", "store_all_GBps", "load_GBps", "load_all_GBps"));
        assertThat(drawing.csv().get(1)).containsExactly("0", "1", "", "", "", "", "");
        assertThat(drawing.csv().get(8)).containsExactly("1", "0", "0.75", "380.5", "120.0", "351.0", "99.9");
    }

    @Test
    void nothingOverlapsOrLeavesThePage() {
        for (final var gpus : List.of(2, 8)) {
            final var drawing = LinkChart.of(fabric(gpus), "box7: 8x NVIDIA H200").orElseThrow();
            final var placed = drawing.texts();
            assertThat(placed).allSatisfy(p -> assertThat(p.box().getMinX() >= 0 && p.box().getMaxX() <= drawing.width() && p.box().getMaxY() <= drawing.height()).as(p.text()).isTrue());
            for (int a = 0; a < placed.size(); a++) {
                for (int b = a + 1; b < placed.size(); b++) {
                    assertThat(placed.get(a).box().intersects(placed.get(b).box())).as(placed.get(a).text() + " over " + placed.get(b).text()).isFalse();
                }
            }
        }
    }
}
