package org.verifycycle.plan;

import org.verifycycle.collective.Configuration;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Sizes of a tensor as people write them. K and M are binary, as in nccl-tests: {@code 64k}, {@code 64K} and {@code 64KiB} are
 * 65,536 bytes, {@code 1M} and {@code 1MiB} are 1,048,576. KB and MB, which some read as 1000, are refused.
 */
public final class Sizes {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,3}(?:,\\d{3})+|\\d{1,12}(?:\\.\\d{1,6})?)\\s*([a-z]*)");
    private static final String FORMS = "write 43008, 42KiB, 64K, 1M or 1MiB";

    private Sizes() {
    }

    /**
     * Bytes of one tensor: a multiple of 16 from 16 B to 64 MiB.
     *
     * @throws IllegalArgumentException with a line for a person
     */
    public static int parse(final String text) {
        return check(parseAny(text));
    }

    /** As {@link #parse}, but any number of bytes up to 64 MiB. */
    public static int parseAny(final String text) {
        final var match = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!match.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size; " + FORMS);
        }
        final var unit = match.group(2);
        final var factor = switch (unit) {
            case "", "b" -> 1L;
            case "k", "kib" -> 1L << 10;
            case "m", "mib" -> 1L << 20;
            case "kb", "mb" -> throw new IllegalArgumentException("size '" + text + "' could mean 1000 or 1024; write "
                    + match.group(1) + (unit.equals("kb") ? "KiB" : "MiB"));
            default -> throw new IllegalArgumentException("size '" + text + "' has an unknown unit; " + FORMS);
        };
        final var bytes = new BigDecimal(match.group(1).replace(",", "")).multiply(BigDecimal.valueOf(factor)).stripTrailingZeros();
        if (bytes.scale() > 0) {
            throw new IllegalArgumentException("size '" + text + "' is not a whole number of bytes");
        }
        if (bytes.signum() == 0 || bytes.compareTo(BigDecimal.valueOf(Configuration.MAX_BYTES)) > 0) {
            throw new IllegalArgumentException("size '" + text + "' is not between 16 B and " + format(Configuration.MAX_BYTES));
        }
        return bytes.intValueExact();
    }

    /** Several sizes, separated by commas (so without thousands separators), in their order, each once. */
    public static List<Integer> parseList(final String text) {
        return Arrays.stream(text.split(",", -1)).map(Sizes::parse).distinct().toList();
    }

    /** For people: {@code 42 KiB}, {@code 1 MiB} where that is exact, else {@code 43,024 B}. {@link #parse} reads it back. */
    public static String format(final int bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : exact(bytes);
    }

    /** {@code 43,008 B}. */
    public static String exact(final int bytes) {
        return String.format(Locale.ROOT, "%,d B", bytes);
    }

    /** @throws IllegalArgumentException if it isn't a multiple of 16 or too large: no all-reduce here moves less than 16 bytes at a time */
    static int check(final int bytes) {
        if (bytes <= 0 || bytes % 16 != 0 || bytes > Configuration.MAX_BYTES) {
            throw new IllegalArgumentException("size " + exact(bytes) + " is not a multiple of 16 bytes between 16 B and "
                    + format(Configuration.MAX_BYTES) + (bytes > 0 && bytes < Configuration.MAX_BYTES ? "; the next is " + exact((bytes + 15) / 16 * 16) : ""));
        }
        return bytes;
    }
}
