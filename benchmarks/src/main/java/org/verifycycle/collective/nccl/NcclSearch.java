package org.verifycycle.collective.nccl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where libnccl.so.2 may be: the file given by option, the one in the variable NCCL_LIB, whatever the loader finds, and
 * then the one that PyTorch brings: nvidia/nccl/lib in the site-packages of a virtual or conda environment, of each python3
 * on the PATH, and of the user. Folders are looked at, no Python is run.
 *
 * @param given       by option
 * @param environment variables of the process
 */
record NcclSearch(Optional<String> given, Map<String, String> environment) {
    static final String NAME = "libnccl.so.2";
    static final String VARIABLE = "NCCL_LIB";
    static final String LOADER = "loader path";
    private static final Path IN_SITE_PACKAGES = Path.of("nvidia", "nccl", "lib", NAME);
    private static final List<String> ROOTS = List.of("VIRTUAL_ENV", "CONDA_PREFIX");

    /** A place to try. @param file a path, or a name for the loader @param where for a person */
    record Candidate(String file, String where) { }

    /** In the order in which they are to be tried. What was given is the only one: a wrong path must not be passed over. */
    List<Candidate> candidates() {
        final var named = given.map(file -> new Candidate(file, "given by option"))
                .or(() -> Optional.ofNullable(environment.get(VARIABLE)).filter(f -> !f.isBlank()).map(file -> new Candidate(file, VARIABLE)));
        if (named.isPresent()) {
            return List.of(named.map(c -> new Candidate(file(Path.of(c.file())), c.where())).get());
        }
        final var candidates = new ArrayList<>(List.of(new Candidate(NAME, LOADER)));
        pythonRoots().stream().flatMap(root -> inSitePackages(root).stream()).distinct().forEach(file -> candidates.add(new Candidate(file.toString(), "site-packages")));
        return candidates;
    }

    /** A name is left to the loader. A path is made absolute, since JNA takes a relative one for a name. */
    private static String file(final Path named) {
        if (Files.isDirectory(named)) {
            return named.resolve(NAME).toAbsolutePath().toString();
        }
        return named.getParent() == null ? named.toString() : named.toAbsolutePath().toString();
    }

    /** Folders below which lib/python3.x/site-packages may lie. */
    private Set<Path> pythonRoots() {
        final var roots = new LinkedHashSet<Path>();
        ROOTS.stream().map(environment::get).filter(r -> r != null && !r.isBlank()).map(Path::of).forEach(roots::add);
        for (final var folder : environment.getOrDefault("PATH", "").split(":")) {
            final var python = folder.isBlank() ? null : Path.of(folder, "python3");
            if (python == null || !Files.isExecutable(python)) {
                continue;
            }
            addRoot(roots, python);
            try {
                // A link in some bin folder to an installation elsewhere.
                addRoot(roots, python.toRealPath());
            } catch (final IOException e) {
                // It has just been removed: nothing to be found there.
            }
        }
        Optional.ofNullable(environment.get("HOME")).filter(h -> !h.isBlank()).ifPresent(home -> roots.add(Path.of(home, ".local")));
        return roots;
    }

    /** The folder above the one that python3 is in, and where Debian's pip installs. */
    private static void addRoot(final Set<Path> roots, final Path python) {
        final var bin = python.toAbsolutePath().getParent();
        if (bin != null && bin.getParent() != null) {
            roots.add(bin.getParent());
            roots.add(bin.getParent().resolve("local"));
        }
    }

    private static List<Path> inSitePackages(final Path root) {
        final var found = new ArrayList<Path>();
        final var lib = root.resolve("lib");
        if (!Files.isDirectory(lib)) {
            return found;
        }
        try (var versions = Files.newDirectoryStream(lib, "python3*")) {
            for (final var version : versions) {
                for (final var packages : List.of("site-packages", "dist-packages")) {
                    final var file = version.resolve(packages).resolve(IN_SITE_PACKAGES);
                    if (Files.isRegularFile(file)) {
                        found.add(file);
                    }
                }
            }
        } catch (final IOException e) {
            return found;
        }
        found.sort(null);
        return found;
    }
}
