package org.verifycycle.economics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The whole account of a deployment.
 *
 * @param outcomes  of every collective, the shortest cycle first
 * @param reference what the others' savings are against
 * @param measured  where their times come from, if from a run
 */
public record Account(Optional<KnownCase> knownCase, Model model, Acceptance acceptance, List<Outcome> outcomes, CallTime reference, Optional<MeasuredCalls> measured,
                      Optional<Price> price) {
    private static final double MILLI = 1e6;
    private static final double MICRO = 1e3;

    static Account of(final Optional<KnownCase> knownCase, final Model model, final Acceptance acceptance, final List<CallTime> collectives, final CallTime reference,
                      final Optional<MeasuredCalls> measured, final Optional<Price> price) {
        final var outcomes = Outcome.of(model, collectives, reference).stream().sorted(Comparator.comparingDouble(o -> o.point().verify().nanos())).toList();
        return new Account(knownCase, model, acceptance, outcomes, reference, measured, price);
    }

    public Outcome best() {
        return outcomes.get(0);
    }

    public Outcome ofReference() {
        return outcomes.stream().filter(o -> o.calls().equals(reference)).findFirst().orElseThrow();
    }

    /** The same deployment with other times per call; one token's size scaled as the reference's is. */
    public Speculation at(final double callNanos, final double tokensPerCycle) {
        final var own = reference.estimate();
        final var ratio = own.verifyNanos() == 0 ? 1 : own.baselineNanos() / own.verifyNanos();
        final var point = model.at(new Calls(callNanos, callNanos * ratio), own);
        return new Speculation(acceptance.withTokens(tokensPerCycle), point.verify(), point.baseline());
    }

    /** Every term of one collective's account with its formula; without those that are 0. */
    public static List<Term> terms(final Outcome outcome) {
        final var s = outcome.point();
        final var terms = new ArrayList<Term>();
        terms.add(new Term("tokens a cycle yields", "given, or 1 + p + ... + p^" + s.acceptance().draftTokens(), s.acceptance().tokensPerCycle(), Term.Unit.TOKENS));
        terms.add(new Term("draft", "given", s.verify().draftNanos(), Term.Unit.MILLIS));
        terms.add(new Term("compute of a cycle", "given, or solved for", s.verify().computeNanos(), Term.Unit.MILLIS));
        terms.add(new Term("all-reduces of a cycle", text("%d x %.4g us", s.verify().calls(), s.verify().callNanos() / MICRO), s.verify().communicationNanos(), Term.Unit.MILLIS));
        terms.add(new Term("all else in a cycle", "given, or what was observed less the parts above", s.verify().otherNanos(), Term.Unit.MILLIS));
        terms.add(new Term("cycle", "draft + compute + all-reduces + all else", s.verify().nanos(), Term.Unit.MILLIS));
        terms.add(baseline(s));
        terms.add(new Term("tok/s with speculation", text("%.3g / %.2f ms", s.acceptance().tokensPerCycle(), s.verify().nanos() / MILLI), s.tokensPerSecond(), Term.Unit.TOKENS_PER_SECOND));
        terms.add(new Term("tok/s without", text("1 / %.2f ms", s.baseline().nanos() / MILLI), s.baselineTokensPerSecond(), Term.Unit.TOKENS_PER_SECOND));
        terms.add(new Term("gain", "tok/s with / tok/s without", s.gain(), Term.Unit.TIMES));
        terms.add(new Term("break-even tokens a cycle", text("%.2f ms / %.2f ms", s.verify().nanos() / MILLI, s.baseline().nanos() / MILLI), s.breakEvenTokens(), Term.Unit.TOKENS));
        terms.add(breakEvenCall(s));
        return terms.stream().filter(t -> t.value() != 0).toList();
    }

    private static Term baseline(final Speculation s) {
        final var b = s.baseline();
        return new Term("one token without speculation", b.observed() ? "observed, its all-reduces included"
                : text("%.2f ms compute + %d x %.4g us + %.2f ms else", b.computeNanos() / MILLI, b.calls(), b.callNanos() / MICRO, b.otherNanos() / MILLI), b.nanos(), Term.Unit.MILLIS);
    }

    private static Term breakEvenCall(final Speculation s) {
        final var even = s.breakEvenCall();
        final var b = s.baseline();
        final var a = s.acceptance().tokensPerCycle();
        final var room = text("%.3g x %.2f ms - %.2f ms", a, (b.nanos() - b.communicationNanos()) / MILLI, (s.verify().nanos() - s.verify().communicationNanos()) / MILLI);
        final var formula = switch (even.pays()) {
            case BELOW, ABOVE -> b.observed() ? text("(%s) / %d", room, s.verify().calls()) : text("(%s) / (%d - %.3g x %d x %.3g)", room, s.verify().calls(), a, b.calls(), s.callRatio());
            case ALWAYS -> "none: it pays at any";
            case NEVER -> "none: it pays at no time per call";
        };
        return new Term("break-even time per call", formula, even.nanos(), Term.Unit.MICROS);
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
