package org.verifycycle.collective;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The name of a collective: {@code backend/algorithm[:key=value[;key=value]]}, e.g. {@code nccl/ring:proto=LL;channels=2}.
 *
 * <p>Parsing checks the form only; {@link Collectives#find} checks that backend, algorithm and settings exist.
 *
 * @param settings keys sorted, so that equal specs have equal strings
 */
public record CollectiveSpec(String backend, String algorithm, SortedMap<String, String> settings) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");
    /** JMH parameter values can't hold commas, and files are named after specs: a small alphabet serves both. */
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._+-]+");

    public CollectiveSpec {
        if (!NAME.matcher(backend).matches() || !NAME.matcher(algorithm).matches()) {
            throw new IllegalArgumentException("collective '" + backend + "/" + algorithm
                    + "' is not of the form backend/algorithm (lower-case letters, digits and '-')");
        }
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        settings.forEach((key, value) -> {
            if (!NAME.matcher(key).matches() || !VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException("setting '" + key + "=" + value + "' of " + backend + "/" + algorithm
                        + " is not of the form key=value (letters, digits, '.', '_', '+', '-')");
            }
        });
    }

    /** @throws IllegalArgumentException if the text is not of the form above */
    public static CollectiveSpec parse(final String text) {
        final var colon = text.indexOf(':');
        final var path = colon < 0 ? text : text.substring(0, colon);
        final var slash = path.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("collective '" + text + "' is not of the form backend/algorithm[:key=value[;key=value]]");
        }
        final var settings = new TreeMap<String, String>();
        if (colon >= 0) {
            for (final var setting : text.substring(colon + 1).split(";", -1)) {
                final var equals = setting.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("setting '" + setting + "' in '" + text + "' is not of the form key=value");
                }
                if (settings.put(setting.substring(0, equals), setting.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("setting '" + setting.substring(0, equals) + "' is twice in '" + text + "'");
                }
            }
        }
        return new CollectiveSpec(path.substring(0, slash), path.substring(slash + 1), settings);
    }

    /** {@code backend/algorithm}, without settings. */
    public String path() {
        return backend + "/" + algorithm;
    }

    @Override
    public String toString() {
        return settings.isEmpty() ? path() : path() + ":" + settings.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(";"));
    }
}
