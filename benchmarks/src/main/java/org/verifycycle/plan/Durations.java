package org.verifycycle.plan;

import java.util.regex.Pattern;

/** Times as users write them. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h)");

    private static final Pattern SHORT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|ms|s)?");

    private Durations() {
    }

    /** Of parts of a cycle: {@code 0, 30us, 1.2ms, 1s}. @throws IllegalArgumentException if it is none, or longer than an hour */
    public static long parseNanos(final String text) {
        final var form = SHORT.matcher(text.strip());
        if (!form.matches() || form.group(2) == null && Double.parseDouble(form.group(1)) != 0) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 0, 30us, 1.2ms or 1s");
        }
        final var nanos = form.group(2) == null ? 0 : Double.parseDouble(form.group(1)) * switch (form.group(2)) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            default -> 1e9;
        };
        if (nanos > 3_600e9) {
            throw new IllegalArgumentException("time '" + text + "' is longer than an hour");
        }
        return Math.round(nanos);
    }

    /** E.g. {@code 250ms, 90s, 3m, 1.5h}. @throws IllegalArgumentException if it is none, or zero, or longer than a week */
    public static long parseMillis(final String text) {
        final var form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 250ms, 90s, 3m or 1h");
        }
        final var unit = switch (form.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "h" -> 3_600_000;
            default -> 60_000;
        };
        final var millis = Double.parseDouble(form.group(1)) * unit;
        if (millis < 1 || millis > 7 * 24 * 3_600_000.0) {
            throw new IllegalArgumentException("time '" + text + "' is not between 1ms and a week");
        }
        return Math.round(millis);
    }
}
