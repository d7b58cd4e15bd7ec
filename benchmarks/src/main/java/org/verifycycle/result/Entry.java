package org.verifycycle.result;

import org.verifycycle.collective.Configuration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One configuration of a run with what each round of it gave.
 *
 * @param id       short, unique in the run, safe in file names, e.g. {@code c07}
 * @param purpose  why it is in the plan
 * @param marks    what makes its numbers special, shown in every table and chart, e.g. {@code oversubscribed}
 * @param rounds   finished rounds, in the order they ran
 * @param estimate absent until the run's statistics were made, or when no round gave times
 */
public record Entry(String id, Configuration configuration, Purpose purpose, List<String> marks, List<RoundResult> rounds,
                    Optional<Estimate> estimate) {
    /** More ranks than cores: they take turns. */
    public static final String OVERSUBSCRIBED = "oversubscribed";
    /** Several ranks on one GPU: one memory serves them all, and no link is crossed. */
    public static final String SHARED_GPU = "shared GPU";

    public Entry {
        marks = List.copyOf(marks);
        rounds = List.copyOf(rounds);
    }

    public enum Purpose {
        /** Compared with the baseline. */
        CANDIDATE,
        /** What others are compared with. */
        BASELINE,
        /** The baseline measured once more (A/A): its difference from the baseline is the noise floor. */
        BASELINE_COPY,
        /** A lower bound. */
        FLOOR
    }

    /** Whether any round gave a wrong result: then no time of it may be shown. */
    public boolean wrong() {
        return rounds.stream().anyMatch(r -> r.status() == RoundResult.Status.WRONG);
    }

    /** Rounds whose samples count. */
    public List<RoundResult> measured() {
        return rounds.stream().filter(r -> r.status() == RoundResult.Status.OK).toList();
    }

    public Entry with(final RoundResult round) {
        final var more = new ArrayList<>(rounds);
        more.add(round);
        return new Entry(id, configuration, purpose, marks, more, estimate);
    }

    public Entry with(final Optional<Estimate> newEstimate) {
        return new Entry(id, configuration, purpose, marks, rounds, newEstimate);
    }
}
