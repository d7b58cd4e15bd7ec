package org.verifycycle.economics;

import java.util.stream.IntStream;

/**
 * How many tokens a verify cycle yields.
 *
 * @param draftTokens    k, drafted before each cycle, at least 0; the cycle verifies k + 1 tokens
 * @param tokensPerCycle a, mean of the tokens a cycle yields: the accepted drafts and the one that the target itself always gives, so
 *                       from 1 to k + 1 (what SGLang logs as accept length)
 */
public record Acceptance(int draftTokens, double tokensPerCycle) {
    private static final int MOST_DRAFT_TOKENS = 1_000;

    /** @throws IllegalArgumentException naming what is impossible */
    public Acceptance {
        if (draftTokens < 0 || draftTokens > MOST_DRAFT_TOKENS) {
            throw new IllegalArgumentException("draft tokens " + draftTokens + " are not between 0 and " + MOST_DRAFT_TOKENS);
        }
        if (!(tokensPerCycle >= 1)) {
            throw new IllegalArgumentException("tokens per cycle " + tokensPerCycle + " are impossible: the target itself gives one in every cycle, so at least 1");
        }
        if (tokensPerCycle > draftTokens + 1) {
            throw new IllegalArgumentException("tokens per cycle " + tokensPerCycle + " are impossible with " + draftTokens + " draft tokens: at most all of them and the target's own, "
                    + (draftTokens + 1));
        }
    }

    /**
     * Where each draft is accepted with the same chance p if all before it were: a = 1 + p + p^2 + ... + p^k (Leviathan, Kalman,
     * Matias, Fast Inference from Transformers via Speculative Decoding, arXiv 2211.17192, equation 1).
     *
     * @param rate p, from 0 to 1
     */
    public static Acceptance ofRate(final int draftTokens, final double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("acceptance rate " + rate + " is not between 0 and 1");
        }
        return new Acceptance(draftTokens, IntStream.rangeClosed(0, Math.max(0, draftTokens)).mapToDouble(i -> Math.pow(rate, i)).sum());
    }

    /** None is drafted: a cycle is one token of plain decoding. */
    public static Acceptance none() {
        return new Acceptance(0, 1);
    }

    public Acceptance withTokens(final double tokens) {
        return new Acceptance(draftTokens, tokens);
    }
}
