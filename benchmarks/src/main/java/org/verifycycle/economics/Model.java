package org.verifycycle.economics;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What is known of a deployment: gives the whole account for any times per call.
 *
 * <p>Compute time is solved anew for every draw of the reference's times, so that its uncertainty is carried on.
 */
@FunctionalInterface
public interface Model {
    double NANOS_PER_SECOND = 1e9;

    /**
     * @param candidate times per call of the collective in question
     * @param reference those of the collective that what was observed was observed with
     * @throws IllegalArgumentException if they contradict what is known, saying how
     */
    Speculation at(Calls candidate, Calls reference);

    /**
     * What a cycle takes besides compute.
     *
     * @param calls         all-reduce calls of a verify cycle
     * @param baselineCalls of a token without speculation
     * @param draftNanos    to draft a cycle's tokens
     * @param otherNanos    whatever else, in a cycle and in a token without speculation alike
     */
    record Known(Acceptance acceptance, int calls, int baselineCalls, double draftNanos, double otherNanos) {
        public Known {
            Checks.notNegative("calls", calls);
            Checks.notNegative("baseline's calls", baselineCalls);
            Checks.notNegative("draft time", draftNanos);
            Checks.notNegative("other time", otherNanos);
        }
    }

    /**
     * Compute times given.
     *
     * @param baselineTokensPerSecond observed with the reference's all-reduce; where given, the token without speculation is that and not modelled
     */
    static Model given(final Known known, final double computeNanos, final double baselineComputeNanos, final OptionalDouble baselineTokensPerSecond) {
        return (candidate, reference) -> new Speculation(known.acceptance,
                new CycleTerms(known.draftNanos, computeNanos, known.calls, candidate.verifyNanos(), known.otherNanos),
                baselineTokensPerSecond.isPresent() ? observed(baselineTokensPerSecond.getAsDouble(), new CycleTerms(0, baselineComputeNanos, known.baselineCalls, reference.baselineNanos(), known.otherNanos))
                        : new CycleTerms(0, baselineComputeNanos, known.baselineCalls, candidate.baselineNanos(), known.otherNanos));
    }

    private static CycleTerms observed(final double tokensPerSecond, final CycleTerms parts) {
        final var token = CycleTerms.observed(tokensPerSecond);
        if (token.nanos() < parts.nanos()) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "--baseline-tps contradicts the other terms: %.1f tok/s leave %.2f ms a token, and %.2f ms compute and %d calls of %.1f us%s take %.2f ms;"
                    + " leave it out and give --baseline-compute or --baseline-call-time, or --solve-for compute", tokensPerSecond, token.nanos() / 1e6, parts.computeNanos() / 1e6, parts.calls(),
                    parts.callNanos() / 1e3, parts.otherNanos() > 0 ? " and the other time" : "", parts.nanos() / 1e6));
        }
        return token;
    }

    /**
     * Compute time solved from a known speed without speculation, with the reference's all-reduce: 1 / speed - calls x time per
     * call - other. The verify cycle is taken to compute as long as one token: decoding few tokens is bound by reading the weights.
     */
    static Model solvedForCompute(final Known known, final double baselineTokensPerSecond) {
        Checks.positive("baseline tokens per second", baselineTokensPerSecond);
        return (candidate, reference) -> {
            final var compute = computeNanos(known, baselineTokensPerSecond, reference.baselineNanos());
            return given(known, compute, compute, OptionalDouble.empty()).at(candidate, reference);
        };
    }

    /** @throws IllegalArgumentException where the calls alone would take longer than the token */
    static double computeNanos(final Known known, final double baselineTokensPerSecond, final double callNanos) {
        final var token = NANOS_PER_SECOND / baselineTokensPerSecond;
        final var compute = token - known.baselineCalls * callNanos - known.otherNanos;
        if (compute < 0) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "compute can't be solved for: %.1f tok/s leave %.2f ms a token, and %d calls of %.1f us%s take %.2f ms",
                    baselineTokensPerSecond, token / 1e6, known.baselineCalls, callNanos / 1e3, known.otherNanos > 0 ? " and the other time" : "", (token - compute) / 1e6));
        }
        return compute;
    }
}
