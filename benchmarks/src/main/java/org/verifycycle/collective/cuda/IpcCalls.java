package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.gpu.Calls;
import org.verifycycle.collective.gpu.RankGpu;
import org.verifycycle.device.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * The kernel launches of a cycle.
 *
 * @param launches one per set of buffers
 * @param fault    where kernels say that a wait failed
 * @param region   where this rank's kernels count their calls
 */
record IpcCalls(IpcCommunicator owner, RankGpu gpu, Configuration configuration, List<KernelLaunch> launches, ByteBuffer fault, CUdeviceptr region) implements Calls {
    private static final long LEAST_DEADLINE_NANOS = 2_000_000_000L;
    /** Ranks make and check their payloads on the CPU, some slower than others. */
    private static final long DEADLINE_NANOS_PER_MIB = 80_000_000L;

    /** How long a kernel waits for a peer: longer for large tensors. */
    static long deadlineNanos(final Configuration configuration) {
        return LEAST_DEADLINE_NANOS + (configuration.bytes() >> 20) * DEADLINE_NANOS_PER_MIB;
    }

    @Override
    public void enqueue(final int call) {
        final var result = launches.get(call % launches.size()).start();
        if (result != CUresult.CUDA_SUCCESS) {
            gpu.check(result, "cuLaunchKernelEx of " + owner.algorithm().id() + " (" + owner.geometry() + ")");
        }
    }

    @Override
    public void verify() {
        if (Fault.in(fault)) {
            throw new CudaException(Fault.of(fault).text(owner.algorithm(), owner.geometry(), deadlineNanos(configuration)));
        }
    }

    /** By the entry of block 0, which every call advances; it wraps after 2^32 - 1, more than a run makes. */
    @Override
    public Optional<Long> counted() {
        final var epoch = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        gpu.copyOut(region, Region.ENTRIES_OFFSET, epoch);
        return Optional.of(Integer.toUnsignedLong(epoch.getInt(0)));
    }

    @Override
    public void failed() {
        owner.fail();
    }
}
