package org.verifycycle.collective.nccl;

import org.verifycycle.device.ProcessVariables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code src/test/c/fake_nccl.c}, compiled. */
final class FakeNccl {
    private FakeNccl() {
    }

    /** @param flags of the compiler */
    static Path build(final Path folder, final String... flags) {
        final var source = Path.of("src/test/c/fake_nccl.c");
        final var library = folder.resolve("libfakenccl.so");
        final var command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-o", library.toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of((Files.exists(source) ? source : Path.of("benchmarks").resolve(source)).toString(), "-ldl"));
        try {
            Files.createDirectories(folder);
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IllegalStateException("gcc failed");
            }
        } catch (final IOException e) {
            throw new IllegalStateException("these tests need gcc", e);
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return library;
    }

    /** Where the library, loaded into this process, writes what was called. */
    static void writeTo(final Path folder) {
        ProcessVariables.set("FAKE_NCCL_DIR", folder.toString());
    }

    static List<String> calls(final Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("nccl." + ProcessHandle.current().pid()));
    }
}
