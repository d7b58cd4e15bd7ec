package org.verifycycle.chart;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether all text of a drawing is on its page and none over another. */
final class Layout {
    private Layout() { }

    static void assertReadable(final Drawing drawing) {
        final var texts = drawing.texts();
        for (var i = 0; i < texts.size(); i++) {
            final var text = texts.get(i);
            assertThat(text.box().getMinX()).as("left of %s in %s", text, drawing.name()).isGreaterThanOrEqualTo(0);
            assertThat(text.box().getMaxX()).as("right of %s in %s", text, drawing.name()).isLessThanOrEqualTo(drawing.width());
            assertThat(text.box().getMinY()).as("top of %s in %s", text, drawing.name()).isGreaterThanOrEqualTo(0);
            assertThat(text.box().getMaxY()).as("bottom of %s in %s", text, drawing.name()).isLessThanOrEqualTo(drawing.height());
            for (final var other : texts.subList(0, i)) {
                assertThat(text.box().intersects(other.box())).as("%s over %s in %s", text, other, drawing.name()).isFalse();
            }
        }
    }
}
