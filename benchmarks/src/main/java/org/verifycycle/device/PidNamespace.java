package org.verifycycle.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which numbering of processes this one is in. Containers that share a folder (docker --ipc=host, a mounted /tmp) number theirs each for
 * itself, so that a pid in a file's name tells nothing of a process elsewhere.
 */
public final class PidNamespace {
    private PidNamespace() {
    }

    /** The number in {@code pid:[4026531836]}; 0 where there are none. */
    public static String own() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
        } catch (final IOException | UnsupportedOperationException | SecurityException e) {
            return "0";
        }
    }
}
