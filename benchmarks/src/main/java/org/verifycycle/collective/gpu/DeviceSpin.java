package org.verifycycle.collective.gpu;

import org.verifycycle.collective.Configuration;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

import java.util.Arrays;

/**
 * Makes a rank's stream late: a kernel of one thread (vc_spin of {@code floors.cuh}) ahead of the cycle's calls, which watches the
 * device's clock.
 *
 * <p>Launching it takes time too, and the stream is late by both: how much, is measured when it is made, and the kernel asked for
 * that much less.
 */
final class DeviceSpin {
    private static final String KERNEL = "vc_spin";
    private static final int THREADS = 32;
    private static final int TRIALS = 21;
    private static final double NANOS_PER_MILLI = 1e6;

    private final RankGpu gpu;
    private final CUfunction kernel;
    private final CUevent begin;
    private final float[] elapsedMillis = new float[1];
    private Pointer arguments;

    /** @param configuration of the cycle, with a skew */
    DeviceSpin(final RankGpu gpu, final Configuration configuration) {
        this.gpu = gpu;
        kernel = Kernels.function(Kernels.load(gpu.resources(), gpu.where()), KERNEL, gpu.where());
        begin = gpu.event();
        final var wanted = configuration.skewNanos();
        arguments = arguments(wanted);
        arguments = arguments(Math.max(1, wanted - overhead(wanted)));
    }

    /** Puts it on the stream. */
    void start() {
        gpu.check(JCudaDriver.cuEventRecord(begin, gpu.stream()), "cuEventRecord");
        gpu.check(JCudaDriver.cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, gpu.stream(), arguments, null), "cuLaunchKernel of " + KERNEL);
    }

    /** From the last start to an event after it that has come; resolution about 0.5 us. */
    long nanosUntil(final CUevent end) {
        gpu.check(JCudaDriver.cuEventElapsedTime(elapsedMillis, begin, end), "cuEventElapsedTime");
        return Math.round(elapsedMillis[0] * NANOS_PER_MILLI);
    }

    /** Median over some spins; the first one also loads the kernel. */
    private long overhead(final int nanos) {
        final var end = gpu.event();
        final var taken = new long[TRIALS];
        for (int i = 0; i < TRIALS; i++) {
            start();
            gpu.check(JCudaDriver.cuEventRecord(end, gpu.stream()), "cuEventRecord");
            gpu.synchronize();
            taken[i] = nanosUntil(end);
        }
        Arrays.sort(taken);
        return taken[TRIALS / 2] - nanos;
    }

    /** Of a VcSpin: one 64-bit number of nanoseconds. */
    private static Pointer arguments(final long nanos) {
        return Pointer.to(Pointer.to(new long[] {nanos}));
    }
}
