package org.verifycycle.collective.host;

import java.util.Arrays;
import org.verifycycle.collective.Dtype;

/** The 16-bit types by their definition, in double arithmetic and by search: slow, and nothing like the code under test. */
final class Oracle {
    private static final Oracle BF16 = new Oracle(8);
    private static final Oracle FP16 = new Oracle(5);

    private final int exponentBits;
    private final int fractionBits;
    /** Value of every non-negative finite bit pattern, ascending, then of the first pattern past them: 2^(emax + 1). */
    private final double[] magnitudes;

    private Oracle(final int exponentBits) {
        this.exponentBits = exponentBits;
        fractionBits = 15 - exponentBits;
        magnitudes = new double[(((1 << exponentBits) - 1) << fractionBits) + 1];
        for (var bits = 0; bits < magnitudes.length; bits++) {
            final var exponent = bits >>> fractionBits;
            final var fraction = Math.scalb((double) (bits & (1 << fractionBits) - 1), -fractionBits);
            final var bias = (1 << exponentBits - 1) - 1;
            magnitudes[bits] = exponent == 0 ? Math.scalb(fraction, 1 - bias) : Math.scalb(1 + fraction, exponent - bias);
        }
    }

    static Oracle of(final Dtype dtype) {
        return dtype == Dtype.BF16 ? BF16 : FP16;
    }

    /** A value rounded to the type, as float32. */
    static float rounded(final Dtype dtype, final float value) {
        return dtype == Dtype.FP32 ? value : (float) of(dtype).decode(of(dtype).encode(value));
    }

    double decode(final int bits) {
        final var magnitude = bits & 0x7FFF;
        final var infinity = magnitudes.length - 1;
        final var value = magnitude < infinity ? magnitudes[magnitude] : magnitude == infinity ? Double.POSITIVE_INFINITY : Double.NaN;
        return (bits & 0x8000) == 0 ? value : -value;
    }

    /** The nearest pattern, the even one of two as near; for a NaN some NaN pattern. */
    int encode(final double value) {
        if (Double.isNaN(value)) {
            return 0x7FFF;
        }
        final var sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
        final var magnitude = Math.abs(value);
        final var found = Arrays.binarySearch(magnitudes, magnitude);
        if (found >= 0) {
            return sign | found;
        }
        final var above = Math.min(-found - 1, magnitudes.length - 1);
        final var below = above - 1;
        final var middle = (magnitudes[below] + magnitudes[above]) / 2;
        final var upwards = magnitude > middle || magnitude == middle && above % 2 == 0;
        return sign | (upwards ? above : below);
    }

    int exponentBits() {
        return exponentBits;
    }
}
