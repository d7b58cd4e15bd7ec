package org.verifycycle.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A range in plotted coordinates and the labelled places on it. Plotted coordinates are linear on the page: a logarithmic axis has
 * the logarithms in it, because XChart's own shows wrong ticks as soon as they are to be formatted.
 */
record Axis(double min, double max, List<Tick> ticks) {
    private static final double[] STEPS = {1, 2, 2.5, 5, 10};
    private static final double[][] MANTISSAS = {{1, 1.5, 2, 3, 4, 5, 6, 8}, {1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}};

    record Tick(double at, String label) { }

    Axis {
        ticks = List.copyOf(ticks);
    }

    /** Nothing but a range: for rows, whose labels are written beside them. */
    static Axis bare(final double min, final double max) {
        return new Axis(min, max, List.of());
    }

    /** From 0 to at least {@code most}, about {@code count} ticks. */
    static Axis fromZero(final double most, final int count) {
        final var step = step(most / count);
        final var ticks = new ArrayList<Tick>();
        for (var i = 0; i * step <= most * 1.0001; i++) {
            ticks.add(new Tick(i * step, plain(i * step)));
        }
        return new Axis(0, most, ticks);
    }

    /** From {@code least} to {@code most}, about {@code count} ticks. */
    static Axis between(final double least, final double most, final int count) {
        final var step = step((most - least) / count);
        final var ticks = DoubleStream.iterate(Math.ceil(least / step), i -> i * step <= most * 1.0001, i -> i + 1).mapToObj(i -> new Tick(i * step, plain(i * step))).toList();
        return new Axis(least, most, ticks);
    }

    /** Base-10 logarithms of values in {@code [least, most]}, both above 0; at most {@code count} ticks. */
    static Axis log(final double least, final double most, final int count, final DoubleFunction<String> label) {
        if (!(least > 0) || !(most >= least)) {
            throw new IllegalArgumentException("no log axis from " + least + " to " + most);
        }
        final var ticks = logTicks(least, most, count).stream().map(v -> new Tick(Math.log10(v), label.apply(v))).toList();
        return new Axis(Math.log10(least), Math.log10(most), ticks);
    }

    /** Base-2 logarithms of sizes; the ticks are the sizes themselves. */
    static Axis bytes(final List<Integer> sizes) {
        final var sorted = sizes.stream().sorted(Comparator.naturalOrder()).distinct().toList();
        final var low = log2(sorted.get(0));
        final var high = log2(sorted.get(sorted.size() - 1));
        final var pad = Math.max(0.25, (high - low) * 0.03);
        return new Axis(low - pad, high + pad, sorted.stream().map(b -> new Tick(log2(b), Units.bytes(b))).toList());
    }

    static double log2(final double value) {
        return Math.log(value) / Math.log(2);
    }

    /** A number without an exponent and without trailing zeros. */
    static String plain(final double value) {
        final var digits = value == 0 ? 0 : Math.max(0, 3 - (int) Math.floor(Math.log10(Math.abs(value))));
        final var text = Units.fixed(value, digits);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    private static List<Double> logTicks(final double least, final double most, final int count) {
        final var few = Math.min(4, count);
        for (final var mantissas : MANTISSAS) {
            final var values = decades(least, most, mantissas);
            if (values.size() >= few && values.size() <= count) {
                return values;
            }
        }
        // Less than a decade: equal steps read better than a few mantissas.
        if (most / least < 10) {
            final var step = step((most - least) / (count - 1));
            final var first = Math.ceil(least / step);
            return DoubleStream.iterate(first, i -> i * step <= most, i -> i + 1).map(i -> i * step).boxed().collect(Collectors.toList());
        }
        final var decades = decades(least, most, MANTISSAS[MANTISSAS.length - 1]);
        final var every = (decades.size() + count - 1) / count;
        final var some = new ArrayList<Double>();
        for (var i = 0; i < decades.size(); i += every) {
            some.add(decades.get(i));
        }
        return some;
    }

    private static List<Double> decades(final double least, final double most, final double[] mantissas) {
        final var values = new ArrayList<Double>();
        for (var exponent = (int) Math.floor(Math.log10(least)); exponent <= Math.ceil(Math.log10(most)); exponent++) {
            for (final var mantissa : mantissas) {
                final var value = mantissa * Math.pow(10, exponent);
                if (value >= least && value <= most) {
                    values.add(value);
                }
            }
        }
        return values;
    }

    /** The least of 1, 2, 2.5, 5 x a power of ten that is not below {@code least}. */
    private static double step(final double least) {
        final var power = Math.pow(10, Math.floor(Math.log10(least)));
        for (final var step : STEPS) {
            if (step * power >= least * 0.9999) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
