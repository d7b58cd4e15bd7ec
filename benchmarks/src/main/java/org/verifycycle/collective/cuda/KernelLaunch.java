package org.verifycycle.collective.cuda;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * One kernel launch, made once and started often: everything the driver reads is in native memory.
 *
 * <p>cuLaunchKernelEx is not in JCuda 12.6, and programmatic dependent launch needs it. The structures are CUlaunchConfig
 * (56 bytes) and CUlaunchAttribute (72 bytes) of {@code cuda.h}; unlike JCuda's cuLaunchKernel nothing is marshalled, so
 * an eager launch costs 0.1 us of Java.
 */
final class KernelLaunch {
    private static final int CONFIG_BYTES = 56;
    private static final int ATTRIBUTE_BYTES = 72;
    private static final int BLOCK_X = 12;
    private static final int STREAM = 32;
    private static final int ATTRIBUTES = 40;
    private static final int ATTRIBUTE_COUNT = 48;
    private static final int ATTRIBUTE_VALUE = 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    static {
        Native.register(KernelLaunch.class, "libcuda.so.1");
    }

    private final long function;
    private final Memory config = new Memory(CONFIG_BYTES);
    private final Memory attribute = new Memory(ATTRIBUTE_BYTES);
    private final Memory parameters;
    private final Memory arguments = new Memory(Native.POINTER_SIZE);

    /**
     * @param function address of the CUfunction
     * @param stream   address of the CUstream
     * @param pdl      may begin before the kernel ahead of it in the stream has ended
     */
    KernelLaunch(final long function, final long stream, final Geometry geometry, final boolean pdl, final byte[] parameterBytes) {
        this.function = function;
        parameters = new Memory(parameterBytes.length);
        parameters.write(0, parameterBytes, 0, parameterBytes.length);
        arguments.setPointer(0, parameters);
        attribute.clear();
        attribute.setInt(0, PROGRAMMATIC_STREAM_SERIALIZATION);
        attribute.setInt(ATTRIBUTE_VALUE, 1);
        config.clear();
        final int[] dimensions = {geometry.blocks(), 1, 1};
        config.write(0, dimensions, 0, dimensions.length);
        dimensions[0] = geometry.threads();
        config.write(BLOCK_X, dimensions, 0, dimensions.length);
        config.setLong(STREAM, stream);
        config.setPointer(ATTRIBUTES, attribute);
        config.setInt(ATTRIBUTE_COUNT, pdl ? 1 : 0);
    }

    /** @return the driver's result */
    int start() {
        return cuLaunchKernelEx(Pointer.nativeValue(config), function, Pointer.nativeValue(arguments), 0);
    }

    private static native int cuLaunchKernelEx(long config, long function, long parameters, long extra);
}
