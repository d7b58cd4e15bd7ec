package org.verifycycle.collective.cuda;

import jcuda.NativePointerObject;
import jcuda.driver.CUipcMemHandle;

import java.lang.reflect.Field;

/**
 * What JCuda 12.6 keeps to itself: the 64 bytes of an IPC handle, and the native pointer in its objects. Reflection works
 * on JDK 17 and 25 without options, since JCuda is in no named module.
 */
final class JCudaHandles {
    static final int IPC_HANDLE_BYTES = 64;
    private static final Field RESERVED = accessible(CUipcMemHandle.class, "reserved");
    private static final Field NATIVE_POINTER = accessible(NativePointerObject.class, "nativePointer");

    private JCudaHandles() {
    }

    static byte[] bytes(final CUipcMemHandle handle) {
        try {
            return ((byte[]) RESERVED.get(handle)).clone();
        } catch (final IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** @param bytes 64 of them */
    static CUipcMemHandle ipcHandle(final byte[] bytes) {
        final var handle = new CUipcMemHandle();
        try {
            System.arraycopy(bytes, 0, (byte[]) RESERVED.get(handle), 0, IPC_HANDLE_BYTES);
        } catch (final IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return handle;
    }

    /** A device address, or the address of a stream, function, ... */
    static long pointer(final NativePointerObject object) {
        try {
            return NATIVE_POINTER.getLong(object);
        } catch (final IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field accessible(final Class<?> type, final String name) {
        try {
            final var field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (final NoSuchFieldException e) {
            throw new LinkageError("JCuda's " + type.getSimpleName() + " has no field " + name + ": another version of JCuda?", e);
        }
    }
}
