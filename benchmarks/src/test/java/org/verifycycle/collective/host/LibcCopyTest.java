package org.verifycycle.collective.host;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Lengths around one and two of its steps of 64 KiB. */
class LibcCopyTest {
    private static final byte UNTOUCHED = 0x5A;
    private static final int OFFSET = 4096 + 64;
    private static final int FROM = 3;

    @BeforeEach
    void onlyWhereItIsUsed() {
        assumeTrue(LibcCopy.unavailable().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 16_383, 16_384, 16_385, 32_768, 40_000})
    void floatsArriveBitForBitAndNothingElseIsTouched(final int length) {
        final var source = new float[FROM + length];
        for (var i = 0; i < source.length; i++) {
            source[i] = Float.intBitsToFloat(i * 0x9E3779B9);
        }
        final var region = region(OFFSET + Float.BYTES * length);

        LibcCopy.into(region).floats(source, FROM, OFFSET, length);

        for (var i = 0; i < length; i++) {
            assertThat(region.getInt(OFFSET + Float.BYTES * i)).isEqualTo(Float.floatToRawIntBits(source[FROM + i]));
        }
        assertUntouchedAround(region, OFFSET + Float.BYTES * length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2048, 32_767, 32_768, 32_769, 70_000})
    void shortsArriveAndNothingElseIsTouched(final int length) {
        final var source = new short[FROM + length];
        for (var i = 0; i < source.length; i++) {
            source[i] = (short) (i * 40_503);
        }
        final var region = region(OFFSET + Short.BYTES * length);

        LibcCopy.into(region).shorts(source, FROM, OFFSET, length);

        for (var i = 0; i < length; i++) {
            assertThat(region.getShort(OFFSET + Short.BYTES * i)).isEqualTo(source[FROM + i]);
        }
        assertUntouchedAround(region, OFFSET + Short.BYTES * length);
    }

    @Test
    void whoCopiesIsNamedWithTheVersionThatTheSystemGives() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/getconf")), "no getconf");
        final var getconf = new ProcessBuilder("/usr/bin/getconf", "GNU_LIBC_VERSION").redirectErrorStream(true).start();
        final var said = new String(getconf.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assumeTrue(said.startsWith("glibc "), "not glibc: " + said);

        assertThat(LibcCopy.whose()).isEqualTo(said);
    }

    /** With as much room behind as before. */
    private static ByteBuffer region(final int end) {
        final var region = ByteBuffer.allocateDirect(end + OFFSET).order(ByteOrder.nativeOrder());
        for (var i = 0; i < region.capacity(); i++) {
            region.put(i, UNTOUCHED);
        }
        return region;
    }

    private static void assertUntouchedAround(final ByteBuffer region, final int end) {
        for (var i = 0; i < OFFSET; i++) {
            assertThat(region.get(i)).isEqualTo(UNTOUCHED);
            assertThat(region.get(end + i)).isEqualTo(UNTOUCHED);
        }
    }
}
