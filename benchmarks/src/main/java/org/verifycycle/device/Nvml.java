package org.verifycycle.device;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * NVIDIA's management library, read only: of its API only what asks. Everything is optional, since drivers, containers and
 * virtual machines each leave something out.
 */
final class Nvml implements AutoCloseable {
    private static final String LIBRARY = "libnvidia-ml.so.1";
    private static final int SUCCESS = 0;

    private final NativeLibrary library;

    private Nvml(final NativeLibrary library) {
        this.library = library;
    }

    /** Empty where there is none. Only after {@link CudaDriver} was found: that loads what JNA needs. */
    static Optional<Nvml> open() {
        try {
            final var nvml = new Nvml(NativeLibrary.getInstance(LIBRARY));
            return nvml.call("nvmlInit_v2") ? Optional.of(nvml) : Optional.empty();
        } catch (final LinkageError e) {
            return Optional.empty();
        }
    }

    /** A GPU, by the bus id that CUDA gives: its ordinals here may differ from those of this library. */
    Optional<Pointer> device(final Gpu gpu) {
        final var device = new PointerByReference();
        return call("nvmlDeviceGetHandleByPciBusId_v2", gpu.pciBusId(), device) ? Optional.of(device.getValue()) : Optional.empty();
    }

    /** What a function writes to its last argument. @param arguments those before it */
    OptionalInt number(final String function, final Object... arguments) {
        final var value = new IntByReference();
        return call(function, with(arguments, value)) ? OptionalInt.of(value.getValue()) : OptionalInt.empty();
    }

    OptionalLong longNumber(final String function, final Object... arguments) {
        final var value = new LongByReference();
        return call(function, with(arguments, value)) ? OptionalLong.of(value.getValue()) : OptionalLong.empty();
    }

    private static Object[] with(final Object[] arguments, final Object last) {
        final var all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    private boolean call(final String name, final Object... arguments) {
        try {
            final Function function = library.getFunction(name);
            return function.invokeInt(arguments) == SUCCESS;
        } catch (final UnsatisfiedLinkError e) {
            return false;
        }
    }

    @Override
    public void close() {
        call("nvmlShutdown");
    }
}
