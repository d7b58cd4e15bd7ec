package org.verifycycle.economics;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.result.Workload;
import org.verifycycle.stats.Measured;
import org.verifycycle.stats.MedianDraws;
import org.verifycycle.stats.NearestSize;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The times per call that a run has measured, in the group that its first answer is about.
 *
 * @param group       at the verify cycle's size
 * @param collectives the baseline and all candidates with a time, fastest first
 * @param reference   the baseline
 * @param workload    the verify cycle that the run is about
 * @param tokenBytes  size that stands for one token's: measured nearest to it; that of the group itself where there is no other
 */
public record MeasuredCalls(RunAnalysis.Group group, List<CallTime> collectives, CallTime reference, Workload workload, int tokenBytes) {
    /** Enough for the ends of a 95 % interval to be sure to a few per cent of its width. */
    public static final int DRAWS = 2_000;
    private static final long SEED = 20_260_131;

    public MeasuredCalls {
        collectives = List.copyOf(collectives);
    }

    /**
     * @param samples     reads the samples of a round whose status is OK
     * @param draftTokens of the verify cycle: where the run doesn't say how many tokens its size is of, it is of so many and one
     * @throws IllegalArgumentException if the run has no answer, or no time of its baseline
     */
    public static MeasuredCalls of(final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples, final int draftTokens) {
        final var group = analysis.answers().stream().findFirst().map(RunAnalysis.Answer::group)
                .orElseThrow(() -> new IllegalArgumentException("run " + run.id() + " has no collective with a time at the verify cycle's size"));
        final var token = tokenGroup(analysis, group, run.workload().bytes() / run.workload().tokens().orElse(draftTokens + 1));
        final var collectives = new ArrayList<CallTime>();
        Optional<CallTime> reference = Optional.empty();
        for (final var entry : group.entries()) {
            final var wanted = entry.purpose() == Entry.Purpose.BASELINE || entry.purpose() == Entry.Purpose.CANDIDATE;
            if (wanted && analysis.estimates().containsKey(entry.id())) {
                final var time = callTime(entry, twin(token, analysis, entry.configuration().collective()).orElse(entry), samples, collectives.size());
                collectives.add(time);
                reference = entry.purpose() == Entry.Purpose.BASELINE ? Optional.of(time) : reference;
            }
        }
        return new MeasuredCalls(group, collectives, reference.orElseThrow(() -> new IllegalArgumentException("run " + run.id()
                + " has no time of its baseline, which the others are compared with")), run.workload(), token.bytes());
    }

    /** What is to be said if a cycle of so many tokens has calls of another size than the run's; empty if it hasn't, or that is not known. */
    public Optional<String> sizeNote(final int cycleTokens) {
        return workload.tokens().stream().filter(t -> t != cycleTokens).mapToObj(t -> String.format(Locale.ROOT,
                "%d draft tokens make calls of %,d bytes (%d x %,d), the run's are of %,d: its times are of %s cycle. Measure with --tokens %d.", cycleTokens - 1,
                (long) cycleTokens * (workload.bytes() / t), cycleTokens, workload.bytes() / t, workload.bytes(), t < cycleTokens ? "a smaller" : "a larger", cycleTokens)).findFirst();
    }

    private static RunAnalysis.Group tokenGroup(final RunAnalysis analysis, final RunAnalysis.Group group, final int bytes) {
        final var alike = analysis.groups().stream().filter(g -> g.world() == group.world() && g.dtype() == group.dtype() && g.launch() == group.launch() && g.calls() == group.calls()
                && g.skewNanos() == group.skewNanos() && g.marks().equals(group.marks())).toList();
        final var nearest = NearestSize.to(bytes, alike.stream().map(RunAnalysis.Group::bytes).toList());
        return alike.stream().filter(g -> OptionalInt.of(g.bytes()).equals(nearest)).findFirst().orElse(group);
    }

    private static Optional<Entry> twin(final RunAnalysis.Group group, final RunAnalysis analysis, final CollectiveSpec collective) {
        return group.entries().stream().filter(e -> e.configuration().collective().equals(collective) && analysis.estimates().containsKey(e.id())
                && e.purpose() != Entry.Purpose.BASELINE_COPY).findFirst();
    }

    private static CallTime callTime(final Entry verify, final Entry token, final Function<RoundResult, Samples> samples, final int index) {
        final double calls = verify.configuration().calls();
        final var atVerify = Measured.of(verify, samples).orElseThrow();
        final var atToken = token.equals(verify) ? atVerify : Measured.of(token, samples).orElseThrow();
        final var verifyDraws = new MedianDraws(atVerify, SEED + 2L * index).take(DRAWS);
        final var tokenDraws = token.equals(verify) ? verifyDraws : new MedianDraws(atToken, SEED + 2L * index + 1).take(DRAWS);
        return new CallTime(verify.configuration().collective().toString(), verify.id(), new Calls(atVerify.estimate().medianNanos() / calls, atToken.estimate().medianNanos() / calls),
                atVerify.estimate().interval().map(i -> i.scale(1 / calls)), i -> new Calls(verifyDraws[i] / calls, tokenDraws[i] / calls));
    }
}
