package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;
import org.verifycycle.device.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;

/** A verify cycle of one rank: one graph of all calls, or the calls one by one, on one stream. */
final class IpcCycle implements PreparedCycle {
    /** Bytes of a NaN in every dtype. */
    private static final byte POISON = (byte) 0xFF;
    private static final long LEAST_DEADLINE_NANOS = 2_000_000_000L;
    /** Ranks make and check their payloads on the CPU, some slower than others. */
    private static final long DEADLINE_NANOS_PER_MIB = 80_000_000L;
    private static final double NANOS_PER_MILLI = 1e6;

    private final IpcCommunicator owner;
    private final RankGpu gpu;
    private final Configuration configuration;
    private final Arena arena;
    private final CUdeviceptr memory;
    private final List<KernelLaunch> launches;
    private final ByteBuffer fault;
    private final ByteBuffer staging;
    private final Backoff backoff;
    private final CUevent start;
    private final CUevent end;
    private final CUgraphExec graph;
    private final float[] elapsedMillis = new float[1];

    /** @param launches one per set of buffers */
    IpcCycle(final IpcCommunicator owner, final RankGpu gpu, final RankContext context, final Configuration configuration, final Arena arena, final CUdeviceptr memory,
             final List<KernelLaunch> launches, final ByteBuffer fault) {
        this.owner = owner;
        this.gpu = gpu;
        this.configuration = configuration;
        this.arena = arena;
        this.memory = memory;
        this.launches = launches;
        this.fault = fault;
        staging = ByteBuffer.allocateDirect(configuration.bytes()).order(ByteOrder.nativeOrder());
        backoff = new Backoff(context);
        start = gpu.event();
        end = gpu.event();
        graph = configuration.launch() == Launch.GRAPH ? capture() : null;
    }

    /** How long a kernel waits for a peer: longer for large tensors. */
    static long deadlineNanos(final Configuration configuration) {
        return LEAST_DEADLINE_NANOS + (configuration.bytes() >> 20) * DEADLINE_NANOS_PER_MIB;
    }

    private CUgraphExec capture() {
        final var captured = new CUgraph();
        gpu.check(JCudaDriver.cuStreamBeginCapture(gpu.stream(), CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
        launchAll();
        gpu.check(JCudaDriver.cuStreamEndCapture(gpu.stream(), captured), "cuStreamEndCapture");
        try {
            final var executable = new CUgraphExec();
            gpu.check(JCudaDriver.cuGraphInstantiate(executable, captured, 0), "cuGraphInstantiate of " + configuration.calls() + " calls");
            owner.resources().onClose(() -> gpu.check(JCudaDriver.cuGraphExecDestroy(executable), "cuGraphExecDestroy"));
            gpu.check(JCudaDriver.cuGraphUpload(executable, gpu.stream()), "cuGraphUpload");
            gpu.synchronize();
            return executable;
        } finally {
            gpu.check(JCudaDriver.cuGraphDestroy(captured), "cuGraphDestroy");
        }
    }

    private void launchAll() {
        for (int call = 0; call < configuration.calls(); call++) {
            final var result = launches.get(call % launches.size()).start();
            if (result != CUresult.CUDA_SUCCESS) {
                gpu.check(result, "cuLaunchKernelEx of " + owner.algorithm().id() + " (" + owner.geometry() + ")");
            }
        }
    }

    @Override
    public void run() {
        try {
            gpu.check(JCudaDriver.cuEventRecord(start, gpu.stream()), "cuEventRecord");
            if (graph == null) {
                launchAll();
            } else {
                gpu.check(JCudaDriver.cuGraphLaunch(graph, gpu.stream()), "cuGraphLaunch");
            }
            gpu.check(JCudaDriver.cuEventRecord(end, gpu.stream()), "cuEventRecord");
            await();
        } catch (final RuntimeException e) {
            owner.fail();
            throw e;
        }
    }

    /** Polls: a blocking wait would wake tens of microseconds late, and would not see that the group has ended. */
    private void await() {
        backoff.reset();
        int state = JCudaDriver.cuEventQuery(end);
        while (state == CUresult.CUDA_ERROR_NOT_READY) {
            backoff.idle();
            state = JCudaDriver.cuEventQuery(end);
        }
        gpu.check(state, "the cycle");
        if (Fault.in(fault)) {
            throw new CudaException(Fault.of(fault).text(owner.algorithm(), owner.geometry(), deadlineNanos(configuration)));
        }
    }

    /** Between two events on the stream around the cycle; resolution about 0.5 us. */
    @Override
    public OptionalLong deviceNanos() {
        gpu.check(JCudaDriver.cuEventElapsedTime(elapsedMillis, start, end), "cuEventElapsedTime");
        return OptionalLong.of(Math.round(elapsedMillis[0] * NANOS_PER_MILLI));
    }

    @Override
    public int bufferSets() {
        return arena.sets();
    }

    @Override
    public void setInput(final int set, final float[] values) {
        Tensors.write(requireLength(values), configuration.dtype(), staging);
        gpu.copyIn(staging, memory, arena.input(set));
    }

    @Override
    public void poisonOutput(final int set) {
        gpu.fill(memory, arena.output(set), POISON, configuration.bytes());
        gpu.synchronize();
    }

    @Override
    public void getOutput(final int set, final float[] values) {
        gpu.copyOut(memory, arena.output(set), staging);
        Tensors.read(staging, configuration.dtype(), requireLength(values));
    }

    private float[] requireLength(final float[] values) {
        if (values.length != configuration.elements()) {
            throw new IllegalArgumentException(values.length + " values for a tensor of " + configuration.elements() + " elements");
        }
        return values;
    }

    /** Nothing: what the cycle took, the communicator gives back, in the right order. */
    @Override
    public void close() {
        // See IpcCommunicator.close.
    }
}
