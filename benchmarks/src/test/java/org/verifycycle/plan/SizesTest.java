package org.verifycycle.plan;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SizesTest {
    @Property(tries = 300)
    void whatIsFormattedParsesToTheSame(@ForAll @IntRange(min = 1, max = (64 << 20) / 16) final int sixteens) {
        final var bytes = 16 * sixteens;
        assertThat(Sizes.parse(Sizes.format(bytes))).isEqualTo(bytes);
        assertThat(Sizes.parse(Sizes.exact(bytes))).isEqualTo(bytes);
        assertThat(Sizes.parse(Integer.toString(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"42KiB|43008", "43008|43008", "43,008 B|43008", "42 k|43008", "64K|65536", "64k|65536", "1M|1048576", "1MiB|1048576",
            "1.5mib|1572864", "0.015625k|16", "64MiB|67108864", "16b|16", " 8KiB |8192"})
    void sizesAreReadAsPeopleWriteThem(final String text, final int bytes) {
        assertThat(Sizes.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "abc|'abc' is not a size; write 43008, 42KiB, 64K, 1M or 1MiB",
            "''|'' is not a size",
            "-16|'-16' is not a size",
            "4,3008|'4,3008' is not a size",
            "64KB|size '64KB' could mean 1000 or 1024; write 64KiB",
            "1G|size '1G' has an unknown unit",
            "0|size '0' is not between 16 B and 64 MiB",
            "65M|size '65M' is not between 16 B and 64 MiB",
            "999999999999M|is not between 16 B and 64 MiB",
            "0.3k|size '0.3k' is not a whole number of bytes",
            "43009|size 43,009 B is not a multiple of 16 bytes between 16 B and 64 MiB; the next is 43,024 B"})
    void otherTextIsRefusedWithWhatToWrite(final String text, final String message) {
        assertThatThrownBy(() -> Sizes.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message).hasMessageNotContaining("\n");
    }

    @Test
    void listsKeepTheirOrderAndDropWhatIsTwice() {
        assertThat(Sizes.parseList("1M,8KiB,1MiB")).containsExactly(1 << 20, 8192);
        assertThatThrownBy(() -> Sizes.parseList("8KiB,,1M")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sizesAreFormattedForPeople() {
        assertThat(Sizes.format(43_008)).isEqualTo("42 KiB");
        assertThat(Sizes.format(14_336)).isEqualTo("14 KiB");
        assertThat(Sizes.format(43_024)).isEqualTo("43,024 B");
        assertThat(Sizes.format(1 << 20)).isEqualTo("1 MiB");
        assertThat(Sizes.format(16)).isEqualTo("16 B");
        assertThat(Sizes.exact(43_008)).isEqualTo("43,008 B");
    }
}
