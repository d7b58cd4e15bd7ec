package org.verifycycle.plan;

import org.verifycycle.collective.Configuration;

/**
 * How long one round of a configuration takes. Only to fit a plan into a budget and to name an end before the first round
 * has run; from then on the time left is worked out from the rounds that have.
 *
 * @param startMillis        of a JMH fork and its second rank
 * @param startMillisPerRank of every further rank
 */
record TimeModel(double startMillis, double startMillisPerRank) {
    /** Measured on two cores with JDK 17: 1,120 to 1,330, as fast as the machine is at the moment. */
    static final TimeModel DEFAULT = new TimeModel(1_250, 350);
    /** Cycles in a round besides the timed ones: two times four checks, and what runs past the end of an iteration. */
    private static final int EXTRA_CYCLES = 12;
    /** What ranks on a host move per second, all together; GPUs are faster, and are then ready sooner than said. */
    private static final double BYTES_PER_SECOND = 4e9;
    private static final double MILLIS = 1e3;

    double millis(final Configuration c, final int warmupMillis, final int measureMillis) {
        final var cycleMillis = (double) c.calls() * c.bytes() * c.world() / BYTES_PER_SECOND * MILLIS;
        return startMillis + startMillisPerRank * (c.world() - 2) + warmupMillis + measureMillis + EXTRA_CYCLES * cycleMillis;
    }
}
