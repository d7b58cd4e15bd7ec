package org.verifycycle.plan;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Workload;

import java.util.List;
import java.util.Optional;

/**
 * What a user asked for. An empty list leaves the choice to the planner.
 *
 * @param collectives specs and globs
 * @param sizes       bytes of one tensor
 * @param skews       nanoseconds by which one rank is made late; without a choice none is
 * @param rounds      fresh processes per configuration, at least 1; fewer than 5 give wide intervals
 * @param budgetSeconds time that measuring may take; bounds what is in the plan, never the rounds
 * @param warmupMillis  of each round; without a choice by what is measured
 * @param measureMillis of each round
 */
public record PlanRequest(Workload workload, List<String> collectives, List<Integer> worlds, List<Integer> sizes, List<Dtype> dtypes,
                          List<Launch> launches, List<Integer> skews, int rounds, Optional<Integer> budgetSeconds, long shuffleSeed, Optional<Integer> warmupMillis, int measureMillis) {
    public static final int DEFAULT_ROUNDS = 5;
    public static final int DEFAULT_MEASURE_MILLIS = 150;
    private static final int MAX_ROUNDS = 1_000;

    /** What is in a list twice counts once. */
    public PlanRequest {
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new IllegalArgumentException("rounds " + rounds + " is not between 1 and " + MAX_ROUNDS);
        }
        if (budgetSeconds.filter(b -> b < 1).isPresent()) {
            throw new IllegalArgumentException("budget must be at least one second");
        }
        collectives = collectives.stream().distinct().toList();
        worlds = worlds.stream().distinct().toList();
        sizes = sizes.stream().distinct().toList();
        dtypes = dtypes.stream().distinct().toList();
        launches = launches.stream().distinct().toList();
        skews = skews.stream().distinct().toList();
    }

    /** No rank made late. */
    public PlanRequest(final Workload workload, final List<String> collectives, final List<Integer> worlds, final List<Integer> sizes, final List<Dtype> dtypes,
                       final List<Launch> launches, final int rounds, final Optional<Integer> budgetSeconds, final long shuffleSeed, final Optional<Integer> warmupMillis, final int measureMillis) {
        this(workload, collectives, worlds, sizes, dtypes, launches, List.of(), rounds, budgetSeconds, shuffleSeed, warmupMillis, measureMillis);
    }

    /** The same with other skews. */
    public PlanRequest withSkews(final List<Integer> nanos) {
        return new PlanRequest(workload, collectives, worlds, sizes, dtypes, launches, nanos, rounds, budgetSeconds, shuffleSeed, warmupMillis, measureMillis);
    }

    /** All choices left to the planner. */
    public static PlanRequest defaults(final Workload workload) {
        return new PlanRequest(workload, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), DEFAULT_ROUNDS, Optional.empty(), 1,
                Optional.empty(), DEFAULT_MEASURE_MILLIS);
    }
}
