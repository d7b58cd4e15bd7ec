package org.verifycycle.plan;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.util.List;
import java.util.Optional;

/** A request, a choice at a time; what is not chosen is left to the planner. */
record Asked(List<String> patterns, List<Integer> worldSizes, List<Integer> bytes, List<Dtype> types, List<Launch> kinds, int roundCount,
             Optional<Integer> seconds, long seed) {
    Asked() {
        this(List.of(), List.of(), List.of(), List.of(), List.of(), PlanRequest.DEFAULT_ROUNDS, Optional.empty(), 1);
    }

    Asked collectives(final String... some) {
        return new Asked(List.of(some), worldSizes, bytes, types, kinds, roundCount, seconds, seed);
    }

    Asked worlds(final Integer... some) {
        return new Asked(patterns, List.of(some), bytes, types, kinds, roundCount, seconds, seed);
    }

    Asked sizes(final Integer... some) {
        return new Asked(patterns, worldSizes, List.of(some), types, kinds, roundCount, seconds, seed);
    }

    Asked dtypes(final Dtype... some) {
        return new Asked(patterns, worldSizes, bytes, List.of(some), kinds, roundCount, seconds, seed);
    }

    Asked launches(final Launch... some) {
        return new Asked(patterns, worldSizes, bytes, types, List.of(some), roundCount, seconds, seed);
    }

    Asked rounds(final int count) {
        return new Asked(patterns, worldSizes, bytes, types, kinds, count, seconds, seed);
    }

    Asked budget(final int budgetSeconds) {
        return new Asked(patterns, worldSizes, bytes, types, kinds, roundCount, Optional.of(budgetSeconds), seed);
    }

    Asked shuffled(final long shuffleSeed) {
        return new Asked(patterns, worldSizes, bytes, types, kinds, roundCount, seconds, shuffleSeed);
    }

    PlanRequest request() {
        return new PlanRequest(Workloads.standard(), patterns, worldSizes, bytes, types, kinds, roundCount, seconds, seed,
                Optional.empty(), PlanRequest.DEFAULT_MEASURE_MILLIS);
    }
}
