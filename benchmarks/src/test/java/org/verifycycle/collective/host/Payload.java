package org.verifycycle.collective.host;

import org.verifycycle.collective.Dtype;

/** Inputs that every rank can compute for every other, and what their sum may be. */
enum Payload {
    /** Small integers, zeros among them: every sum is exact in every type, in any order. */
    INTEGERS {
        @Override
        float value(final long random, final int index, final Dtype dtype) {
            return (int) Math.floorMod(random, 17L) - 8;
        }

        @Override
        boolean accepts(final float[] operands, final float sum, final Dtype dtype) {
            var expected = 0f;
            for (final var operand : operands) {
                expected += operand;
            }
            return sum == expected;
        }
    },

    /** Values of any size around 1, against a float64 sum. */
    RANDOM {
        @Override
        float value(final long random, final int index, final Dtype dtype) {
            // 24 or 8 significant bits: what the type holds exactly.
            final var fraction = dtype == Dtype.FP32 ? (random >> 40) * 0x1p-23f : (random >> 56) * 0x1p-7f;
            return fraction * (1 << (random & 7));
        }

        @Override
        boolean accepts(final float[] operands, final float sum, final Dtype dtype) {
            var expected = 0.0;
            var magnitude = 0.0;
            for (final var operand : operands) {
                expected += operand;
                magnitude += Math.abs(operand);
            }
            final var rounding = switch (dtype) {
                case FP32 -> 0;
                case BF16 -> Math.abs(expected) * 0x1p-8 + 0x1p-126;
                case FP16 -> Math.abs(expected) * 0x1p-11 + 0x1p-24;
            };
            return Math.abs(sum - expected) <= magnitude * operands.length * 0x1p-24 * 1.01 + rounding * 1.01;
        }
    },

    /** NaN, infinities, both zeros; subnormals; values whose sum overflows fp16. Kinds don't mix, so that order does not matter. */
    SPECIAL {
        private static final float[] NON_FINITE = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0f, -0f, -0f, -0f, 1f};
        private static final float[] LARGE = {65504f, -65504f, 65504f, 0f};

        @Override
        float value(final long random, final int index, final Dtype dtype) {
            final var pick = (int) (random >>> 33);
            return switch (index % 4) {
                case 0 -> NON_FINITE[pick % NON_FINITE.length];
                case 1 -> -0f;
                case 2 -> (pick % 7 - 3) * smallest(dtype);
                default -> Oracle.rounded(dtype, LARGE[pick % LARGE.length]);
            };
        }

        @Override
        boolean accepts(final float[] operands, final float sum, final Dtype dtype) {
            var expected = operands[0];
            for (var i = 1; i < operands.length; i++) {
                expected += operands[i];
            }
            return Float.floatToIntBits(Oracle.rounded(dtype, expected)) == Float.floatToIntBits(sum);
        }

        private float smallest(final Dtype dtype) {
            return switch (dtype) {
                case FP32 -> Float.MIN_VALUE;
                case BF16 -> 0x1p-133f;
                case FP16 -> 0x1p-24f;
            };
        }
    };

    abstract float value(long random, int index, Dtype dtype);

    abstract boolean accepts(float[] operands, float sum, Dtype dtype);

    /** One element of a rank's input; {@code salt} tells rounds and buffer pairs apart. */
    float input(final int rank, final long salt, final int index, final Dtype dtype) {
        return value(mix(mix(salt * 31 + rank) + index), index, dtype);
    }

    /** SplitMix64's finaliser. */
    private static long mix(final long seed) {
        var z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
