package org.verifycycle.economics;

import org.verifycycle.result.Interval;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** A value with its 95 % interval, if it has one. */
public record Ranged(double value, Optional<Interval> interval) {
    /** By a change of units or anything else that rises throughout. */
    public Ranged map(final DoubleUnaryOperator rising) {
        return new Ranged(rising.applyAsDouble(value), interval.map(i -> new Interval(rising.applyAsDouble(i.low()), rising.applyAsDouble(i.high()))));
    }
}
