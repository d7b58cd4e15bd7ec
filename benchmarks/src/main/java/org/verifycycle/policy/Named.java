package org.verifycycle.policy;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A constant with a name that people type. */
interface Named {
    String id();

    /** @throws IllegalArgumentException naming the known ones */
    static <E extends Enum<E> & Named> E parse(final Class<E> type, final String what, final String text) {
        final var all = type.getEnumConstants();
        return Arrays.stream(all).filter(e -> e.id().equalsIgnoreCase(text.strip())).findFirst().orElseThrow(() -> new IllegalArgumentException(
                "unknown " + what + " '" + text + "'; known: " + Arrays.stream(all).map(Named::id).collect(Collectors.joining(", "))));
    }
}
