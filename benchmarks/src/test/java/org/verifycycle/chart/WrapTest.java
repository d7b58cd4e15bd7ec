package org.verifycycle.chart;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WrapTest {
    @Property
    void noLineIsTooWideAndNothingIsLost(@ForAll @StringLength(max = 200) final String text, @ForAll @IntRange(min = 2, max = 60) final int width) {
        final var lines = Wrap.lines(text, width, String::length);
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        assertThat(String.join("", lines).replaceAll("(?U)\\s", "")).isEqualTo(Wrap.clean(text).replaceAll("(?U)\\s", ""));
    }

    @Test
    void breaksNamesAfterTheirSeparators() {
        assertThat(Wrap.lines("ipc/one-shot-sentinel:blocks=21;pdl=on;threads=128", 30, String::length))
                .containsExactly("ipc/one-shot-sentinel:", "blocks=21;pdl=on;threads=128");
        assertThat(Wrap.lines("host/one-shot-pull", 14, String::length)).containsExactly("host/one-shot-", "pull");
    }

    @Test
    void keepsAnIntervalOnOneLine() {
        assertThat(Wrap.lines("costs 927 us [898, 956], 7.60 us", 20, String::length)).containsExactly("costs 927 us", "[898, 956], 7.60 us");
    }

    @Test
    void controlCharactersDoNotPass() {
        assertThat(Wrap.clean("a\u001b[31mred\n\tb\u202ec\u2028d")).isEqualTo("a [31mred b c d");
    }
}
