package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.collective.CollectiveSpec;

import java.util.OptionalInt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings that users give. */
class IpcSettingsTest {
    private static final String KNOWN = "known: blocks (1 to 512), threads (a multiple of 32 from 32 to 512), pdl (on, off)";

    @Test
    void allSettingsAreRead() {
        assertThat(parse("blocks=12;threads=256;pdl=on")).isEqualTo(new IpcSettings(OptionalInt.of(12), OptionalInt.of(256), true));
        assertThat(IpcSettings.parse(CollectiveSpec.parse("ipc/one-shot-ll"))).isEqualTo(new IpcSettings(OptionalInt.empty(), OptionalInt.empty(), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks=0", "blocks=513", "blocks=x", "blocks=-1", "blocks=99999999999", "threads=33", "threads=0", "threads=544", "pdl=yes", "grid=3"})
    void aWrongSettingNamesTheKnownOnes(final String settings) {
        assertThatThrownBy(() -> parse(settings)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ipc/one-shot-ll").hasMessageContaining(KNOWN)
                .hasMessageContaining(settings.split("=")[0]);
    }

    @Test
    void anUnknownAlgorithmNamesTheKnownOnes() {
        assertThatThrownBy(() -> IpcAlgorithm.parse("ring")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'ring'").hasMessageContaining("one-shot-pull, two-shot-pull")
                .hasMessageContaining("exchange-only");
    }

    private static IpcSettings parse(final String settings) {
        return IpcSettings.parse(CollectiveSpec.parse("ipc/one-shot-ll:" + settings));
    }
}
