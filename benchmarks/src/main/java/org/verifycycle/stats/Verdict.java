package org.verifycycle.stats;

/** Outcome of comparing a collective with the baseline. */
public enum Verdict {
    /** The whole interval of the ratio lies below the band within which nothing is claimed ({@link Margin}). */
    FASTER("faster"),
    /** The whole interval lies above it. */
    SLOWER("slower"),
    /** The whole interval lies within the practical margin of 1. */
    SAME("same"),
    /** The data can't tell; shown as {@code ~}. */
    UNDECIDED("~");

    private final String label;

    Verdict(final String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
