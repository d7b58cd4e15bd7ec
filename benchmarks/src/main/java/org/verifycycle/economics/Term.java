package org.verifycycle.economics;

/**
 * A number of an account with where it comes from.
 *
 * @param formula with the numbers in it, to be worked out by hand
 */
public record Term(String name, String formula, double value, Unit unit) {
    /** What the value is in: nanoseconds are shown in the unit named. */
    public enum Unit { MILLIS, MICROS, TOKENS, TOKENS_PER_SECOND, SHARE, TIMES }
}
