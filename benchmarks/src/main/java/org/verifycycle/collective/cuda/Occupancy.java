package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.collective.gpu.Resources;
import org.verifycycle.device.CudaDriver;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.Gpus;
import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

import java.util.HashMap;
import java.util.Map;

/**
 * How many blocks of each kernel a GPU holds at once, asked before anything is measured: the launcher plans with it. It holds
 * a context only while it asks, so that nothing of the launcher's is on the GPU later.
 */
final class Occupancy {
    private static final int WARP = 32;

    private final int multiprocessors;
    /** Per kernel, for 1, 2, ... 16 warps a block. */
    private final Map<String, int[]> blocks;

    Occupancy(final int multiprocessors, final Map<String, int[]> blocks) {
        this.multiprocessors = multiprocessors;
        this.blocks = Map.copyOf(blocks);
    }

    /** @throws org.verifycycle.device.CudaException if the kernels can't be loaded there */
    static Occupancy ask(final Gpu gpu) {
        final var where = "on GPU " + gpu.index();
        try (var resources = new Resources()) {
            final var device = Gpus.device(gpu.index());
            final var context = new CUcontext();
            CudaDriver.check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain " + where);
            resources.onClose(() -> CudaDriver.check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease " + where));
            CudaDriver.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent " + where);
            final var module = Kernels.load(resources, where);
            final var blocks = new HashMap<String, int[]>();
            for (final var algorithm : IpcAlgorithm.values()) {
                for (final var dtype : Dtype.values()) {
                    for (final var world : Requirements.WORLDS) {
                        blocks.computeIfAbsent(algorithm.kernel(dtype, world), name -> {
                            final var function = Kernels.function(module, name, where);
                            final var row = new int[Geometry.MAX_THREADS / WARP];
                            for (int warps = 1; warps <= row.length; warps++) {
                                row[warps - 1] = Kernels.blocksPerMultiprocessor(function, warps * WARP, where);
                            }
                            return row;
                        });
                    }
                }
            }
            return new Occupancy(gpu.multiprocessors(), blocks);
        }
    }

    /** @param threads a multiple of 32 up to 512 */
    int residentBlocks(final String kernel, final int threads) {
        return multiprocessors * blocks.get(kernel)[threads / WARP - 1];
    }
}
