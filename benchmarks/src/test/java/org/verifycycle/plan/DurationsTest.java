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
    @CsvSource({"0,0", "0us,0", "30us,30000", "1.2ms,1200000", "0.5 us,500", "1s,1000000000", "40ns,40"})
    void partsOfACycleAreReadInNanoseconds(final String text, final long nanos) {
        assertThat(Durations.parseNanos(text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "-30us", "soon", "3601s", "1m", "1e3us"})
    void whatIsNoPartOfACycleIsRefused(final String text) {
        assertThatThrownBy(() -> Durations.parseNanos(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "soon", "-1s", "3 weeks", "0s", "1000h"})
    void whatIsNoTimeIsRefused(final String text) {
        assertThatThrownBy(() -> Durations.parseMillis(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text);
    }
}
