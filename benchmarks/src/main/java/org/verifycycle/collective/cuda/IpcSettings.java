package org.verifycycle.collective.cuda;

import org.verifycycle.collective.CollectiveSpec;

import java.util.OptionalInt;

/**
 * The settings of a collective of this backend.
 *
 * @param blocks  {@code blocks=<n>}: of the grid; empty for the default of the size
 * @param threads {@code threads=<n>}: of a block; empty for the default of the size
 * @param pdl     {@code pdl=on|off}: programmatic dependent launch; off by default
 */
record IpcSettings(OptionalInt blocks, OptionalInt threads, boolean pdl) {
    static final String PDL = "pdl";
    static final String ON = "on";
    private static final String OFF = "off";
    private static final String BLOCKS = "blocks";
    private static final String THREADS = "threads";
    private static final int WARP = 32;
    private static final String KNOWN = BLOCKS + " (1 to " + Geometry.MAX_BLOCKS + "), " + THREADS + " (a multiple of " + WARP + " from "
            + Geometry.MIN_THREADS + " to " + Geometry.MAX_THREADS + "), " + PDL + " (" + ON + ", " + OFF + ")";

    /** @throws IllegalArgumentException on an unknown setting or value, naming the known ones */
    static IpcSettings parse(final CollectiveSpec spec) {
        spec.settings().keySet().stream().filter(key -> !key.equals(BLOCKS) && !key.equals(THREADS) && !key.equals(PDL)).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException("unknown setting '" + key + "' of " + spec.path() + "; known: " + KNOWN);
        });
        final var pdl = spec.settings().getOrDefault(PDL, OFF);
        if (!pdl.equals(ON) && !pdl.equals(OFF)) {
            throw wrong(spec, PDL, pdl);
        }
        return new IpcSettings(number(spec, BLOCKS, 1, 1, Geometry.MAX_BLOCKS), number(spec, THREADS, WARP, Geometry.MIN_THREADS, Geometry.MAX_THREADS), pdl.equals(ON));
    }

    private static OptionalInt number(final CollectiveSpec spec, final String key, final int multipleOf, final int least, final int most) {
        final var text = spec.settings().get(key);
        if (text == null) {
            return OptionalInt.empty();
        }
        final var value = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (value < least || value > most || value % multipleOf != 0) {
            throw wrong(spec, key, text);
        }
        return OptionalInt.of(value);
    }

    private static IllegalArgumentException wrong(final CollectiveSpec spec, final String key, final String value) {
        return new IllegalArgumentException("value '" + value + "' of setting " + key + " of " + spec.path() + " is not valid; known: " + KNOWN);
    }
}
