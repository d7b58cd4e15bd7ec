package org.verifycycle.economics;

/**
 * Decoding of one sequence with and without speculation.
 *
 * @param verify   one verify cycle
 * @param baseline one token without speculation
 */
public record Speculation(Acceptance acceptance, CycleTerms verify, CycleTerms baseline) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** @throws IllegalArgumentException if either takes no time at all */
    public Speculation {
        Checks.positive("a verify cycle in nanoseconds", verify.nanos());
        Checks.positive("a token without speculation in nanoseconds", baseline.nanos());
    }

    /** With speculation: a / cycle. */
    public double tokensPerSecond() {
        return NANOS_PER_SECOND * acceptance.tokensPerCycle() / verify.nanos();
    }

    /** Without: 1 / token. */
    public double baselineTokensPerSecond() {
        return NANOS_PER_SECOND / baseline.nanos();
    }

    /** Times as fast with speculation as without. */
    public double gain() {
        return acceptance.tokensPerCycle() * baseline.nanos() / verify.nanos();
    }

    /** Tokens a cycle must yield to be as fast as without: cycle / token. More than it can yield: speculation can't pay. */
    public double breakEvenTokens() {
        return verify.nanos() / baseline.nanos();
    }

    /** Of a cycle, at the given acceptance, to be as fast as without: cycle - a x token. Negative: it pays already, by so much. */
    public double savingNeededNanos() {
        return verify.nanos() - acceptance.tokensPerCycle() * baseline.nanos();
    }

    /**
     * Time per call at which both are as fast. A call without speculation keeps its time relative to one of the verify cycle; a
     * token that was observed, not split into parts, stays as it is.
     */
    public BreakEvenCall breakEvenCall() {
        final var tokens = acceptance.tokensPerCycle();
        return BreakEvenCall.of(tokens * (baseline.nanos() - baseline.communicationNanos()) - (verify.nanos() - verify.communicationNanos()), verify.calls(),
                tokens * baseline.calls() * callRatio());
    }

    /** Time of a call without speculation over that of one in the verify cycle; 1 where those take none. */
    public double callRatio() {
        return verify.callNanos() == 0 ? 1 : baseline.callNanos() / verify.callNanos();
    }

    /** Part of the verify cycle that is all-reduce. */
    public double communicationShare() {
        return verify.communicationNanos() / verify.nanos();
    }
}
