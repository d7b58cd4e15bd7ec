package org.verifycycle.plan;

import org.verifycycle.result.Entry;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.PlanRecord;
import org.verifycycle.result.Run;
import org.verifycycle.result.Workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What a run will measure: every entry once a round, in an order shuffled anew for each round.
 *
 * @param estimateSeconds time all rounds will take
 */
public record Plan(Workload workload, List<Entry> entries, List<LeftOut> leftOut, PlanRecord settings, long estimateSeconds) {
    private static final long SEED_STEP = 0x9e3779b97f4a7c15L;

    public Plan {
        entries = List.copyOf(entries);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * One round of one entry.
     *
     * @param round    from 1
     * @param position in the round's order, from 0
     */
    public record Step(int round, int position, String entryId) { }

    /** All steps, in order. */
    public List<Step> steps() {
        return steps(entries, settings);
    }

    /**
     * What an interrupted run has still to do, in the order it would have had. A round that failed or was wrong is a result:
     * it is not tried again. Entries that were declined are gone, and with them their place in the order.
     */
    public static List<Step> remaining(final Run run) {
        return steps(run.entries(), run.plan()).stream()
                .filter(step -> run.entry(step.entryId()).rounds().stream().noneMatch(r -> r.round() == step.round())).toList();
    }

    private static List<Step> steps(final List<Entry> entries, final PlanRecord settings) {
        final var steps = new ArrayList<Step>();
        for (int round = 1; round <= settings.rounds(); round++) {
            final var ids = new ArrayList<>(entries.stream().map(Entry::id).toList());
            Collections.shuffle(ids, new Random(settings.shuffleSeed() + round * SEED_STEP));
            for (int position = 0; position < ids.size(); position++) {
                steps.add(new Step(round, position, ids.get(position)));
            }
        }
        return steps;
    }
}
