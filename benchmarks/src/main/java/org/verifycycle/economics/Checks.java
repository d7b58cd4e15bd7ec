package org.verifycycle.economics;

/** Refuses numbers that can't be, by the name of the term. */
final class Checks {
    private Checks() {
    }

    static double notNegative(final String term, final double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(term + " is " + value + ": it can't be negative");
        }
        return value;
    }

    static double positive(final String term, final double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(term + " is " + value + ": it must be above 0");
        }
        return value;
    }
}
