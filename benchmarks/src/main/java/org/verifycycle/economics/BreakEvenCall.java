package org.verifycycle.economics;

/**
 * Time per call at which decoding is as fast with speculation as without.
 *
 * @param pays  on which side of it speculation pays
 * @param nanos of a call in the verify cycle; NaN where there is no such time
 */
public record BreakEvenCall(Side pays, double nanos) {
    /** Relative: a slope within the rounding of its two parts is none. */
    private static final double ROUNDING = 1e-12;

    /** Where speculation pays. */
    public enum Side {
        /** With calls that take less. */
        BELOW,
        /** With calls that take more: per token, speculation needs fewer of them. */
        ABOVE,
        /** At any time per call. */
        ALWAYS,
        /** At none. */
        NEVER
    }

    /**
     * Solves a (B + c' r x) = V + c x for x: per cycle, its tokens decoded without speculation take as long as the cycle.
     *
     * @param room  a B - V, in nanoseconds: what a cycle's tokens take without speculation less what the cycle takes, both without all-reduces
     * @param calls c, of a cycle
     * @param saved a c' r: calls that the cycle's tokens would need without speculation, each weighed by its time over that of one in the cycle
     */
    static BreakEvenCall of(final double room, final double calls, final double saved) {
        final var slope = Math.abs(calls - saved) <= ROUNDING * Math.max(calls, saved) ? 0 : calls - saved;
        if (slope > 0 && room > 0) {
            return new BreakEvenCall(Side.BELOW, room / slope);
        }
        if (slope < 0 && room < 0) {
            return new BreakEvenCall(Side.ABOVE, room / slope);
        }
        return new BreakEvenCall(slope < 0 || room > 0 ? Side.ALWAYS : Side.NEVER, Double.NaN);
    }
}
