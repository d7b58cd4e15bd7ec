package org.verifycycle.stats;

import org.apache.commons.math3.random.Well19937c;

import java.util.Arrays;

/** Simulated coverage and width of the interval methods; {@code main} prints the table that the choice was made by. */
final class CoverageTable {
    static final int CYCLES = 60;
    static final int[] ROUNDS = {5, 6, 8, 10, 20};

    private CoverageTable() { }

    /**
     * @param share of simulated runs whose interval holds the true median
     * @param width median over runs of the interval's width, as a fraction of the true median
     */
    record Coverage(double share, double width) { }

    static Coverage of(final IntervalMethod method, final TwoLevelModel model, final double truth, final int rounds, final int runs) {
        final var random = new Well19937c(1_000L * model.ordinal() + rounds);
        final var resampling = new Well19937c(7);
        final double[] widths = new double[runs];
        int covered = 0;
        for (int i = 0; i < runs; i++) {
            final var interval = method.of(model.rounds(rounds, CYCLES, random), resampling);
            covered += interval.contains(truth) ? 1 : 0;
            widths[i] = (interval.high() - interval.low()) / truth;
        }
        return new Coverage((double) covered / runs, Quantiles.median(widths));
    }

    public static void main(final String[] args) {
        final int runs = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        for (final var model : TwoLevelModel.values()) {
            final double truth = model.trueMedian(CYCLES);
            for (final var method : IntervalMethod.values()) {
                final int used = method == IntervalMethod.HIERARCHICAL_BOOTSTRAP ? runs / 4 : runs;
                System.out.printf("%-13s %-30s", model, method);
                Arrays.stream(ROUNDS).mapToObj(n -> of(method, model, truth, n, used))
                        .forEach(c -> System.out.printf("  %5.1f (%5.2f)", 100 * c.share(), 100 * c.width()));
                System.out.println();
            }
        }
    }
}
