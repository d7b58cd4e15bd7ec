package org.verifycycle.collective.cuda;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.verifycycle.collective.gpu.JCudaHandles;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.collective.gpu.Resources;
import org.verifycycle.device.CudaDriver;
import org.verifycycle.device.CudaException;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.Gpus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;

/** One GPU in the probe: its context, stream, kernels, memory that peers reach, and result. */
final class ProbeGpu {
    private static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    private final Gpu gpu;
    private final Resources resources;
    private final String where;
    private final CUcontext context = new CUcontext();
    private final CUstream stream = new CUstream();
    private final CUmodule module;
    private final Map<String, CUfunction> functions = new HashMap<>();
    private final CUdeviceptr memory = new CUdeviceptr();
    private final ProbeResult result;

    /** @param dataBytes of the memory that peers reach, beside the control words */
    ProbeGpu(final Gpu gpu, final long dataBytes, final Resources resources) {
        this.gpu = gpu;
        this.resources = resources;
        this.where = "on GPU " + gpu.index();
        final var device = Gpus.device(gpu.index());
        check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
        resources.onClose(() -> check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease"));
        makeCurrent();
        check(JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamCreate");
        onClose(() -> check(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy"));
        module = Kernels.load(resources, where);
        // Unloading is not ours: this makes the context current before it.
        onClose(() -> { });
        check(JCudaDriver.cuMemAlloc(memory, ProbeParameters.DATA_OFFSET + dataBytes), "cuMemAlloc of %,d KiB for the probe".formatted(dataBytes >> 10));
        onClose(() -> check(JCudaDriver.cuMemFree(memory), "cuMemFree"));
        result = new ProbeResult(hostMemory(ProbeResult.BYTES, "the probe's result"));
    }

    int index() {
        return gpu.index();
    }

    /** Device address of its probe memory, for it and its peers. */
    long address() {
        return JCudaHandles.pointer(memory);
    }

    ProbeResult result() {
        return result;
    }

    long resultAddress() {
        return addressOf(result.memory());
    }

    static long addressOf(final ByteBuffer host) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(host));
    }

    /** Pinned memory that kernels of all GPUs reach by the host's own address. */
    ByteBuffer hostMemory(final int bytes, final String what) {
        makeCurrent();
        final var host = new jcuda.Pointer();
        check(JCudaDriver.cuMemHostAlloc(host, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc of " + what);
        onClose(() -> check(JCudaDriver.cuMemFreeHost(host), "cuMemFreeHost of " + what));
        return new Pointer(JCudaHandles.pointer(host)).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
    }

    /** Lets kernels here reach the other's memory. */
    void reach(final ProbeGpu other) {
        makeCurrent();
        final var code = JCudaDriver.cuCtxEnablePeerAccess(other.context, 0);
        if (code != PEER_ACCESS_ALREADY_ENABLED) {
            check(code, "cuCtxEnablePeerAccess to GPU " + other.index());
        }
    }

    /** Zeroes the control words and as much of the data, and the result. */
    void clear(final long dataBytes) {
        result.clear();
        makeCurrent();
        check(JCudaDriver.cuMemsetD8Async(memory, (byte) 0, ProbeParameters.DATA_OFFSET + dataBytes, stream), "cuMemsetD8Async");
        check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    }

    void launch(final String kernel, final Geometry geometry, final ProbeParameters parameters) {
        makeCurrent();
        final var function = functions.computeIfAbsent(kernel, name -> Kernels.function(module, name, where));
        check(new KernelLaunch(JCudaHandles.pointer(function), JCudaHandles.pointer(stream), geometry, false, parameters.bytesOfC()).start(), "cuLaunchKernelEx of " + kernel);
    }

    /** A graph of so many launches; closed with everything else. */
    CUgraphExec capture(final String kernel, final Geometry geometry, final ProbeParameters parameters, final int launches) {
        makeCurrent();
        final var captured = new CUgraph();
        check(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
        for (int i = 0; i < launches; i++) {
            launch(kernel, geometry, parameters);
        }
        check(JCudaDriver.cuStreamEndCapture(stream, captured), "cuStreamEndCapture");
        final var graph = new CUgraphExec();
        try {
            check(JCudaDriver.cuGraphInstantiate(graph, captured, 0), "cuGraphInstantiate");
        } finally {
            check(JCudaDriver.cuGraphDestroy(captured), "cuGraphDestroy");
        }
        onClose(() -> check(JCudaDriver.cuGraphExecDestroy(graph), "cuGraphExecDestroy"));
        return graph;
    }

    void replay(final CUgraphExec graph) {
        makeCurrent();
        check(JCudaDriver.cuGraphLaunch(graph, stream), "cuGraphLaunch");
    }

    /** Until its stream is empty. @throws CudaException if that is not so in time, though kernels wait no longer than their deadline */
    void await(final long patienceNanos) {
        makeCurrent();
        final var since = System.nanoTime();
        int state = JCudaDriver.cuStreamQuery(stream);
        while (state == CUresult.CUDA_ERROR_NOT_READY) {
            if (System.nanoTime() - since > patienceNanos) {
                throw new CudaException("the probe did not end " + where + " within " + patienceNanos / 1_000_000_000L + " s");
            }
            Thread.onSpinWait();
            state = JCudaDriver.cuStreamQuery(stream);
        }
        check(state, "the probe");
    }

    private void makeCurrent() {
        check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    /** Several contexts are open: what is given back must be so in its own. */
    private void onClose(final Runnable closing) {
        resources.onClose(() -> {
            makeCurrent();
            closing.run();
        });
    }

    private void check(final int code, final String tried) {
        CudaDriver.check(code, tried + " " + where);
    }
}
