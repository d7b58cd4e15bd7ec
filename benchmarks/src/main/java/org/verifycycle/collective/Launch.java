package org.verifycycle.collective;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the calls of a cycle are started. */
public enum Launch {
    /** One CUDA graph of all calls, replayed once a cycle. */
    GRAPH,
    /** Call by call, none waiting for the one before it but on the stream. */
    EAGER,
    /** Call by call; each has ended on all ranks before the next is started. */
    BARRIERED;

    /** The name used in flags, charts and files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException naming the known kinds */
    public static Launch parse(final String text) {
        return Arrays.stream(values()).filter(l -> l.id().equalsIgnoreCase(text.strip())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown launch '" + text + "'; known: "
                        + Arrays.stream(values()).map(Launch::id).collect(Collectors.joining(", "))));
    }
}
