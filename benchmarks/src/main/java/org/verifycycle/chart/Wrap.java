package org.verifycycle.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Breaks text into lines without losing any of it; charts measure in pixels, terminals in characters. */
public final class Wrap {
    private static final String GOOD = " ;:,";
    private static final String POOR = "/-=";

    private Wrap() { }

    /**
     * Lines of at most {@code width}: broken after spaces and the separators of a collective's name but not within brackets, failing
     * that after slashes and hyphens, failing that anywhere. Text without anything in it is one empty line.
     */
    public static List<String> lines(final String text, final double width, final ToDoubleFunction<String> measure) {
        final var lines = new ArrayList<String>();
        var rest = clean(text).strip();
        while (rest.length() > 1 && measure.applyAsDouble(rest) > width) {
            final var fits = fitting(rest, width, measure);
            var cut = lastBreak(rest, fits, GOOD);
            cut = cut > 0 ? cut : lastBreak(rest, fits, POOR);
            cut = cut > 0 ? cut : fits > 1 && Character.isLowSurrogate(rest.charAt(fits)) ? fits - 1 : fits;
            lines.add(rest.substring(0, cut).strip());
            rest = rest.substring(cut).strip();
        }
        lines.add(rest);
        return lines;
    }

    /** Names and errors come from outside: no control character and no invisible one of theirs gets onto a page or a terminal. */
    public static String clean(final String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+", " ");
    }

    private static int fitting(final String text, final double width, final ToDoubleFunction<String> measure) {
        var fits = 1;
        while (fits < text.length() && measure.applyAsDouble(text.substring(0, fits + 1).stripTrailing()) <= width) {
            fits++;
        }
        return fits;
    }

    private static int lastBreak(final String text, final int fits, final String after) {
        for (var cut = fits; cut > 0; cut--) {
            final var here = after.indexOf(text.charAt(cut - 1)) >= 0 || cut < text.length() && text.charAt(cut) == ' ' && after.equals(GOOD);
            if (here && !withinBrackets(text, cut)) {
                return cut;
            }
        }
        return 0;
    }

    private static boolean withinBrackets(final String text, final int at) {
        return text.lastIndexOf('[', at - 1) > text.lastIndexOf(']', at - 1);
    }
}
