package org.verifycycle.collective;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The backends on the class path, and the collectives in them. */
public final class Collectives {
    private final List<Backend> backends;

    public Collectives(final List<Backend> backends) {
        this.backends = List.copyOf(backends);
    }

    /** All backends that {@link ServiceLoader} finds. */
    public static Collectives installed() {
        return new Collectives(ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::get).toList());
    }

    public List<Backend> backends() {
        return backends;
    }

    /** @throws IllegalArgumentException on an unknown backend, listing the known ones */
    public Backend backend(final String name) {
        return backends.stream().filter(b -> b.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown backend '" + name + "'; known: "
                        + backends.stream().map(Backend::name).collect(Collectors.joining(", "))));
    }

    /** @throws IllegalArgumentException on an unknown backend, algorithm, setting or value, listing the known ones */
    public Collective find(final CollectiveSpec spec) {
        return backend(spec.backend()).collective(spec);
    }

    /**
     * The specs that a pattern names: a plain spec gives itself, a glob ({@code *}, {@code ?}, {@code [..]}, {@code {a,b}})
     * all of the catalogues that match.
     *
     * @throws IllegalArgumentException if nothing matches, listing what there is
     */
    public List<CollectiveSpec> matching(final String pattern) {
        if (!pattern.matches(".*[*?\\[{].*")) {
            final var spec = CollectiveSpec.parse(pattern);
            find(spec);
            return List.of(spec);
        }
        final var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        final var all = backends.stream().flatMap(b -> b.catalogue().stream()).toList();
        final var matches = all.stream().filter(spec -> matcher.matches(Path.of(spec.toString()))).toList();
        if (matches.isEmpty()) {
            throw new IllegalArgumentException("no collective matches '" + pattern + "'; known: "
                    + all.stream().map(CollectiveSpec::toString).collect(Collectors.joining(", ")));
        }
        return matches;
    }
}
