package org.verifycycle.economics;

import org.verifycycle.result.Interval;
import org.verifycycle.stats.Analysis;
import org.verifycycle.stats.Quantiles;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The account of one collective: its point estimates, and the same account for every draw of the times per call, of which
 * intervals are the middle 95 %. A draw goes through the whole account, so what cancels there cancels in the interval.
 *
 * @param point of the estimates
 * @param draws empty where nothing is uncertain
 * @param reference the reference's account, draw by draw with this one's
 */
public record Outcome(CallTime calls, Speculation point, List<Speculation> draws, Optional<Outcome> reference) {
    /** What cancels leaves no more than this, relatively: no interval of anything. */
    private static final double ROUNDING = 1e-9;

    public Outcome {
        draws = List.copyOf(draws);
    }

    /**
     * @param collectives in any order
     * @param reference   among them or not
     * @return in the order given; the reference has none to be compared with
     * @throws IllegalArgumentException if the model contradicts the reference's estimate
     */
    public static List<Outcome> of(final Model model, final List<CallTime> collectives, final CallTime reference) {
        final var own = of(model, reference, reference, Optional.empty());
        return collectives.stream().map(c -> c.equals(reference) ? own : of(model, c, reference, Optional.of(own))).toList();
    }

    private static Outcome of(final Model model, final CallTime candidate, final CallTime reference, final Optional<Outcome> compared) {
        final var uncertain = candidate.interval().isPresent() || reference.interval().isPresent();
        return new Outcome(candidate, model.at(candidate.estimate(), reference.estimate()), uncertain
                ? IntStream.range(0, MeasuredCalls.DRAWS).filter(i -> possible(model, reference.draws().at(i))).mapToObj(i -> model.at(candidate.draws().at(i), reference.draws().at(i))).toList()
                : List.of(), compared);
    }

    /** Draws of the reference that contradict what is known are none: the same ones for every collective. */
    private static boolean possible(final Model model, final Calls reference) {
        try {
            model.at(reference, reference);
            return true;
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }

    public Ranged of(final ToDoubleFunction<Speculation> term) {
        return ranged(term.applyAsDouble(point), draws.stream().mapToDouble(term).toArray());
    }

    /** Of a cycle, against the reference's; negative where this one costs more. */
    public Optional<Ranged> savingNanos() {
        return reference.map(r -> ranged(r.point.verify().nanos() - point.verify().nanos(),
                IntStream.range(0, Math.min(draws.size(), r.draws.size())).mapToDouble(i -> r.draws.get(i).verify().nanos() - draws.get(i).verify().nanos()).toArray()));
    }

    private static Ranged ranged(final double value, final double[] values) {
        // What can't be (no calls, say) has no interval.
        if (values.length == 0 || Arrays.stream(values).anyMatch(v -> !Double.isFinite(v))) {
            return new Ranged(value, Optional.empty());
        }
        final var quantiles = new Quantiles(values);
        final var tail = (1 - Analysis.LEVEL) / 2;
        final var low = quantiles.at(tail);
        final var high = quantiles.at(1 - tail);
        return high - low > ROUNDING * Math.abs(value) ? new Ranged(value, Optional.of(new Interval(Math.min(low, value), Math.max(high, value)))) : new Ranged(value, Optional.empty());
    }
}
