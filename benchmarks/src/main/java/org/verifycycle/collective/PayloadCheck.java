package org.verifycycle.collective;

import java.util.Arrays;
import java.util.Optional;

/**
 * Runs one cycle with known inputs and checks every output on this rank; later, what further cycles left there.
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
    /** Elements at a time: what is worked out for them stays in the cache. */
    private static final int BLOCK = 1024;
    /** Powers of two from 1 down: Math.scalb costs more than all else of an element. */
    private static final float[] POWERS = {1, 0x1p-1f, 0x1p-2f, 0x1p-3f, 0x1p-4f, 0x1p-5f, 0x1p-6f, 0x1p-7f};
    private static final long HASH_MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final Configuration configuration;
    private final int rank;
    private final PreparedCycle cycle;
    private final int roundings;
    private final float[] buffer;
    private final float[] inputs = new float[BLOCK];
    private final double[] sums = new double[BLOCK];
    private final double[] magnitudes = new double[BLOCK];
    private long lastSeed;
    private boolean lastExact;

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

    /** Collective: all ranks must call it with the same seed. Leaves the outputs poisoned, for {@link #left}. */
    public Outcome run(final long seed, final boolean exact) {
        lastSeed = seed;
        lastExact = exact;
        for (int set = 0; set < sets(); set++) {
            fill(buffer, 0, buffer.length, seed, rank, set, exact);
            cycle.setInput(set, buffer);
            cycle.poisonOutput(set);
        }
        cycle.run();
        final var outcome = compare(seed, exact);
        poison();
        return outcome;
    }

    /** Fills the outputs with what no sum is; inputs stay. */
    public void poison() {
        for (int set = 0; set < sets(); set++) {
            cycle.poisonOutput(set);
        }
    }

    /** What the cycles since {@link #poison}, one at least, made of the inputs of {@link #run}: cycles that did nothing left poison. Not in place. */
    public Outcome left() {
        return compare(lastSeed, lastExact);
    }

    private int sets() {
        return Math.min(cycle.bufferSets(), configuration.calls());
    }

    private Outcome compare(final long seed, final boolean exact) {
        long hash = seed;
        Optional<String> mismatch = Optional.empty();
        for (int set = 0; set < sets(); set++) {
            cycle.getOutput(set, buffer);
            for (final var value : buffer) {
                // Odd, so no difference is lost; one multiplication deep, since every element waits for the one before.
                hash = (hash ^ Float.floatToRawIntBits(value)) * HASH_MULTIPLIER;
            }
            if (mismatch.isEmpty()) {
                mismatch = firstMismatch(seed, set, exact);
            }
        }
        return new Outcome(mismatch, mix(hash));
    }

    /** By blocks of elements and rank by rank within them, so that the inner loops are as simple as the compiler likes them. */
    private Optional<String> firstMismatch(final long seed, final int set, final boolean exact) {
        final var scale = new Tolerance(exact, configuration, roundings);
        for (int from = 0; from < buffer.length; from += BLOCK) {
            final var count = Math.min(BLOCK, buffer.length - from);
            Arrays.fill(sums, 0);
            Arrays.fill(magnitudes, 0);
            for (int r = 0; r < configuration.world(); r++) {
                fill(inputs, from, count, seed, r, set, exact);
                for (int i = 0; i < count; i++) {
                    sums[i] += inputs[i];
                    magnitudes[i] += Math.abs(inputs[i]);
                }
            }
            for (int i = 0; i < count; i++) {
                if (!(Math.abs(buffer[from + i] - sums[i]) <= scale.of(sums[i], magnitudes[i]))) {
                    return Optional.of("element %d of buffer pair %d is %s, not %s (%s payload, seed %d)"
                            .formatted(from + i, set, buffer[from + i], sums[i], exact ? "integer" : "random", seed));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * How far an output may be from the float64 sum: what float32 summation and the roundings to the dtype can make.
     *
     * @param perMagnitude of the sum of the inputs' magnitudes
     * @param perSum       of the sum's own magnitude
     * @param least        near zero
     */
    private record Tolerance(double perMagnitude, double perSum, double least) {
        Tolerance(final boolean exact, final Configuration c, final int roundings) {
            // Rounded once, only the sum is; more often, partial sums are, none of them larger than the sum of magnitudes.
            this(exact ? 0 : c.world() * FLOAT32_UNIT_ROUNDOFF + unitRoundoff(c.dtype()) * (roundings == 1 ? FLOAT32_UNIT_ROUNDOFF : roundings),
                    exact || roundings != 1 ? 0 : unitRoundoff(c.dtype()),
                    !exact && c.dtype() == Dtype.FP16 ? SMALLEST_ERROR : 0);
        }

        double of(final double sum, final double magnitude) {
            return perMagnitude * magnitude + perSum * Math.abs(sum) + least;
        }
    }

    /** Elements of a rank's input, exactly representable in the dtype, so that no rounding precedes the sum. */
    private void fill(final float[] into, final int from, final int count, final long seed, final int ofRank, final int set, final boolean exact) {
        final var stream = mix(seed + 31L * ofRank + 1009L * set);
        if (exact) {
            for (int i = 0; i < count; i++) {
                // The upper half as a fraction of the range: a division would take longer than all else.
                into[i] = (int) ((mix(stream + from + i) >>> 32) * (2 * MAX_INTEGER + 1) >>> 32) - MAX_INTEGER;
            }
            return;
        }
        final var half = 1 << significantBits(configuration.dtype()) - 1;
        final var scale = 1f / half;
        for (int i = 0; i < count; i++) {
            final var bits = mix(stream + from + i);
            into[i] = ((int) (bits & (2 * half - 1)) - half) * scale * POWERS[(int) (bits >>> 61)];
        }
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
