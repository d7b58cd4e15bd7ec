package org.verifycycle.collective.host;

import java.util.OptionalInt;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;

/**
 * The settings of a host collective.
 *
 * @param chunk {@code chunk=<bytes>}: how much of a tensor passes through shared memory at a time; empty for the default
 */
record HostSettings(OptionalInt chunk) {
    static final int MIN_CHUNK_BYTES = 1024;
    /** Bounds the shared memory, whatever the tensor's size. */
    static final int MAX_CHUNK_BYTES = 1 << 20;
    private static final String CHUNK = "chunk";
    private static final String CHUNK_RANGE = "bytes, a multiple of " + HostShape.PACK_BYTES + " from " + MIN_CHUNK_BYTES + " to "
            + MAX_CHUNK_BYTES;

    /** @throws IllegalArgumentException on an unknown setting or value, naming the known ones */
    static HostSettings parse(final CollectiveSpec spec, final HostAlgorithm algorithm) {
        for (final var key : spec.settings().keySet()) {
            if (!algorithm.chunked() || !key.equals(CHUNK)) {
                throw new IllegalArgumentException("unknown setting '" + key + "' of " + spec.path() + "; known: "
                        + (algorithm.chunked() ? CHUNK + " (" + CHUNK_RANGE + ")" : "none"));
            }
        }
        final var chunk = spec.settings().get(CHUNK);
        return new HostSettings(chunk == null ? OptionalInt.empty() : OptionalInt.of(parseChunk(chunk, spec)));
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
