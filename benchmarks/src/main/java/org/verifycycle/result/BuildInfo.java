package org.verifycycle.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What this program was built from.
 *
 * @param commit abbreviated, with {@code +dirty} if the tree had changes; {@code unknown} when built outside git
 */
public record BuildInfo(String version, String commit) {
    private static final String UNKNOWN = "unknown";

    /** From the resource that the build fills in. */
    public static BuildInfo read() {
        final var properties = new Properties();
        try (var in = BuildInfo.class.getResourceAsStream("/org/verifycycle/build.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final var commit = filled(properties, "commit");
        return new BuildInfo(filled(properties, "version"), "true".equals(filled(properties, "dirty")) ? commit + "+dirty" : commit);
    }

    private static String filled(final Properties properties, final String key) {
        final var value = properties.getProperty(key, "");
        return value.isEmpty() || value.startsWith("${") ? UNKNOWN : value;
    }

    @Override
    public String toString() {
        return version + " (" + commit + ")";
    }
}
