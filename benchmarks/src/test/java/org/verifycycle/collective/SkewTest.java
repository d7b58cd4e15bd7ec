package org.verifycycle.collective;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SkewTest {
    @ParameterizedTest
    @CsvSource({"0,0,0", "0us,0,0", "5us,5000,5us", "0.15ms,150000,150us", " 20 US ,20000,20us", "12500ns,12500,12500ns", "12.5us,12500,12500ns", "10ms,10000000,10000us"})
    void timesAreReadAndWritten(final String text, final int nanos, final String written) {
        assertThat(Skew.parse(text)).isEqualTo(nanos);
        assertThat(Skew.format(nanos)).isEqualTo(written);
        assertThat(Skew.parse(written)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-5us", "4.999us", "10.000001ms", "1s", "soon", "5000.5ns", "1e3us"})
    void whatIsNoneIsRefusedWithWhatIsValid(final String text) {
        assertThatThrownBy(() -> Skew.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessage("skew '" + text + "' is not valid; write 0, or 5us to 10ms, e.g. 20us or 0.15ms");
    }

    @Test
    void aNumberWithoutAUnitTakesThatOfTheNextThatHasOne() {
        assertThat(Skew.parseAll(List.of("0", "5", "20", "50", "150us"))).containsExactly(0, 5_000, 20_000, 50_000, 150_000);
        assertThat(Skew.parseAll(List.of("5", "20us", "1", "2ms", "20us"))).containsExactly(5_000, 20_000, 1_000_000, 2_000_000);
        assertThat(Skew.parseAll(List.of())).isEmpty();
        assertThatThrownBy(() -> Skew.parseAll(List.of("20us", "50"))).hasMessageStartingWith("skew '50' has no unit; write 0, or 5us to 10ms");
    }

    @Test
    void aConfigurationRefusesWhatNoClockOfADeviceResolvesAndNamesASkewInItsKey() {
        final var plain = new Configuration(CollectiveSpec.parse("host/ring"), 2, 1024, Dtype.FP32, Launch.EAGER, 3);
        assertThat(plain.toString()).isEqualTo("host/ring world=2 bytes=1024 fp32 eager calls=3");
        assertThat(plain.withSkew(20_000)).hasToString(plain + " skew=20us").isNotEqualTo(plain);
        assertThatThrownBy(() -> plain.withSkew(4_999)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("4999ns");
    }
}
