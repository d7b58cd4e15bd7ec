package org.verifycycle.plan;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"250ms,250", "90s,90000", "3m,180000", "3 min,180000", "1.5h,5400000"})
    void timesAreReadAsPeopleWriteThem(final String text, final long millis) {
        assertThat(Durations.parseMillis(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "soon", "-1s", "3 weeks", "0s", "1000h"})
    void whatIsNoTimeIsRefused(final String text) {
        assertThatThrownBy(() -> Durations.parseMillis(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text);
    }
}
