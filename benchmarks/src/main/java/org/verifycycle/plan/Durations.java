package org.verifycycle.plan;

import java.util.regex.Pattern;

/** Times as users write them. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h)");

    private Durations() {
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
