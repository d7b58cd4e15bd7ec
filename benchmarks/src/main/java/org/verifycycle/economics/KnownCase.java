package org.verifycycle.economics;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A deployment of which two speeds were observed: what follows from them needs no compute time. The cycle is a / speed with
 * speculation; all but its all-reduces is what remains; the token without speculation is 1 / speed without, all-reduces included.
 *
 * @param ranks                    GPUs
 * @param tokensPerSecond          observed with speculation
 * @param baselineTokensPerSecond  observed without
 * @param calls                    all-reduce calls of a verify cycle
 * @param bytes                    of one of them
 * @param callNanos                about what one took
 * @param hopedCallNanos           what a better all-reduce was hoped to take, the least first
 * @param leastSavingNanos         of a cycle, that was thought to be needed, at least
 * @param mostSavingNanos          and at most
 */
public record KnownCase(String name, String what, int ranks, int draftTokens, double tokensPerSecond, double baselineTokensPerSecond, int calls, int bytes, double callNanos,
                        List<Double> hopedCallNanos, double leastSavingNanos, double mostSavingNanos) {
    private static final List<KnownCase> ALL = List.of(new KnownCase("eagle3-pcie8", "Kimi-K2.5 with EAGLE-3 on 8x RTX PRO 6000 over PCIe", 8, 2, 54.1, 89.5, 122, 43_008, 200e3,
            List.of(30e3, 50e3), 10e6, 18e6));

    public static List<KnownCase> all() {
        return ALL;
    }

    /** @throws IllegalArgumentException on an unknown name, listing the known ones */
    public static KnownCase of(final String name) {
        return ALL.stream().filter(c -> c.name.equals(name.strip().toLowerCase(Locale.ROOT))).findFirst().orElseThrow(() -> new IllegalArgumentException("unknown case '" + name + "'; known: "
                + ALL.stream().map(KnownCase::name).collect(Collectors.joining(", "))));
    }

    /** One token without speculation. */
    public double baselineTokenNanos() {
        return Model.NANOS_PER_SECOND / baselineTokensPerSecond;
    }

    /** One token with speculation. */
    public double tokenNanos() {
        return Model.NANOS_PER_SECOND / tokensPerSecond;
    }

    /** Saving needed to break even, per token that a cycle yields. */
    public double savingPerTokenNanos() {
        return tokenNanos() - baselineTokenNanos();
    }

    public double communicationNanos() {
        return calls * callNanos;
    }

    /** Tokens a cycle at which breaking even needs this saving. */
    public double tokensForSaving(final double savingNanos) {
        return savingNanos / savingPerTokenNanos();
    }

    /** Fewer tokens a cycle can't be: the all-reduces alone would take longer than the cycle. */
    public double leastTokens() {
        return communicationNanos() / tokenNanos();
    }

    /** In the middle of the savings that were thought to be needed. */
    public Acceptance middle() {
        return new Acceptance(draftTokens, tokensForSaving((leastSavingNanos + mostSavingNanos) / 2));
    }

    /** The account for any time per call; what was observed stays as it was. */
    public Model model(final Acceptance acceptance) {
        final var rest = restNanos(acceptance.tokensPerCycle());
        return (candidate, reference) -> new Speculation(acceptance, new CycleTerms(0, 0, calls, candidate.verifyNanos(), rest), CycleTerms.observed(baselineTokensPerSecond));
    }

    /**
     * The account where the token without speculation has all-reduces of its own, which change too.
     *
     * @param baselineCalls of that token; what else is in it remains, solved from the speed observed with the reference's time
     */
    public Model model(final Acceptance acceptance, final int baselineCalls) {
        final var fixed = model(acceptance);
        final var known = new Model.Known(acceptance, calls, baselineCalls, 0, 0);
        return (candidate, reference) -> new Speculation(acceptance, fixed.at(candidate, reference).verify(), new CycleTerms(0,
                Model.computeNanos(known, baselineTokensPerSecond, reference.baselineNanos()), baselineCalls, candidate.baselineNanos(), 0));
    }

    /** Of a cycle, all but its all-reduces. @throws IllegalArgumentException with fewer tokens than {@link #leastTokens} */
    public double restNanos(final double tokensPerCycle) {
        final var rest = tokensPerCycle * tokenNanos() - communicationNanos();
        if (rest < 0) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "tokens per cycle %.3g contradict case %s: at %.1f tok/s its cycle would take %.1f ms, and %d calls of %.0f us alone take %.1f ms; at least %.2f",
                    tokensPerCycle, name, tokensPerSecond, tokensPerCycle * tokenNanos() / 1e6, calls, callNanos / 1e3, communicationNanos() / 1e6, leastTokens()));
        }
        return rest;
    }
}
