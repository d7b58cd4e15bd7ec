package org.verifycycle.economics;

import org.verifycycle.result.Interval;

import java.util.Optional;

/**
 * A collective's times per call: the estimates, and draws of what they might truly be.
 *
 * @param id       of its entry in the run; empty for a time that was given
 * @param interval of the verify size's time per call, as measured
 * @param draws    as many for every collective of an account; the estimates themselves where nothing is uncertain
 */
public record CallTime(String name, String id, Calls estimate, Optional<Interval> interval, Draws draws) {
    /** Draw {@code i} of both sizes. */
    @FunctionalInterface
    public interface Draws {
        Calls at(int i);
    }

    /** A time that is simply given. */
    public static CallTime given(final String name, final double verifyNanos, final double baselineNanos) {
        final var calls = new Calls(verifyNanos, baselineNanos);
        return new CallTime(name, "", calls, Optional.empty(), i -> calls);
    }
}
