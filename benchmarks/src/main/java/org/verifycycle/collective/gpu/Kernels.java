package org.verifycycle.collective.gpu;

import org.verifycycle.device.CudaDriver;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The compiled kernels in this jar: machine code for every architecture nvcc knew, and PTX. */
public final class Kernels {
    private static final String RESOURCE = "/org/verifycycle/kernels/allreduce.fatbin";

    private Kernels() {
    }

    /** Why there are none; empty if there are. */
    public static Optional<String> missing() {
        return Kernels.class.getResource(RESOURCE) == null
                ? Optional.of("this jar holds no GPU kernels; build it where nvcc is found (CUDA_HOME, PATH or /usr/local/cuda)") : Optional.empty();
    }

    /** Loads them into the current context, to be unloaded with the resources. */
    public static CUmodule load(final Resources resources, final String where) {
        final var module = load(where);
        resources.onClose(() -> CudaDriver.check(JCudaDriver.cuModuleUnload(module), "cuModuleUnload " + where));
        return module;
    }

    private static CUmodule load(final String where) {
        try (var in = Kernels.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(missing().orElseThrow());
            }
            final var module = new CUmodule();
            CudaDriver.check(JCudaDriver.cuModuleLoadData(module, in.readAllBytes()), "cuModuleLoadData of the kernels " + where);
            return module;
        } catch (final IOException e) {
            throw new UncheckedIOException("can't read " + RESOURCE + " in the jar", e);
        }
    }

    public static CUfunction function(final CUmodule module, final String name, final String where) {
        final var function = new CUfunction();
        CudaDriver.check(JCudaDriver.cuModuleGetFunction(function, module, name), "cuModuleGetFunction of " + name + " " + where);
        return function;
    }

    /** How many blocks of a kernel one multiprocessor holds; asking also loads the kernel, which must not happen while another spins. */
    public static int blocksPerMultiprocessor(final CUfunction function, final int threads, final String where) {
        final var blocks = new int[1];
        CudaDriver.check(JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor " + where);
        return blocks[0];
    }
}
