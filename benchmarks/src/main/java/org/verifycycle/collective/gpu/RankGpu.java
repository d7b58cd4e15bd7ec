package org.verifycycle.collective.gpu;

import org.verifycycle.collective.RankContext;
import org.verifycycle.device.CudaDriver;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.Gpus;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE;

/**
 * One rank's hold on its GPU. What it takes it puts among the resources, to be given back in reverse; every call goes
 * through {@link #check}, which names the rank.
 */
public final class RankGpu {
    private static final int IPC_LAZY_ENABLE_PEER_ACCESS = 1;

    private final Gpu gpu;
    private final int rank;
    private final Resources resources;
    private final CUcontext context = new CUcontext();
    private final CUstream stream = new CUstream();

    /** Retains the primary context, which libraries such as NCCL use too, and makes a stream of its own. */
    public RankGpu(final Gpu gpu, final RankContext rankContext, final Resources resources) {
        this.gpu = gpu;
        this.rank = rankContext.rank();
        this.resources = resources;
        final var device = Gpus.device(gpu.index());
        check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
        resources.onClose(() -> check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease"));
        makeCurrent();
        check(JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamCreate");
        resources.onClose(() -> check(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy"));
    }

    public Gpu gpu() {
        return gpu;
    }

    /** Given back when the communicator is closed. */
    public Resources resources() {
        return resources;
    }

    public CUstream stream() {
        return stream;
    }

    /** On the calling thread: contexts belong to threads. */
    public void makeCurrent() {
        check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    public void check(final int result, final String tried) {
        if (result != CUresult.CUDA_SUCCESS) {
            // Not before: a cycle makes four calls, and each would cost a string.
            CudaDriver.check(result, tried + " " + where());
        }
    }

    /** E.g. {@code on rank 1 (GPU 0)}. */
    public String where() {
        return "on rank " + rank + " (GPU " + gpu.index() + ")";
    }

    public CUdeviceptr allocate(final long bytes, final String what) {
        final var memory = new CUdeviceptr();
        check(JCudaDriver.cuMemAlloc(memory, bytes), "cuMemAlloc of %,d KiB for %s".formatted(bytes >> 10, what));
        resources.onClose(() -> check(JCudaDriver.cuMemFree(memory), "cuMemFree of " + what));
        return memory;
    }

    /** Pinned host memory that kernels write: its buffer, zeroed, in native order. The device uses the same address. */
    public ByteBuffer allocateHost(final int bytes, final String what) {
        final var memory = new Pointer();
        check(JCudaDriver.cuMemHostAlloc(memory, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc of " + what);
        resources.onClose(() -> check(JCudaDriver.cuMemFreeHost(memory), "cuMemFreeHost of " + what));
        final var buffer = new com.sun.jna.Pointer(JCudaHandles.pointer(memory)).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, (byte) 0);
        }
        return buffer;
    }

    /** Lets kernels reach memory that all ranks map. @return its device address */
    public long register(final ByteBuffer shared, final long bytes, final String what) {
        final var memory = Pointer.to(shared);
        check(JCudaDriver.cuMemHostRegister(memory, bytes, CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE), "cuMemHostRegister of " + what);
        resources.onClose(() -> check(JCudaDriver.cuMemHostUnregister(memory), "cuMemHostUnregister of " + what));
        return deviceAddress(memory, what);
    }

    private long deviceAddress(final Pointer host, final String what) {
        final var address = new CUdeviceptr();
        check(JCudaDriver.cuMemHostGetDevicePointer(address, host, 0), "cuMemHostGetDevicePointer of " + what);
        return JCudaHandles.pointer(address);
    }

    public byte[] export(final CUdeviceptr memory) {
        final var handle = new CUipcMemHandle();
        check(JCudaDriver.cuIpcGetMemHandle(handle, memory), "cuIpcGetMemHandle");
        return JCudaHandles.bytes(handle);
    }

    /** Maps a peer's memory. @return its address in this process */
    public long open(final byte[] handle, final int peer) {
        final var memory = new CUdeviceptr();
        check(JCudaDriver.cuIpcOpenMemHandle(memory, JCudaHandles.ipcHandle(handle), IPC_LAZY_ENABLE_PEER_ACCESS), "cuIpcOpenMemHandle of rank " + peer + "'s memory");
        resources.onClose(() -> check(JCudaDriver.cuIpcCloseMemHandle(memory), "cuIpcCloseMemHandle of rank " + peer + "'s memory"));
        return JCudaHandles.pointer(memory);
    }

    /** Bytes of its memory that nobody uses at this moment. */
    public long freeBytes() {
        final var free = new long[1];
        check(JCudaDriver.cuMemGetInfo(free, new long[1]), "cuMemGetInfo");
        return free[0];
    }

    public CUevent event() {
        final var event = new CUevent();
        check(JCudaDriver.cuEventCreate(event, 0), "cuEventCreate");
        resources.onClose(() -> check(JCudaDriver.cuEventDestroy(event), "cuEventDestroy"));
        return event;
    }

    public void fill(final CUdeviceptr memory, final long offset, final byte value, final long bytes) {
        if (bytes > 0) {
            check(JCudaDriver.cuMemsetD8Async(at(memory, offset), value, bytes, stream), "cuMemsetD8Async");
        }
    }

    public void copyIn(final ByteBuffer from, final CUdeviceptr memory, final long offset) {
        check(JCudaDriver.cuMemcpyHtoDAsync(at(memory, offset), Pointer.to(from), from.capacity(), stream), "cuMemcpyHtoDAsync");
        synchronize();
    }

    public void copyOut(final CUdeviceptr memory, final long offset, final ByteBuffer to) {
        check(JCudaDriver.cuMemcpyDtoHAsync(Pointer.to(to), at(memory, offset), to.capacity(), stream), "cuMemcpyDtoHAsync");
        synchronize();
    }

    public void synchronize() {
        check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    }

    private static CUdeviceptr at(final CUdeviceptr memory, final long offset) {
        return memory.withByteOffset(offset);
    }
}
