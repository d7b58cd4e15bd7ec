package org.verifycycle.result;

import java.util.Optional;

/**
 * How the run was to be measured.
 *
 * @param rounds          fresh processes per configuration
 * @param shuffleSeed     of the order within each round
 * @param warmupMillis    of each round, before anything is recorded
 * @param measureMillis   of each round
 * @param budgetSeconds   the time the plan was to fit in, if one was given
 */
public record PlanRecord(int rounds, long shuffleSeed, int warmupMillis, int measureMillis, Optional<Integer> budgetSeconds) { }
