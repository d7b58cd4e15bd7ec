package org.verifycycle.collective.gpu;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;
import org.verifycycle.collective.Skew;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A verify cycle of one rank: one graph of all calls, or the calls one by one, on one stream. */
public final class GpuCycle implements PreparedCycle {
    /** Bytes of a NaN in every dtype. */
    private static final byte POISON = (byte) 0xFF;
    private static final double NANOS_PER_MILLI = 1e6;

    private final RankGpu gpu;
    private final Configuration configuration;
    private final Buffers buffers;
    private final Calls calls;
    private final List<String> notes;
    private final ByteBuffer staging;
    private final Backoff backoff;
    private final CUevent start;
    private final CUevent end;
    private final CUgraphExec graph;
    /** Where a rank is to be made late. */
    private final Optional<DeviceSpin> spin;
    private final float[] elapsedMillis = new float[1];

    private GpuCycle(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls, final CUgraphExec graph,
                     final List<String> notes) {
        this.gpu = gpu;
        this.configuration = configuration;
        this.buffers = buffers;
        this.calls = calls;
        this.graph = graph;
        this.notes = List.copyOf(notes);
        staging = ByteBuffer.allocateDirect(configuration.bytes()).order(ByteOrder.nativeOrder());
        backoff = new Backoff(context);
        start = gpu.event();
        end = gpu.event();
        spin = configuration.skewNanos() == Skew.NONE ? Optional.empty() : Optional.of(new DeviceSpin(gpu, configuration));
    }

    /** A cycle whose calls are started one by one, or captured first, as the configuration says. */
    public static GpuCycle of(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls) {
        return of(gpu, context, configuration, buffers, calls, captured(gpu, configuration, calls), List.of());
    }

    /** @param graph of {@link #captured} @param notes see {@link PreparedCycle#notes} */
    public static GpuCycle of(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls, final CUgraphExec graph,
                              final List<String> notes) {
        return new GpuCycle(gpu, context, configuration, buffers, calls, graph, notes);
    }

    /** The graph of all calls, on the GPU and ready to start; null where they are to be started one by one. */
    public static CUgraphExec captured(final RankGpu gpu, final Configuration configuration, final Calls calls) {
        if (configuration.launch() != Launch.GRAPH) {
            return null;
        }
        final var captured = new CUgraph();
        gpu.check(JCudaDriver.cuStreamBeginCapture(gpu.stream(), CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
        enqueueAll(configuration, calls);
        gpu.check(JCudaDriver.cuStreamEndCapture(gpu.stream(), captured), "cuStreamEndCapture");
        try {
            final var executable = new CUgraphExec();
            gpu.check(JCudaDriver.cuGraphInstantiate(executable, captured, 0), "cuGraphInstantiate of " + configuration.calls() + " calls");
            gpu.resources().onClose(() -> gpu.check(JCudaDriver.cuGraphExecDestroy(executable), "cuGraphExecDestroy"));
            gpu.check(JCudaDriver.cuGraphUpload(executable, gpu.stream()), "cuGraphUpload");
            gpu.synchronize();
            return executable;
        } finally {
            gpu.check(JCudaDriver.cuGraphDestroy(captured), "cuGraphDestroy");
        }
    }

    private static void enqueueAll(final Configuration configuration, final Calls calls) {
        for (int call = 0; call < configuration.calls(); call++) {
            calls.enqueue(call);
        }
    }

    @Override
    public void run() {
        try {
            gpu.check(JCudaDriver.cuEventRecord(start, gpu.stream()), "cuEventRecord");
            if (graph == null) {
                enqueueAll(configuration, calls);
            } else {
                gpu.check(JCudaDriver.cuGraphLaunch(graph, gpu.stream()), "cuGraphLaunch");
            }
            gpu.check(JCudaDriver.cuEventRecord(end, gpu.stream()), "cuEventRecord");
            await();
        } catch (final RuntimeException e) {
            calls.failed();
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
        calls.verify();
    }

    /** Between two events on the stream around the cycle; resolution about 0.5 us. */
    @Override
    public OptionalLong deviceNanos() {
        gpu.check(JCudaDriver.cuEventElapsedTime(elapsedMillis, start, end), "cuEventElapsedTime");
        return OptionalLong.of(Math.round(elapsedMillis[0] * NANOS_PER_MILLI));
    }

    @Override
    public void delay(final int nanos) {
        requiredSpin().start();
    }

    @Override
    public long delayedNanos() {
        return requiredSpin().nanosUntil(start);
    }

    private DeviceSpin requiredSpin() {
        return spin.orElseThrow(() -> new IllegalStateException(configuration + " was prepared without a late rank"));
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public int bufferSets() {
        return buffers.sets();
    }

    @Override
    public void setInput(final int set, final float[] values) {
        Tensors.write(requireLength(values), configuration.dtype(), staging);
        gpu.copyIn(staging, buffers.memory(), buffers.inputs()[set]);
    }

    /** In place the output is the input, which is no sum and must stay. */
    @Override
    public void poisonOutput(final int set) {
        if (!buffers.inPlace(set)) {
            gpu.fill(buffers.memory(), buffers.outputs()[set], POISON, configuration.bytes());
            gpu.synchronize();
        }
    }

    @Override
    public void getOutput(final int set, final float[] values) {
        gpu.copyOut(buffers.memory(), buffers.outputs()[set], staging);
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
        // See RankGpu.resources.
    }
}
