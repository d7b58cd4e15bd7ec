package org.verifycycle.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's step-down correction for a family of m tests (Scandinavian Journal of Statistics 6(2), 1979): the chance of any false
 * rejection in the family is at most alpha, whatever the dependence.
 */
final class Holm {
    private Holm() { }

    /** Corrected p values in the order given: with p sorted, the k-th (from 0) becomes max over j <= k of min(1, (m - j) p[j]). */
    static double[] adjust(final double[] p) {
        final double[] adjusted = new double[p.length];
        final int[] order = ascending(p);
        double largest = 0;
        for (int k = 0; k < p.length; k++) {
            largest = Math.max(largest, Math.min(1, (p.length - k) * p[order[k]]));
            adjusted[order[k]] = largest;
        }
        return adjusted;
    }

    /**
     * Levels of the intervals that go with the tests, in the order given: 1 - alpha / (m - k) for the k-th smallest p while Holm
     * rejects, and for all others the level of the first one not rejected. So an interval excludes "no difference" exactly if its
     * corrected p value is at most alpha.
     */
    static double[] levels(final double[] p, final double alpha) {
        final double[] levels = new double[p.length];
        final int[] order = ascending(p);
        int step = 0;
        for (int k = 0; k < p.length; k++) {
            levels[order[k]] = 1 - alpha / (p.length - step);
            if (step == k && (p.length - k) * p[order[k]] <= alpha && k + 1 < p.length) {
                step++;
            }
        }
        return levels;
    }

    private static int[] ascending(final double[] p) {
        return IntStream.range(0, p.length).boxed().sorted(Comparator.comparingDouble(i -> p[i])).mapToInt(i -> i).toArray();
    }
}
