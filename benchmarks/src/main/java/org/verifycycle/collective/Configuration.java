package org.verifycycle.collective;

/**
 * One thing to measure: a verify cycle of {@code calls} all-reduces of {@code bytes} bytes by one collective.
 *
 * @param world number of ranks, at least 2
 * @param bytes size of one tensor in bytes: a positive multiple of 16, at most {@link #MAX_BYTES}
 * @param calls all-reduce calls in one cycle, at least 1
 * @param skewNanos how late one rank is made to come to every cycle, see {@link Skew}; 0 for none
 */
public record Configuration(CollectiveSpec collective, int world, int bytes, Dtype dtype, Launch launch, int calls, int skewNanos) {
    /** 64 MiB. */
    public static final int MAX_BYTES = 64 << 20;
    public static final int MIN_WORLD = 2;
    public static final int MAX_WORLD = 16;
    /** A cycle is one CUDA graph; past this the graph, not the all-reduce, is what one would measure. */
    public static final int MAX_CALLS = 100_000;

    public Configuration {
        require(world >= MIN_WORLD && world <= MAX_WORLD, "world " + world + " is not between " + MIN_WORLD + " and " + MAX_WORLD + " ranks");
        require(bytes > 0 && bytes % 16 == 0 && bytes <= MAX_BYTES,
                "size " + bytes + " is not a positive multiple of 16 bytes up to " + MAX_BYTES + " (64 MiB)");
        require(calls >= 1 && calls <= MAX_CALLS, "calls " + calls + " is not between 1 and " + MAX_CALLS);
        require(Skew.valid(skewNanos), Skew.invalid(skewNanos + "ns"));
    }

    /** Without an injected late rank. */
    public Configuration(final CollectiveSpec collective, final int world, final int bytes, final Dtype dtype, final Launch launch, final int calls) {
        this(collective, world, bytes, dtype, launch, calls, Skew.NONE);
    }

    /** The same with another skew. */
    public Configuration withSkew(final int nanos) {
        return new Configuration(collective, world, bytes, dtype, launch, calls, nanos);
    }

    /** Elements in one tensor. */
    public int elements() {
        return bytes / dtype.bytes();
    }

    /** A readable key, unique within a run but for the A/A copy of the baseline. */
    @Override
    public String toString() {
        return collective + " world=" + world + " bytes=" + bytes + " " + dtype.id() + " " + launch.id() + " calls=" + calls + (skewNanos == Skew.NONE ? "" : " skew=" + Skew.format(skewNanos));
    }

    private static void require(final boolean holds, final String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
