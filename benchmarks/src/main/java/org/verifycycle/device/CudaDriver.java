package org.verifycycle.device;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

import java.util.Optional;

/**
 * The CUDA driver of this machine, loaded and initialised at the first question. Every call of it, here and in the backends,
 * goes through {@link #check}.
 */
public final class CudaDriver {
    /** The first with cuLaunchKernelEx in every release, as {@code cuDriverGetVersion} writes it: 12.0. */
    static final int OLDEST_VERSION = 12_000;
    private static final String LIBRARY = "libcuda.so.1";

    private CudaDriver() {
    }

    /** Why it can't be used, for a person; empty if it can. */
    public static Optional<String> unavailable() {
        return Loaded.PROBLEM;
    }

    /** E.g. 13000 for CUDA 13.0; only where it is available. */
    public static int version() {
        final var version = new int[1];
        check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion");
        return version[0];
    }

    /**
     * @param tried the call, with what it was for
     * @throws CudaException unless the result is CUDA_SUCCESS
     */
    public static void check(final int result, final String tried) {
        if (result != CUresult.CUDA_SUCCESS) {
            throw new CudaException(tried + ": " + text(result));
        }
    }

    /** E.g. {@code out of memory (CUDA_ERROR_OUT_OF_MEMORY)}. */
    public static String text(final int result) {
        final var name = new String[1];
        final var text = new String[1];
        final var known = JCudaDriver.cuGetErrorName(result, name) == CUresult.CUDA_SUCCESS && JCudaDriver.cuGetErrorString(result, text) == CUresult.CUDA_SUCCESS;
        return known && name[0] != null ? text[0] + " (" + name[0] + ")" : "CUDA error " + result;
    }

    static String version(final int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /** Initialised once, by the class loader, when first asked. */
    private static final class Loaded {
        static final Optional<String> PROBLEM = problem();

        private static Optional<String> problem() {
            if (!NativeLibraries.forThisPlatform()) {
                return Optional.of("GPU collectives run on Linux on x86_64 only");
            }
            try {
                NativeLibraries.load();
                GpuSharing.ofThisProcess().setVariables();
                return initialise();
            } catch (final LinkageError e) {
                final var message = String.valueOf(e.getMessage());
                return Optional.of(message.contains(LIBRARY) ? "no NVIDIA driver here (the loader finds no " + LIBRARY + ")"
                        : "the library of JCuda can't be loaded: " + message.lines().filter(l -> l.contains(".so")).reduce((a, b) -> b).orElse(message));
            }
        }

        private static Optional<String> initialise() {
            final var result = JCudaDriver.cuInit(0);
            if (result == CUresult.CUDA_ERROR_NO_DEVICE) {
                return Optional.of("the NVIDIA driver finds no GPU");
            }
            if (result != CUresult.CUDA_SUCCESS) {
                return Optional.of("cuInit: " + text(result));
            }
            return version() >= OLDEST_VERSION ? Optional.empty()
                    : Optional.of("the NVIDIA driver is too old: it supports CUDA " + version(version()) + ", at least " + version(OLDEST_VERSION) + " is needed");
        }
    }
}
