package org.verifycycle.stats;

import org.verifycycle.result.Interval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Comparisons of several entries with one reference, corrected together.
 *
 * <p>The family is all candidates of one group. The question a reader asks is asked of a group ("which collective at this size in
 * this world?"), and its answer must not change because other sizes were measured beside it. With g groups in a run, one should
 * expect up to 0.05 g of them to hold a false claim.
 */
public final class Family {
    private Family() { }

    /**
     * Compares each with the reference.
     *
     * <p>The ratio is that of the estimates. Its interval is Student's t on log ratios ({@link LogRatio}) at Holm's level
     * ({@link Holm#levels}), widened to reach the ratio where that lies outside: medians and mean logs can part when a round is
     * slow, and a wider interval never makes a claim. So the chance that any entry of the family which takes as long as the
     * reference is called faster or slower is at most 5 %.
     *
     * @param sameRun whether rounds may be paired; false across runs
     */
    public static List<Comparison> compare(final List<Measured> others, final Measured reference, final Margin margin, final boolean sameRun) {
        final var ratios = others.stream().map(o -> LogRatio.of(o, reference, sameRun)).toList();
        final double[] p = ratios.stream().flatMap(Optional::stream).mapToDouble(StudentT::pValue).toArray();
        final double[] adjusted = Holm.adjust(p);
        final double[] levels = Holm.levels(p, 1 - Analysis.LEVEL);
        final var comparisons = new ArrayList<Comparison>();
        int tested = 0;
        for (int i = 0; i < others.size(); i++) {
            final var other = others.get(i);
            final double ratio = other.estimate().medianNanos() / reference.estimate().medianNanos();
            Optional<Interval> interval = Optional.empty();
            OptionalDouble pHolm = OptionalDouble.empty();
            OptionalDouble mannWhitney = OptionalDouble.empty();
            if (ratios.get(i).isPresent()) {
                interval = Optional.of(interval(ratios.get(i).get(), levels[tested], ratio));
                pHolm = OptionalDouble.of(adjusted[tested++]);
                mannWhitney = OptionalDouble.of(MannWhitney.pValue(other.medians(), reference.medians()));
            }
            comparisons.add(new Comparison(other.entry().id(), reference.entry().id(), ratio, interval, pHolm, mannWhitney, margin.claim(), margin.verdict(interval)));
        }
        return comparisons;
    }

    /** The interval of a ratio from that of its logarithm, reaching {@code ratio}. */
    static Interval interval(final StudentT logRatio, final double level, final double ratio) {
        final Interval logs = logRatio.interval(level);
        return new Interval(Math.min(ratio, Math.exp(logs.low())), Math.max(ratio, Math.exp(logs.high())));
    }
}
