package org.verifycycle.economics;

/**
 * Times of one all-reduce call.
 *
 * @param verifyNanos   of the verify cycle's size
 * @param baselineNanos of the size of one token
 */
public record Calls(double verifyNanos, double baselineNanos) {
    public Calls {
        Checks.notNegative("time per call", verifyNanos);
        Checks.notNegative("baseline's time per call", baselineNanos);
    }
}
