package org.verifycycle.policy;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A condition for the custom all-reduce.
 *
 * @param rule       what must hold
 * @param fact       what is the case, for a person
 * @param beforeHole whether the dispatch may have no row for what this gate keeps out
 */
record Gate(String rule, Source source, Predicate<Question> lets, Function<Question, String> fact, boolean beforeHole) {
    Gate(final String rule, final Source source, final Predicate<Question> lets, final Function<Question, String> fact) {
        this(rule, source, lets, fact, false);
    }
}
