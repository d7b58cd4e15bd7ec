package org.verifycycle.collective.nccl;

import org.verifycycle.device.NativeLibraries;
import org.verifycycle.device.ProcessVariables;
import com.sun.jna.NativeLibrary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * NCCL's debug output of this process, in a file that is read and removed before anything is timed; of a process that is ended before, with the run.
 *
 * @param file empty if the user directs the output: it is then the user's
 */
record DebugOutput(Optional<Path> file) {
    private static final String LEVEL = "NCCL_DEBUG";
    private static final String SUBSYSTEMS = "NCCL_DEBUG_SUBSYS";
    private static final String FILE = "NCCL_DEBUG_FILE";

    /** Sets the variables; before the library is first used. @param users variables the process has */
    static DebugOutput direct(final Map<String, String> users, final int rank) {
        if (users.containsKey(LEVEL) || users.containsKey(FILE)) {
            return new DebugOutput(Optional.empty());
        }
        try {
            final var folder = NativeLibraries.folderOfRun().orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
            final var file = Files.createTempFile(folder, "verifycycle-nccl-r" + rank + "-", ".log");
            ProcessVariables.set(LEVEL, "INFO");
            ProcessVariables.set(SUBSYSTEMS, "INIT,TUNING,ENV");
            ProcessVariables.set(FILE, file.toString());
            return new DebugOutput(Optional.of(file));
        } catch (final IOException e) {
            throw new UncheckedIOException("can't make a file for NCCL's debug output (" + e.getMessage() + ")", e);
        }
    }

    List<String> lines() {
        try {
            return file.isEmpty() || !Files.exists(file.get()) ? List.of() : Files.readString(file.get(), StandardCharsets.ISO_8859_1).lines().toList();
        } catch (final IOException e) {
            throw new UncheckedIOException("can't read NCCL's debug output " + file.get(), e);
        }
    }

    /**
     * Silences NCCL, which would write a line for every call that is not in a graph, where the library can be told after its
     * start; removes the file.
     */
    void end(final NativeLibrary library) {
        file.ifPresent(f -> {
            ProcessVariables.set(LEVEL, "VERSION");
            try {
                library.getFunction("ncclResetDebugInit").invokeVoid(new Object[0]);
            } catch (final UnsatisfiedLinkError e) {
                // It goes on writing into a file without a name; the time that takes is part of every call.
            }
            remove();
        });
    }

    void remove() {
        file.ifPresent(f -> {
            try {
                Files.deleteIfExists(f);
            } catch (final IOException e) {
                throw new UncheckedIOException("can't remove " + f, e);
            }
        });
    }
}
