package org.verifycycle.economics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a user says of a deployment; everything may be left out, and what is then not known is asked for by name.
 *
 * @param knownCase             of {@link KnownCase}; goes with no other term but tokens per cycle or rate, times per call, the baseline's calls with their time, and price
 * @param draftTokens           k
 * @param tokensPerCycle        a; or else
 * @param acceptanceRate        p, of each draft
 * @param draftNanos            to draft a cycle's tokens, 0 if left out
 * @param computeNanos          of the target in a verify cycle, without its all-reduces
 * @param baselineComputeNanos  for one token; as in a verify cycle if left out
 * @param otherNanos            whatever else, 0 if left out
 * @param calls                 all-reduce calls of a verify cycle; those of the run if left out
 * @param callNanos             times per call to look at beside those of the run, the reference first where there is no run
 * @param baselineCalls         of a token without speculation; as in a verify cycle if left out
 * @param baselineCallNanos     for given times per call: what one costs at one token's size; the same if left out; of a case: what one
 *                              took with the old all-reduce, other given times being in the same ratio
 * @param baselineTokensPerSecond observed without speculation
 * @param solveForCompute       from that
 * @param pricePerGpuHour       in any currency
 * @param gpus                  ranks of the run or case if left out
 */
public record Assumptions(Optional<KnownCase> knownCase, OptionalInt draftTokens, OptionalDouble tokensPerCycle, OptionalDouble acceptanceRate, OptionalDouble draftNanos,
                          OptionalDouble computeNanos, OptionalDouble baselineComputeNanos, OptionalDouble otherNanos, OptionalInt calls, List<Double> callNanos,
                          OptionalInt baselineCalls, OptionalDouble baselineCallNanos, OptionalDouble baselineTokensPerSecond, boolean solveForCompute,
                          OptionalDouble pricePerGpuHour, OptionalInt gpus) {
    /** As in the default workload: three tokens a cycle. */
    public static final int DEFAULT_DRAFT_TOKENS = 2;

    public Assumptions {
        callNanos = List.copyOf(callNanos);
    }

    /** Drafts of a cycle, which its size tells of. */
    public int drafts() {
        return draftTokens.orElse(knownCase.map(KnownCase::draftTokens).orElse(DEFAULT_DRAFT_TOKENS));
    }

    /**
     * @param measured times of a run, if there is one
     * @throws IllegalArgumentException naming what is missing, impossible or contradictory
     */
    public Account account(final Optional<MeasuredCalls> measured) {
        final var price = pricePerGpuHour.isEmpty() ? Optional.<Price>empty() : Optional.of(new Price(pricePerGpuHour.getAsDouble(), gpus(measured)));
        return knownCase.isPresent() ? ofCase(knownCase.get(), measured, price) : ofTerms(measured, price);
    }

    private Account ofCase(final KnownCase known, final Optional<MeasuredCalls> measured, final Optional<Price> price) {
        if (draftNanos.isPresent() || computeNanos.isPresent() || baselineComputeNanos.isPresent() || otherNanos.isPresent() || calls.isPresent() || baselineTokensPerSecond.isPresent() || solveForCompute || draftTokens.isPresent()) {
            throw new IllegalArgumentException("case " + known.name() + " has its terms; beside it give only tokens per cycle or an acceptance rate, times per call, calls without speculation, a run and a price");
        }
        if (baselineCalls.isPresent() != baselineCallNanos.isPresent()) {
            throw new IllegalArgumentException("for the token without speculation of case " + known.name() + " give both --baseline-calls N and --baseline-call-time TIME, of one with the old all-reduce");
        }
        final var acceptance = tokensPerCycle.isEmpty() && acceptanceRate.isEmpty() ? known.middle() : acceptance();
        final var ratio = baselineCallNanos.orElse(known.callNanos()) / known.callNanos();
        final var reference = CallTime.given(named(known.callNanos()) + " (observed)", known.callNanos(), known.callNanos() * ratio);
        final var collectives = new ArrayList<CallTime>(List.of(reference));
        if (measured.isEmpty() && callNanos.isEmpty()) {
            known.hopedCallNanos().stream().sorted((x, y) -> Double.compare(y, x)).forEach(t -> collectives.add(CallTime.given(named(t), t, t * ratio)));
        }
        callNanos.forEach(t -> collectives.add(CallTime.given(named(t), t, t * ratio)));
        measured.ifPresent(m -> collectives.addAll(m.collectives()));
        final var model = baselineCalls.isPresent() ? known.model(acceptance, baselineCalls.getAsInt()) : known.model(acceptance);
        return Account.of(knownCase, model, acceptance, collectives, reference, measured, price);
    }

    private Account ofTerms(final Optional<MeasuredCalls> measured, final Optional<Price> price) {
        if (measured.isEmpty() && callNanos.isEmpty()) {
            throw new IllegalArgumentException("no time per call: give a run (--run DIR), times (--call-time TIME) or a case (--case NAME)");
        }
        refuseIgnored();
        final var perCycle = calls.orElseGet(() -> measured.map(m -> m.group().calls())
                .orElseThrow(() -> new IllegalArgumentException("how many all-reduce calls a cycle has is not known: give --calls N")));
        final var known = new Model.Known(acceptance(), perCycle, baselineCalls.orElse(perCycle), draftNanos.orElse(0), otherNanos.orElse(0));
        final var collectives = new ArrayList<CallTime>();
        measured.ifPresent(m -> collectives.addAll(m.collectives()));
        callNanos.forEach(t -> collectives.add(CallTime.given(named(t), t, baselineCallNanos.orElse(t))));
        return Account.of(knownCase, model(known), known.acceptance(), collectives, measured.map(MeasuredCalls::reference).orElseGet(() -> collectives.get(0)), measured, price);
    }

    /** Rather than let someone believe that they count. */
    private void refuseIgnored() {
        if (baselineTokensPerSecond.isPresent() && !solveForCompute && (baselineCalls.isPresent() || baselineComputeNanos.isPresent() || baselineCallNanos.isPresent())) {
            throw new IllegalArgumentException("--baseline-tps without --solve-for compute is the whole token as observed: --baseline-calls, --baseline-compute and --baseline-call-time would be ignored; leave out it or them");
        }
        if (baselineCallNanos.isPresent() && callNanos.isEmpty()) {
            throw new IllegalArgumentException("--baseline-call-time would be ignored: it goes with --call-time, a run has measured its own");
        }
    }

    private Model model(final Model.Known known) {
        if (solveForCompute) {
            if (computeNanos.isPresent() || baselineComputeNanos.isPresent()) {
                throw new IllegalArgumentException("--solve-for compute and a compute time exclude each other");
            }
            return Model.solvedForCompute(known, baselineTokensPerSecond.orElseThrow(() ->
                    new IllegalArgumentException("--solve-for compute needs the speed without speculation: --baseline-tps N")));
        }
        final var compute = computeNanos.orElseThrow(() -> new IllegalArgumentException("what the target computes is not known: give --compute TIME, or --solve-for compute with --baseline-tps N"));
        return Model.given(known, compute, baselineComputeNanos.orElse(compute), baselineTokensPerSecond);
    }

    private Acceptance acceptance() {
        if (tokensPerCycle.isPresent() == acceptanceRate.isPresent()) {
            throw new IllegalArgumentException(tokensPerCycle.isPresent() ? "--tokens-per-cycle and --acceptance-rate exclude each other"
                    : "how many tokens a cycle yields is not known: give --tokens-per-cycle N, or --acceptance-rate P");
        }
        if (draftTokens.isEmpty() && knownCase.isEmpty() && tokensPerCycle.orElse(0) > DEFAULT_DRAFT_TOKENS + 1) {
            throw new IllegalArgumentException("tokens per cycle " + tokensPerCycle.getAsDouble() + " are impossible with " + DEFAULT_DRAFT_TOKENS
                    + " draft tokens, the default: at most all of them and the target's own; give --draft-tokens N");
        }
        return tokensPerCycle.isPresent() ? new Acceptance(drafts(), tokensPerCycle.getAsDouble()) : Acceptance.ofRate(drafts(), acceptanceRate.getAsDouble());
    }

    private int gpus(final Optional<MeasuredCalls> measured) {
        return gpus.orElseGet(() -> knownCase.map(KnownCase::ranks).or(() -> measured.map(m -> m.group().world()))
                .orElseThrow(() -> new IllegalArgumentException("how many GPUs the price is for is not known: give --gpus N")));
    }

    /** {@code 30 us a call}. */
    private static String named(final double nanos) {
        final var micros = String.format(Locale.ROOT, "%.3f", nanos / 1e3).replaceAll("\\.?0+$", "");
        return micros + " us a call";
    }
}
