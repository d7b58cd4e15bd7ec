package org.verifycycle.cli;

import org.verifycycle.economics.Assumptions;
import org.verifycycle.economics.KnownCase;
import org.verifycycle.plan.Durations;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What is known of a deployment, for {@code economics} and {@code report}. */
final class EconomicsOptions {
    private static final String COMPUTE = "compute";

    @Option(names = "--case", paramLabel = "NAME", completionCandidates = CaseNames.class, description = "A known deployment: ${COMPLETION-CANDIDATES}; its terms are then known.")
    private String caseName;

    @Option(names = "--tokens-per-cycle", paramLabel = "N", description = "Tokens a verify cycle yields on average, the target's own included (accept length).")
    private Double tokensPerCycle;

    @Option(names = "--acceptance-rate", paramLabel = "P", description = "Or the chance of each draft token to be accepted, 0 to 1.")
    private Double acceptanceRate;

    @Option(names = "--draft-tokens", paramLabel = "N", description = "Tokens drafted for a cycle (default: " + Assumptions.DEFAULT_DRAFT_TOKENS + ").")
    private Integer draftTokens;

    @Option(names = "--draft", paramLabel = "TIME", description = "Time to draft them, e.g. 1.2ms (default: 0).")
    private String draft;

    @Option(names = "--compute", paramLabel = "TIME", description = "What the target computes in a cycle, without its all-reduces.")
    private String compute;

    @Option(names = "--baseline-compute", paramLabel = "TIME", description = "And for one token without speculation (default: as in a cycle).")
    private String baselineCompute;

    @Option(names = "--other", paramLabel = "TIME", description = "Whatever else a cycle and a token take (default: 0).")
    private String other;

    @Option(names = "--solve-for", paramLabel = "TERM", description = "compute: back it out of --baseline-tps.")
    private String solveFor;

    @Option(names = "--baseline-tps", paramLabel = "N", description = "Tokens per second without speculation, as observed.")
    private Double baselineTokensPerSecond;

    @Option(names = "--call-time", paramLabel = "TIME", split = ",", description = "Times per all-reduce call to look at, e.g. 30us,50us; without a run the others are compared with the first.")
    private List<String> callTimes = new ArrayList<>();

    @Option(names = "--baseline-call-time", paramLabel = "TIME", description = "What one of these costs at one token's size (default: the same); with --case: what one took with the old all-reduce.")
    private String baselineCallTime;

    @Option(names = "--calls", paramLabel = "N", description = "All-reduce calls of a verify cycle (default: the run's).")
    private Integer calls;

    @Option(names = "--baseline-calls", paramLabel = "N", description = "And of a token without speculation (default: the same; with --case: as observed, not split).")
    private Integer baselineCalls;

    @Option(names = "--price", paramLabel = "N", description = "Per GPU-hour, in any currency: gives the price of a million tokens.")
    private Double price;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs it is paid for (default: ranks of the run or case).")
    private Integer gpus;

    @Option(names = "--explain-terms", description = "Every number with its formula.")
    private boolean explain;

    /** For the help text. */
    static final class CaseNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return KnownCase.all().stream().map(KnownCase::name).iterator();
        }
    }

    /** Whether any of them says something of a deployment. */
    boolean given() {
        return explain || solveFor != null || !callTimes.isEmpty() || Stream.of(caseName, draft, compute, baselineCompute, other, baselineCallTime).anyMatch(o -> o != null)
                || Stream.of(tokensPerCycle, acceptanceRate, baselineTokensPerSecond, price).anyMatch(o -> o != null) || Stream.of(draftTokens, calls, baselineCalls, gpus).anyMatch(o -> o != null);
    }

    boolean explain() {
        return explain;
    }

    /** @throws IllegalArgumentException on a value that is none, by its name */
    Assumptions assumptions() {
        if (solveFor != null && !solveFor.equals(COMPUTE)) {
            throw new IllegalArgumentException("--solve-for '" + solveFor + "' is not known; known: " + COMPUTE);
        }
        return new Assumptions(Optional.ofNullable(caseName).map(KnownCase::of), integer(draftTokens), number(tokensPerCycle), number(acceptanceRate), time(draft), time(compute),
                time(baselineCompute), time(other), integer(calls), callTimes.stream().map(t -> (double) Durations.parseNanos(t)).toList(), integer(baselineCalls), time(baselineCallTime),
                number(baselineTokensPerSecond), solveFor != null, number(price), integer(gpus));
    }

    private static OptionalInt integer(final Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static OptionalDouble number(final Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static OptionalDouble time(final String text) {
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(Durations.parseNanos(text));
    }
}
