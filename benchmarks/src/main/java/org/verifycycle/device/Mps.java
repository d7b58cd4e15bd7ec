package org.verifycycle.device;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * NVIDIA's multi-process service on this machine, looked at, not touched.
 *
 * @param running   whether a daemon runs, as far as this user can see
 * @param installed whether its control program is on the PATH
 */
public record Mps(boolean running, boolean installed) {
    public static Mps detect() {
        return new Mps(ProcessHandle.allProcesses().flatMap(p -> p.info().command().stream()).anyMatch(c -> c.endsWith("/" + MpsDaemon.CONTROL)), onPath(MpsDaemon.CONTROL).isPresent());
    }

    /** Where a program is that a shell would find. */
    public static Optional<Path> onPath(final String program) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":")).filter(folder -> !folder.isEmpty()).map(folder -> Path.of(folder, program)).filter(Files::isExecutable).findFirst();
    }
}
