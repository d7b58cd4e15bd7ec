package org.verifycycle.collective.nccl;

import com.sun.jna.NativeLibrary;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The libnccl of this machine, opened but not bound.
 *
 * @param problem why none can be used, for a person, with what to do
 * @param file    its path, or its name where the loader found it
 * @param where   how it was found
 */
record NcclLibrary(Optional<String> problem, String file, String where, NcclVersion version) {
    private static final NcclVersion NONE = new NcclVersion(0, 0, 0);
    private static final String HOW_TO_GET_IT = "pip install nvidia-nccl-cu13 (or -cu12, as the driver is), or name the file with --nccl or " + NcclSearch.VARIABLE;

    /** The first of the candidates that is new enough. */
    static NcclLibrary find(final NcclSearch search) {
        final var reasons = new ArrayList<String>();
        for (final var candidate : search.candidates()) {
            try {
                final var version = NcclVersion.of(version(candidate.file()));
                if (version.atLeast(NcclVersion.OLDEST)) {
                    return new NcclLibrary(Optional.empty(), candidate.file(), candidate.where(), version);
                }
                reasons.add("NCCL %s (%s) is too old, at least %s is needed".formatted(version, candidate.where(), NcclVersion.OLDEST));
            } catch (final LinkageError e) {
                if (!candidate.where().equals(NcclSearch.LOADER)) {
                    reasons.add(candidate.file() + " (" + candidate.where() + ") can't be loaded: " + firstLine(e));
                }
            }
        }
        return none((reasons.isEmpty() ? "no " + NcclSearch.NAME + " here, neither on the loader's path nor in Python's site-packages" : String.join("; ", reasons))
                + "; " + HOW_TO_GET_IT);
    }

    static NcclLibrary none(final String problem) {
        return new NcclLibrary(Optional.of(problem), "", "", NONE);
    }

    /** Of this process. */
    static NcclLibrary ofThisProcess() {
        return find(new NcclSearch(Optional.ofNullable(System.getProperty(NcclBackend.LIBRARY_PROPERTY)), System.getenv()));
    }

    /** Options for JVMs that are to use the same. */
    List<String> jvmOptions() {
        return problem.isPresent() ? List.of() : List.of("-D" + NcclBackend.LIBRARY_PROPERTY + "=" + file);
    }

    NativeLibrary open() {
        return NativeLibrary.getInstance(file);
    }

    private static int version(final String file) {
        final var version = new int[1];
        final var result = NativeLibrary.getInstance(file).getFunction("ncclGetVersion").invokeInt(new Object[] {version});
        if (result != NcclCalls.SUCCESS) {
            throw new UnsatisfiedLinkError("ncclGetVersion returned " + result);
        }
        return version[0];
    }

    private static String firstLine(final Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown reason");
    }
}
