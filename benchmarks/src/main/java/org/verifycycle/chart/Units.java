package org.verifycycle.chart;

import org.verifycycle.result.Interval;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** How sizes, times and ratios are written, in charts and reports alike. */
public final class Units {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    /** From here on a time is easier to read in milliseconds. */
    private static final double MANY_MICROS = 10_000;

    private Units() { }

    /** A unit of time. */
    public enum Time {
        US(NANOS_PER_MICRO, "us"),
        MS(NANOS_PER_MILLI, "ms");

        private final double nanos;
        private final String label;

        Time(final double nanos, final String label) {
            this.nanos = nanos;
            this.label = label;
        }

        public String label() {
            return label;
        }

        public double of(final double value) {
            return value / nanos;
        }

        public Interval of(final Interval interval) {
            return interval.scale(1 / nanos);
        }

        /** One unit for all of a table's or chart's times, so that they can be compared at a glance. */
        public static Time forAll(final Collection<Double> nanoseconds) {
            final var least = nanoseconds.stream().mapToDouble(d -> d).min().orElse(0);
            final var most = nanoseconds.stream().mapToDouble(d -> d).max().orElse(0);
            return least >= NANOS_PER_MILLI || most >= MANY_MICROS * NANOS_PER_MICRO ? MS : US;
        }
    }

    /** {@code 43,008}. */
    public static String count(final long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 42 KiB}, or {@code 43,016 B} where that is not whole. */
    public static String bytes(final int bytes) {
        if (bytes % (1 << 20) == 0) {
            return bytes / (1 << 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? count(bytes / (1 << 10)) + " KiB" : count(bytes) + " B";
    }

    /** {@code 43,008 bytes}. */
    public static String plainBytes(final int bytes) {
        return count(bytes) + " bytes";
    }

    /** As many digits as the interval leaves meaning to. Three digits where there is no interval. */
    public static String number(final double value, final Optional<Interval> interval) {
        return interval.filter(Units::wide).isPresent() ? twoDigits(value) : fixed(value, decimals(value, interval));
    }

    /** {@code 1.18 ms [1.15, 1.22]}, or the number alone where there is no interval. */
    public static String withInterval(final double value, final Optional<Interval> interval, final String unit) {
        if (interval.filter(Units::wide).isPresent()) {
            final var ends = interval.get();
            return number(value, interval) + unit + " [" + twoDigits(ends.low()) + ", " + twoDigits(ends.high()) + "]";
        }
        final var decimals = decimals(value, interval);
        return fixed(value, decimals) + unit + interval.map(i -> " [" + fixed(i.low(), decimals) + ", " + fixed(i.high(), decimals) + "]").orElse("");
    }

    /** Three significant digits. */
    public static String number(final double value) {
        return number(value, Optional.empty());
    }

    /** {@code 0.8 %}. */
    public static String percent(final double fraction) {
        final var percent = Math.abs(fraction * 100);
        return fixed(fraction * 100, percent > 0 && percent < 0.095 ? 2 : percent < 9.95 ? 1 : 0).replaceAll("\\.0$", "") + " %";
    }

    /** {@code 1,204}, or {@code 812 to 1,204}. */
    public static String range(final long least, final long most) {
        return least == most ? count(least) : count(least) + " to " + count(most);
    }

    /** With a capital and a full stop. */
    public static String sentence(final String words) {
        return words.isEmpty() ? "" : Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    /** Of ends so far apart that one number of decimals does not suit both: each has two digits of its own then. */
    private static boolean wide(final Interval interval) {
        return interval.low() <= 0 || interval.high() / interval.low() > 4;
    }

    private static String twoDigits(final double value) {
        return fixed(value, value == 0 ? 0 : Math.max(0, 1 - exponent(value)));
    }

    private static int decimals(final double value, final Optional<Interval> interval) {
        final var forThreeDigits = value == 0 ? 0 : 2 - exponent(value);
        final var half = interval.map(i -> (i.high() - i.low()) / 2).orElse(0.0);
        final var wanted = half > 0 ? digitsThatMatter(half) - 1 - exponent(half) : forThreeDigits;
        // A narrow interval must not print digits no clock has, a wide one must leave something to read.
        return Math.max(0, Math.max(forThreeDigits - 1, Math.min(wanted, forThreeDigits + 1)));
    }

    /** Two digits of an uncertainty of 1 or 2, one of a greater: the particle physicists' rule, near enough. */
    private static int digitsThatMatter(final double half) {
        return half / Math.pow(10, exponent(half)) < 3 ? 2 : 1;
    }

    private static int exponent(final double value) {
        return (int) Math.floor(Math.log10(Math.abs(value)));
    }

    static String fixed(final double value, final int decimals) {
        final var format = new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        format.setRoundingMode(RoundingMode.HALF_EVEN);
        return Double.isFinite(value) ? format.format(new BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP)) : "-";
    }
}
