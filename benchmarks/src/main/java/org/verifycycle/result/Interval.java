package org.verifycycle.result;

/** A closed interval, {@code low <= high}. */
public record Interval(double low, double high) {
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("interval [" + low + ", " + high + "] is empty");
        }
    }

    public boolean contains(final double value) {
        return low <= value && value <= high;
    }

    public Interval scale(final double factor) {
        return new Interval(low * factor, high * factor);
    }
}
