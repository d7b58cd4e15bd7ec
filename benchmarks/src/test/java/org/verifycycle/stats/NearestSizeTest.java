package org.verifycycle.stats;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class NearestSizeTest {
    @Test
    void goesByRatioNotByDifference() {
        assertThat(NearestSize.to(1000, List.of(400, 1700))).hasValue(1700);
        assertThat(NearestSize.to(1000, List.of(600, 1700))).hasValue(600);
    }

    @Test
    void takesTheFirstOfEquallyNearOnesAndNothingOfNone() {
        assertThat(NearestSize.to(64, List.of(128, 32))).hasValue(128);
        assertThat(NearestSize.to(64, List.of(32, 128))).hasValue(32);
        assertThat(NearestSize.to(64, List.of())).isEmpty();
    }
}
