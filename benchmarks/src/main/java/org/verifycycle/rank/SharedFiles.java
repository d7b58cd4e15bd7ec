package org.verifycycle.rank;

import java.nio.file.Path;

/** The shared files that ranks of this host may have left. */
public final class SharedFiles {
    private SharedFiles() {
    }

    /** Removes those whose maker has died (killed between making a file and taking its name away), as far as it may. */
    public static void sweep(final Path folder) {
        SharedFile.sweep(folder);
    }
}
