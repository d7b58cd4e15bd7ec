package org.verifycycle.economics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** What follows from the two speeds of a {@link KnownCase}, number by number. */
public final class CaseTerms {
    private static final double MILLI = 1e6;
    private static final double MICRO = 1e3;

    private final KnownCase c;

    public CaseTerms(final KnownCase known) {
        c = known;
    }

    /** Those that hold whatever the acceptance. */
    public List<Term> always() {
        return List.of(
                new Term("one token without speculation", text("1 s / %.1f", c.baselineTokensPerSecond()), c.baselineTokenNanos(), Term.Unit.MILLIS),
                new Term("one token with speculation", text("1 s / %.1f", c.tokensPerSecond()), c.tokenNanos(), Term.Unit.MILLIS),
                new Term("saving needed per accepted token", text("%.2f ms - %.2f ms", c.tokenNanos() / MILLI, c.baselineTokenNanos() / MILLI), c.savingPerTokenNanos(), Term.Unit.MILLIS),
                new Term("all-reduces of a cycle", text("%d x %.0f us", c.calls(), c.callNanos() / MICRO), c.communicationNanos(), Term.Unit.MILLIS),
                tokensFor(c.leastSavingNanos()), tokensFor(c.mostSavingNanos()),
                new Term("tokens a cycle at least: the all-reduces fill it then", text("%.1f ms / %.2f ms", c.communicationNanos() / MILLI, c.tokenNanos() / MILLI), c.leastTokens(), Term.Unit.TOKENS));
    }

    private Term tokensFor(final double savingNanos) {
        return new Term(text("tokens a cycle if %.0f ms a cycle are to be saved", savingNanos / MILLI), text("%.0f ms / %.2f ms", savingNanos / MILLI, c.savingPerTokenNanos() / MILLI),
                c.tokensForSaving(savingNanos), Term.Unit.TOKENS);
    }

    /** A number for each of several acceptances. */
    public record Row(String name, String formula, List<Double> values, Term.Unit unit) { }

    /** Tokens per cycle worth a look: the ends of what the savings named mean, and one between. */
    public double[] acceptances(final double chosen) {
        return DoubleStream.of(c.tokensForSaving(c.leastSavingNanos()), chosen, c.tokensForSaving(c.mostSavingNanos())).sorted().distinct().toArray();
    }

    /** Those that depend on the tokens a cycle yields (a in the formulas). */
    public List<Row> over(final double[] tokens) {
        final var rows = new ArrayList<Row>();
        rows.add(row("tokens a cycle", "a", tokens, Term.Unit.TOKENS, s -> s.acceptance().tokensPerCycle()));
        rows.add(row("cycle", text("a x %.2f ms", c.tokenNanos() / MILLI), tokens, Term.Unit.MILLIS, s -> s.verify().nanos()));
        rows.add(row("all-reduce share of it", text("%.1f ms / cycle", c.communicationNanos() / MILLI), tokens, Term.Unit.SHARE, Speculation::communicationShare));
        rows.add(row("all else in it", text("cycle - %.1f ms", c.communicationNanos() / MILLI), tokens, Term.Unit.MILLIS, s -> s.verify().nanos() - s.verify().communicationNanos()));
        rows.add(row("saving needed to break even", text("a x %.2f ms", c.savingPerTokenNanos() / MILLI), tokens, Term.Unit.MILLIS, Speculation::savingNeededNanos));
        rows.add(row("break-even time per call", text("%.0f us - saving / %d", c.callNanos() / MICRO, c.calls()), tokens, Term.Unit.MICROS, s -> s.breakEvenCall().nanos()));
        for (final var hoped : c.hopedCallNanos().stream().sorted((x, y) -> Double.compare(y, x)).toList()) {
            final var at = text("at %.0f us a call: ", hoped / MICRO);
            rows.add(new Row(at + "saving", text("%d x (%.0f - %.0f us)", c.calls(), c.callNanos() / MICRO, hoped / MICRO),
                    DoubleStream.of(tokens).mapToObj(a -> c.calls() * (c.callNanos() - hoped)).toList(), Term.Unit.MILLIS));
            rows.add(new Row(at + "tok/s", "a / (cycle - saving)", DoubleStream.of(tokens).mapToObj(a -> at(a, hoped).tokensPerSecond()).toList(), Term.Unit.TOKENS_PER_SECOND));
        }
        return rows;
    }

    private Row row(final String name, final String formula, final double[] tokens, final Term.Unit unit, final java.util.function.ToDoubleFunction<Speculation> term) {
        return new Row(name, formula, DoubleStream.of(tokens).mapToObj(a -> term.applyAsDouble(at(a, c.callNanos()))).toList(), unit);
    }

    private Speculation at(final double tokens, final double callNanos) {
        final var calls = new Calls(callNanos, callNanos);
        return c.model(new Acceptance(c.draftTokens(), tokens)).at(calls, calls);
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
