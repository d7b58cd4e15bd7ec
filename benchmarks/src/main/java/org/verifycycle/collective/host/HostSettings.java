package org.verifycycle.collective.host;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;

/**
 * The settings of a host collective.
 *
 * @param chunk {@code chunk=<bytes>}: how much of a tensor passes through shared memory at a time; empty for the default
 * @param copy  {@code copy=libc|jvm}: who copies into shared memory, shorter pieces than 8 KiB always the JVM; empty for libc where it can be called ({@link LibcCopy})
 */
record HostSettings(OptionalInt chunk, Optional<Copy> copy) {
    static final int MIN_CHUNK_BYTES = 1024;
    /** Bounds the shared memory, whatever the tensor's size. */
    static final int MAX_CHUNK_BYTES = 1 << 20;
    private static final String CHUNK = "chunk";
    private static final String COPY = "copy";
    private static final String COPIES = "libc|jvm";
    private static final String CHUNK_RANGE = "bytes, a multiple of " + HostShape.PACK_BYTES + " from " + MIN_CHUNK_BYTES + " to "
            + MAX_CHUNK_BYTES;

    /** @throws IllegalArgumentException on an unknown setting or value, naming the known ones */
    static HostSettings parse(final CollectiveSpec spec, final HostAlgorithm algorithm) {
        final var known = new TreeMap<String, String>();
        if (algorithm.chunked()) {
            known.put(CHUNK, CHUNK_RANGE);
        }
        if (algorithm.copies()) {
            known.put(COPY, COPIES);
        }
        spec.settings().keySet().stream().filter(key -> !known.containsKey(key)).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException("unknown setting '" + key + "' of " + spec.path() + "; known: " + (known.isEmpty() ? "none"
                    : known.entrySet().stream().map(e -> e.getKey() + " (" + e.getValue() + ")").collect(Collectors.joining(", "))));
        });
        final var chunk = spec.settings().get(CHUNK);
        final var copy = spec.settings().get(COPY);
        return new HostSettings(chunk == null ? OptionalInt.empty() : OptionalInt.of(parseChunk(chunk, spec)), copy == null ? Optional.empty() : Optional.of(parseCopy(copy, spec)));
    }

    /** Who copies a tensor into shared memory. */
    enum Copy { LIBC, JVM }

    private static Copy parseCopy(final String text, final CollectiveSpec spec) {
        return switch (text) {
            case "libc" -> Copy.LIBC;
            case "jvm" -> Copy.JVM;
            default -> throw new IllegalArgumentException("value '" + text + "' of setting " + COPY + " of " + spec.path() + " is not one of " + COPIES);
        };
    }

    /** Whether copies are libc's in the end. */
    boolean byLibc(final HostAlgorithm algorithm) {
        return algorithm.copies() && copy.map(c -> c == Copy.LIBC).orElseGet(() -> LibcCopy.unavailable().isEmpty());
    }

    private static int parseChunk(final String text, final CollectiveSpec spec) {
        if (text.matches("[0-9]{1,9}")) {
            final var bytes = Integer.parseInt(text);
            if (bytes >= MIN_CHUNK_BYTES && bytes <= MAX_CHUNK_BYTES && bytes % HostShape.PACK_BYTES == 0) {
                return bytes;
            }
        }
        throw new IllegalArgumentException("value '" + text + "' of setting " + CHUNK + " of " + spec.path() + " is not " + CHUNK_RANGE);
    }

    HostShape shape(final HostAlgorithm algorithm, final Configuration configuration) {
        return HostShape.of(configuration, chunk.orElseGet(() -> algorithm.defaultChunkBytes(configuration)));
    }
}
