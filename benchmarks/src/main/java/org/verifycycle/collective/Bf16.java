package org.verifycycle.collective;

/** bfloat16: the upper half of a binary32. */
public final class Bf16 {
    private static final int QUIET_NAN = 0x7FC0;

    private Bf16() {
    }

    /** Exact. */
    public static float toFloat(final short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** Rounds to nearest, ties to even; every NaN becomes the one quiet NaN, since rounding could carry its payload away. */
    public static short fromFloat(final float value) {
        if (value != value) {
            return QUIET_NAN;
        }
        final var bits = Float.floatToRawIntBits(value);
        return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
    }
}
