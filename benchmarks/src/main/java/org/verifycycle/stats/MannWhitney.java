package org.verifycycle.stats;

import org.apache.commons.math3.stat.inference.MannWhitneyUTest;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Mann and Whitney's test that two samples come from one distribution (Annals of Mathematical Statistics 18(1), 1947), with the
 * exact permutation distribution of the rank sum. The normal approximation that Commons Math offers is off by half at five
 * rounds, where p can't be below 2 / 252.
 */
final class MannWhitney {
    /** Above this many values the counts are large enough for the normal approximation, and the exact table too slow. */
    private static final int EXACT = 100;

    private MannWhitney() { }

    /**
     * Two-sided p: the share of all ways to choose x's ranks from the pooled ones whose rank sum is at least as far from its mean
     * as x's own. Equal values share their mean rank, so ties are exact too.
     *
     * @param x at least one value
     * @param y at least one value
     */
    static double pValue(final double[] x, final double[] y) {
        if (x.length + y.length > EXACT) {
            return new MannWhitneyUTest().mannWhitneyUTest(x, y);
        }
        final double[] ranks = new NaturalRanking().rank(DoubleStream.concat(DoubleStream.of(x), DoubleStream.of(y)).toArray());
        // Mean ranks are multiples of a half: doubled they are whole numbers.
        final int[] doubled = DoubleStream.of(ranks).mapToInt(r -> (int) Math.round(2 * r)).toArray();
        final double[] ways = waysBySum(doubled, x.length);
        final int sum = IntStream.range(0, x.length).map(i -> doubled[i]).sum();
        final int mean = x.length * (x.length + y.length + 1);
        final double extreme = IntStream.range(0, ways.length).filter(s -> Math.abs(s - mean) >= Math.abs(sum - mean)).mapToDouble(s -> ways[s]).sum();
        return extreme / DoubleStream.of(ways).sum();
    }

    /** How many subsets of {@code size} values have each sum: one value after the other is let in or left out. */
    private static double[] waysBySum(final int[] values, final int size) {
        final int total = IntStream.of(values).sum();
        final double[][] ways = new double[size + 1][total + 1];
        ways[0][0] = 1;
        for (final int value : values) {
            for (int chosen = size; chosen >= 1; chosen--) {
                for (int sum = total; sum >= value; sum--) {
                    ways[chosen][sum] += ways[chosen - 1][sum - value];
                }
            }
        }
        return ways[size];
    }
}
