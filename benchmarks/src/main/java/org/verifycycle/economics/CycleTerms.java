package org.verifycycle.economics;

/**
 * What one pass of the target model takes, by part; parts follow one another, none is hidden behind another.
 *
 * @param draftNanos   to draft the tokens; 0 without speculation
 * @param computeNanos of the target without its all-reduces
 * @param calls        all-reduce calls in the pass
 * @param callNanos    of one call
 * @param otherNanos   whatever else: sampling, scheduling, launching
 * @param observed     the whole was observed and is not split: all of it stands as compute, its all-reduces included
 */
public record CycleTerms(double draftNanos, double computeNanos, int calls, double callNanos, double otherNanos, boolean observed) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** @throws IllegalArgumentException naming a negative term */
    public CycleTerms {
        Checks.notNegative("draft time", draftNanos);
        Checks.notNegative("compute time", computeNanos);
        Checks.notNegative("calls", calls);
        Checks.notNegative("time per call", callNanos);
        Checks.notNegative("other time", otherNanos);
    }

    /** By part. @throws IllegalArgumentException naming a negative term */
    public CycleTerms(final double draftNanos, final double computeNanos, final int calls, final double callNanos, final double otherNanos) {
        this(draftNanos, computeNanos, calls, callNanos, otherNanos, false);
    }

    /** One token at an observed speed, not split: its all-reduces are in it. */
    public static CycleTerms observed(final double tokensPerSecond) {
        return new CycleTerms(0, NANOS_PER_SECOND / Checks.positive("tokens per second", tokensPerSecond), 0, 0, 0, true);
    }

    public double communicationNanos() {
        return calls * callNanos;
    }

    public double nanos() {
        return draftNanos + computeNanos + communicationNanos() + otherNanos;
    }
}
