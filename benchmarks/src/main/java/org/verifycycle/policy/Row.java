package org.verifycycle.policy;

import java.util.function.Predicate;

/**
 * A line of a dispatch: the first that holds is taken.
 *
 * @param when what must hold
 */
record Row(String when, Source source, Predicate<Question> holds, Path path) { }
