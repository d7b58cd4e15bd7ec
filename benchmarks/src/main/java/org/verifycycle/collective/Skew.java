package org.verifycycle.collective;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How late one rank is made to come to a cycle, a different one in every cycle: rank (cycle modulo world).
 *
 * <p>A rank that is made late begins its calls that much after the others, as one does whose kernels before the all-reduce took
 * longer. Its lateness, measured by the clock that made it late, counts as its start: group time (last end minus last start) is
 * then the transfer that is left once all have come, skew (last start minus first start) the waiting before it, and their sum
 * what the cycle costs the group.
 */
public final class Skew {
    /** None is made late. */
    public static final int NONE = 0;
    /** The device's clock steps by up to 1 us (globaltimer; native/src/main/cuda/floors.cuh). */
    public static final int MIN_NANOS = 5_000;
    /** Later is no skew but a rank that hangs; waits inside of kernels have deadlines from 2 s on. */
    public static final int MAX_NANOS = 10_000_000;

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(ns|us|ms)?");
    private static final String VALID = "write 0, or 5us to 10ms, e.g. 20us or 0.15ms";

    private Skew() {
    }

    /** Nanoseconds of {@code 0}, {@code 20us}, {@code 0.15ms}. @throws IllegalArgumentException saying what is valid */
    public static int parse(final String text) {
        return parse(text, "");
    }

    /**
     * Of several; a number without a unit has that of the next one with a unit: {@code 0, 5, 20us} is 0, 5 us and 20 us.
     *
     * @return each once, in their order
     */
    public static List<Integer> parseAll(final List<String> texts) {
        final var backwards = new ArrayList<Integer>();
        var unit = "";
        for (int i = texts.size() - 1; i >= 0; i--) {
            final var form = FORM.matcher(texts.get(i).strip().toLowerCase(Locale.ROOT));
            unit = form.matches() && form.group(2) != null ? form.group(2) : unit;
            backwards.add(parse(texts.get(i), unit));
        }
        Collections.reverse(backwards);
        return backwards.stream().distinct().toList();
    }

    /** {@code 0}, {@code 20us}; read back by {@link #parse}. */
    public static String format(final int nanos) {
        return nanos == NONE ? "0" : nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
    }

    static boolean valid(final int nanos) {
        return nanos == NONE || nanos >= MIN_NANOS && nanos <= MAX_NANOS;
    }

    static String invalid(final String text) {
        return "skew '" + text + "' is not valid; " + VALID;
    }

    private static int parse(final String text, final String otherwise) {
        final var form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new IllegalArgumentException(invalid(text));
        }
        final var number = new BigDecimal(form.group(1));
        final var unit = form.group(2) == null ? otherwise : form.group(2);
        if (number.signum() == 0) {
            return NONE;
        }
        final var nanos = switch (unit) {
            case "ns" -> number;
            case "us" -> number.movePointRight(3);
            case "ms" -> number.movePointRight(6);
            default -> throw new IllegalArgumentException("skew '" + text + "' has no unit; " + VALID);
        };
        if (nanos.stripTrailingZeros().scale() > 0 || nanos.compareTo(BigDecimal.valueOf(MAX_NANOS)) > 0 || nanos.compareTo(BigDecimal.valueOf(MIN_NANOS)) < 0) {
            throw new IllegalArgumentException(invalid(text));
        }
        return nanos.intValueExact();
    }
}
