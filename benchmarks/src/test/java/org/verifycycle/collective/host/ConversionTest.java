package org.verifycycle.collective.host;

import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verifycycle.collective.Bf16;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Fp16;

/** The 16-bit types against their definition. */
class ConversionTest {
    private static final Conversion BF16 = new Conversion("bf16", Dtype.BF16, Bf16::toFloat, Bf16::fromFloat);
    private static final Conversion FP16 = new Conversion("fp16 of this JDK", Dtype.FP16, Fp16::toFloat, Fp16::fromFloat);
    private static final Conversion PORTABLE_FP16 = new Conversion("portable fp16", Dtype.FP16, Fp16::portableToFloat, Fp16::portableFromFloat);

    private interface Decoder {
        float decode(short bits);
    }

    private interface Encoder {
        short encode(float value);
    }

    private record Conversion(String name, Dtype dtype, Decoder decoder, Encoder encoder) {
        void requireRounds(final float value) {
            final var actual = encoder.encode(value);
            // Plain code: half a million assertions with a description each take seconds.
            final var right = Float.isNaN(value) ? Float.isNaN(decoder.decode(actual)) : (actual & 0xFFFF) == Oracle.of(dtype).encode(value);
            if (!right) {
                throw new AssertionError(name + " of " + value + " is 0x" + Integer.toHexString(actual & 0xFFFF));
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Conversion> conversions() {
        return Stream.of(BF16, FP16, PORTABLE_FP16);
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void everyPatternDecodesToItsValue(final Conversion conversion) {
        for (var bits = 0; bits < 1 << 16; bits++) {
            final var expected = (float) Oracle.of(conversion.dtype).decode(bits);
            final var actual = conversion.decoder.decode((short) bits);
            if (Float.floatToIntBits(actual) != Float.floatToIntBits(expected)) {
                throw new AssertionError(conversion + ": 0x" + Integer.toHexString(bits) + " is " + actual + ", not " + expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void everyValueAndEveryMiddleBetweenTwoRoundsToNearestEven(final Conversion conversion) {
        for (var bits = 0; bits < 1 << 16; bits++) {
            final var value = (float) Oracle.of(conversion.dtype).decode(bits);
            final var next = (float) Oracle.of(conversion.dtype).decode(Math.min(bits + 1, 0xFFFF));
            final var middle = (float) (((double) value + next) / 2);
            for (final var f : new float[] {value, middle, Math.nextUp(middle), Math.nextDown(middle)}) {
                conversion.requireRounds(f);
            }
        }
    }

    @Property(tries = 2000, seed = "42")
    void anyFloatRoundsToNearestEven(@ForAll final float value, @ForAll final int bits) {
        conversions().forEach(conversion -> {
            conversion.requireRounds(value);
            conversion.requireRounds(Float.intBitsToFloat(bits));
        });
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void valuesPastTheLargestBecomeInfinite(final Conversion conversion) {
        for (final var value : new float[] {65504f, 65519.996f, 65520f, 65536f, Float.MAX_VALUE, Float.POSITIVE_INFINITY}) {
            conversion.requireRounds(value);
            conversion.requireRounds(-value);
        }
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void aNanWhoseBitsAreAllLowStaysANan(final Conversion conversion) {
        conversion.requireRounds(Float.intBitsToFloat(0x7F800001));
        conversion.requireRounds(Float.intBitsToFloat(0xFFFFFFFF));
    }
}
