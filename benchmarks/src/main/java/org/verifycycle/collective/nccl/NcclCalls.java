package org.verifycycle.collective.nccl;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Structure;

/**
 * The calls of libnccl, as {@code nccl.h} declares them, by JNA direct mapping: addresses and sizes are {@code long}, which
 * costs 0.13 us a call. Bound once in a process, to the one library that {@link NcclLibrary} found.
 */
final class NcclCalls {
    static final int SUCCESS = 0;
    /** What is asked can't be had, or contradicts itself; the last error says what. */
    static final int INVALID_USAGE = 5;
    static final int IN_PROGRESS = 7;
    static final int UNIQUE_ID_BYTES = 128;
    static final int SUM = 0;
    static final int FLOAT16 = 6;
    static final int FLOAT32 = 7;
    static final int BFLOAT16 = 9;

    private NcclCalls() {
    }

    static void bind(final NativeLibrary library) {
        Native.register(NcclCalls.class, library);
    }

    /** ncclUniqueId, which is passed by value. */
    @Structure.FieldOrder("internal")
    public static class UniqueId extends Structure {
        public byte[] internal = new byte[UNIQUE_ID_BYTES];

        /** The form in which it is an argument. */
        public static final class ByValue extends UniqueId implements Structure.ByValue { }
    }

    static native int ncclGetUniqueId(long id);

    static native int ncclCommInitRankConfig(long communicator, int ranks, UniqueId.ByValue id, int rank, long config);

    static native int ncclAllReduce(long input, long output, long count, int dtype, int operation, long communicator, long stream);

    static native int ncclCommDestroy(long communicator);

    static native int ncclCommAbort(long communicator);

    static native int ncclCommGetAsyncError(long communicator, long result);

    static native String ncclGetErrorString(int result);

    static native String ncclGetLastError(long communicator);

    /** What only newer libraries have (2.19 and 2.27): bound where it is needed. */
    static final class Windows {
        static final int COLLECTIVE_SYMMETRIC = 1;

        private Windows() {
        }

        static void bind(final NativeLibrary library) {
            Native.register(Windows.class, library);
        }

        static native int ncclMemAlloc(long pointer, long bytes);

        static native int ncclMemFree(long pointer);

        static native int ncclCommWindowRegister(long communicator, long buffer, long bytes, long window, int flags);

        static native int ncclCommWindowDeregister(long communicator, long window);
    }
}
