package org.verifycycle.policy;

import java.util.List;

/**
 * What becomes of a call and why.
 *
 * @param steps    gates in the order they are asked, up to the first that refuses, then the row of the dispatch
 * @param grid     blocks x threads of the kernel; empty where that is not known
 * @param warnings the most important first
 */
public record Decision(Path path, List<Step> steps, String grid, List<String> warnings) {
    public Decision {
        steps = List.copyOf(steps);
        warnings = List.copyOf(warnings);
    }

    /**
     * @param passed whether it let the call go on
     * @param source where the rule is from
     */
    public record Step(String rule, boolean passed, String fact, String source) { }
}
