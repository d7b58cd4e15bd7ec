package org.verifycycle.collective;

import java.util.Optional;

/**
 * Runs one cycle with known inputs and checks every output on this rank.
 *
 * <p>Two kinds of payload, both different for every seed, rank and buffer pair: small integers (zeros among them) whose
 * sum is exact in every dtype, so that the output must be equal to it; and values in [-1, 1), compared with a float64 sum
 * within the error that float32 summation and the collective's roundings can make. Every rank can work out every rank's input from the
 * seed, so no rank has to be trusted.
 */
public final class PayloadCheck {
    /** Of 16 ranks: at most 16 x 8 = 128, exact in bf16's 8 significant bits. */
    private static final int MAX_INTEGER = 8;
    private static final double FLOAT32_UNIT_ROUNDOFF = 0x1p-24;
    /** Half the spacing of fp16 subnormals: what rounding can lose near zero. */
    private static final double SMALLEST_ERROR = 0x1p-25;

    private final Configuration configuration;
    private final int rank;
    private final PreparedCycle cycle;
    private final int roundings;
    private final float[] buffer;

    /** @param roundings see {@link Collective#roundings} */
    public PayloadCheck(final Configuration configuration, final int rank, final PreparedCycle cycle, final int roundings) {
        this.configuration = configuration;
        this.rank = rank;
        this.cycle = cycle;
        this.roundings = roundings;
        this.buffer = new float[configuration.elements()];
    }

    /**
     * @param exact small integers, or random values
     * @param mismatch what is wrong on this rank, with the first element that is
     * @param hash     of the bits of all outputs: equal on all ranks of a correct collective
     */
    public record Outcome(Optional<String> mismatch, long hash) { }

    /** Collective: all ranks must call it with the same seed. */
    public Outcome run(final long seed, final boolean exact) {
        final var sets = Math.min(cycle.bufferSets(), configuration.calls());
        for (int set = 0; set < sets; set++) {
            fill(buffer, seed, rank, set, exact);
            cycle.setInput(set, buffer);
            cycle.poisonOutput(set);
        }
        cycle.run();
        long hash = seed;
        Optional<String> mismatch = Optional.empty();
        for (int set = 0; set < sets; set++) {
            cycle.getOutput(set, buffer);
            for (final var value : buffer) {
                hash = mix(hash ^ Float.floatToRawIntBits(value));
            }
            if (mismatch.isEmpty()) {
                mismatch = firstMismatch(seed, set, exact);
            }
        }
        return new Outcome(mismatch, hash);
    }

    private Optional<String> firstMismatch(final long seed, final int set, final boolean exact) {
        for (int i = 0; i < buffer.length; i++) {
            double sum = 0;
            double magnitude = 0;
            for (int r = 0; r < configuration.world(); r++) {
                final double value = input(seed, r, set, i, exact);
                sum += value;
                magnitude += Math.abs(value);
            }
            // Rounded once, only the sum is; more often, partial sums are, none of them larger than the sum of magnitudes.
            final var rounded = roundings == 1 ? Math.abs(sum) + FLOAT32_UNIT_ROUNDOFF * magnitude : roundings * magnitude;
            final var tolerance = exact ? 0 : configuration.world() * FLOAT32_UNIT_ROUNDOFF * magnitude + unitRoundoff(configuration.dtype()) * rounded
                    + (configuration.dtype() == Dtype.FP16 ? SMALLEST_ERROR : 0);
            if (!(Math.abs(buffer[i] - sum) <= tolerance)) {
                return Optional.of("element %d of buffer pair %d is %s, not %s (%s payload, seed %d)"
                        .formatted(i, set, buffer[i], sum, exact ? "integer" : "random", seed));
            }
        }
        return Optional.empty();
    }

    private void fill(final float[] into, final long seed, final int ofRank, final int set, final boolean exact) {
        for (int i = 0; i < into.length; i++) {
            into[i] = input(seed, ofRank, set, i, exact);
        }
    }

    /** An element of a rank's input; exactly representable in the dtype, so that no rounding precedes the sum. */
    private float input(final long seed, final int ofRank, final int set, final int index, final boolean exact) {
        final var bits = mix(mix(seed + 31L * ofRank + 1009L * set) + index);
        if (exact) {
            return Math.floorMod(bits, 2 * MAX_INTEGER + 1) - MAX_INTEGER;
        }
        final var half = 1 << significantBits(configuration.dtype()) - 1;
        final var fraction = ((int) (bits & (2 * half - 1)) - half) / (float) half;
        final var exponent = (int) (bits >>> 61);
        return Math.scalb(fraction, -exponent);
    }

    private static int significantBits(final Dtype dtype) {
        return switch (dtype) {
            case FP32 -> 24;
            case FP16 -> 11;
            case BF16 -> 8;
        };
    }

    /** Of rounding to nearest: 2^-p for p significant bits (Higham, Accuracy and Stability, 2.1). */
    private static double unitRoundoff(final Dtype dtype) {
        return Math.scalb(1.0, -significantBits(dtype));
    }

    /** The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
    private static long mix(final long seed) {
        var z = seed + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
