package org.verifycycle.device;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * Environment variables of this very process, as C code in it sees them; {@link System#getenv} keeps what it saw at start.
 * The CUDA driver and NCCL read theirs with getenv when they are initialised.
 */
public final class ProcessVariables {
    static {
        Native.register(ProcessVariables.class, NativeLibrary.getProcess());
    }

    private ProcessVariables() {
    }

    /** Sets one; child processes inherit it, unless they are given an environment of their own. */
    public static void set(final String name, final String value) {
        if (setenv(name, value, 1) != 0) {
            throw new IllegalArgumentException("can't set the variable " + name);
        }
    }

    private static native int setenv(String name, String value, int overwrite);
}
