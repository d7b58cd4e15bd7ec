package org.verifycycle.collective;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * IEEE 754 binary16. JDK 20 and later convert it with one machine instruction ({@code Float.float16ToFloat}); a handle
 * held in a static final field is as fast as a direct call, and lets code compiled for 17 use it. Older JDKs take the
 * code here.
 */
public final class Fp16 {
    private static final int QUIET_NAN = 0x7E00;
    private static final int INFINITY = 0x7C00;
    /** 2^112: between the exponent biases of binary32 (127) and binary16 (15). */
    private static final float BIAS = 0x1p112f;

    private static final MethodHandle TO_FLOAT = handle("float16ToFloat", "portableToFloat", float.class, short.class);
    private static final MethodHandle FROM_FLOAT = handle("floatToFloat16", "portableFromFloat", short.class, float.class);

    private Fp16() {
    }

    /** Exact. */
    public static float toFloat(final short bits) {
        try {
            return (float) TO_FLOAT.invokeExact(bits);
        } catch (final Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Rounds to nearest, ties to even; a NaN becomes some NaN. */
    public static short fromFloat(final float value) {
        try {
            return (short) FROM_FLOAT.invokeExact(value);
        } catch (final Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** What {@link #toFloat} is before JDK 20. */
    public static float portableToFloat(final short bits) {
        final var magnitude = bits & 0x7FFF;
        // The fraction lands in place with a bias of 15; multiplying mends that and normalises subnormals, exactly.
        final var exponent = magnitude >= INFINITY ? 0x7F800000 : 0;
        return Float.intBitsToFloat((bits & 0x8000) << 16 | magnitude << 13 | exponent) * BIAS;
    }

    /** What {@link #fromFloat} is before JDK 20. */
    public static short portableFromFloat(final float value) {
        final var bits = Float.floatToRawIntBits(value);
        final var sign = bits >>> 16 & 0x8000;
        final var magnitude = bits & 0x7FFFFFFF;
        if (magnitude > 0x7F800000) {
            return QUIET_NAN;
        }
        if (magnitude >= 0x47800000) { // 65536 and above
            return (short) (sign | INFINITY);
        }
        if (magnitude < 0x38800000) { // below 2^-14: adding 0.5 leaves 24 - 14 = 10 fraction bits, rounded by the adder
            return (short) (sign | Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + 0.5f) - 0x3F000000);
        }
        // May carry into the exponent, up to infinity: that is right.
        return (short) (sign | magnitude - 0x38000000 + 0xFFF + (magnitude >>> 13 & 1) >>> 13);
    }

    private static MethodHandle handle(final String jdk, final String own, final Class<?> result, final Class<?> argument) {
        final var lookup = MethodHandles.lookup();
        try {
            return lookup.findStatic(Float.class, jdk, methodType(result, argument));
        } catch (final NoSuchMethodException olderThan20) {
            try {
                return lookup.findStatic(Fp16.class, own, methodType(result, argument));
            } catch (final ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        } catch (final IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
