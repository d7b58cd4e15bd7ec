package org.verifycycle.collective.gpu;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
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
import java.util.stream.Stream;

/** A verify cycle of one rank: one graph of all calls, or the calls one by one, with or without a barrier between them, on one stream. */
public final class GpuCycle implements PreparedCycle {
    /** Bytes of a NaN in every dtype. */
    private static final byte POISON = (byte) 0xFF;
    private static final double NANOS_PER_MILLI = 1e6;
    /** Polls of one wait, nearly a second of them: {@link Backoff} parks 50 us each after the first 50,000. */
    private static final int STUCK_POLLS = 1 << 16;

    private final RankGpu gpu;
    private final RankContext context;
    private final Configuration configuration;
    private final Buffers buffers;
    private final Calls calls;
    private final List<String> notes;
    private final ByteBuffer staging;
    private final Backoff backoff;
    private final CUevent start;
    private final CUevent end;
    /** Around every call where they are barriered, else one pair around all of them. */
    private final List<CUevent> starts;
    private final List<CUevent> ends;
    private final CUgraphExec graph;
    private final Optional<DeviceMemory> memory;
    /** Where a rank is to be made late. */
    private final Optional<DeviceSpin> spin;
    private final float[] elapsedMillis = new float[1];
    private long started;

    private GpuCycle(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls, final CUgraphExec graph,
                     final List<String> notes, final Optional<DeviceMemory> memory) {
        this.gpu = gpu;
        this.context = context;
        this.configuration = configuration;
        this.buffers = buffers;
        this.calls = calls;
        this.graph = graph;
        this.notes = List.copyOf(notes);
        this.memory = memory;
        staging = ByteBuffer.allocateDirect(configuration.bytes()).order(ByteOrder.nativeOrder());
        backoff = new Backoff(context);
        start = gpu.event();
        end = gpu.event();
        final var more = configuration.launch() == Launch.BARRIERED ? configuration.calls() - 1 : 0;
        starts = Stream.concat(Stream.of(start), Stream.generate(gpu::event).limit(more)).toList();
        ends = Stream.concat(Stream.generate(gpu::event).limit(more), Stream.of(end)).toList();
        spin = configuration.skewNanos() == Skew.NONE ? Optional.empty() : Optional.of(new DeviceSpin(gpu, configuration));
    }

    /** A cycle whose calls are started one by one, or captured first, as the configuration says. */
    public static GpuCycle of(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls) {
        return of(gpu, context, configuration, buffers, calls, captured(gpu, configuration, calls), List.of(), Optional.empty());
    }

    /** @param graph of {@link #captured} @param notes see {@link PreparedCycle#notes} @param memory see {@link PreparedCycle#memory} */
    public static GpuCycle of(final RankGpu gpu, final RankContext context, final Configuration configuration, final Buffers buffers, final Calls calls, final CUgraphExec graph,
                              final List<String> notes, final Optional<DeviceMemory> memory) {
        return new GpuCycle(gpu, context, configuration, buffers, calls, graph, notes, memory);
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
        started += configuration.calls();
        try {
            if (configuration.launch() == Launch.BARRIERED) {
                oneByOne();
            } else {
                allTogether();
            }
        } catch (final RuntimeException e) {
            calls.failed();
            throw e;
        }
    }

    private void allTogether() {
        record(start);
        if (graph == null) {
            enqueueAll(configuration, calls);
        } else {
            gpu.check(JCudaDriver.cuGraphLaunch(graph, gpu.stream()), "cuGraphLaunch");
        }
        record(end);
        await(end);
    }

    /** All ranks come to a cycle together: the first call needs no barrier. */
    private void oneByOne() {
        for (int call = 0; call < configuration.calls(); call++) {
            if (call > 0) {
                context.barrier();
            }
            record(starts.get(call));
            calls.enqueue(call);
            record(ends.get(call));
            await(ends.get(call));
        }
    }

    private void record(final CUevent event) {
        gpu.check(JCudaDriver.cuEventRecord(event, gpu.stream()), "cuEventRecord");
    }

    /** Polls: a blocking wait would wake tens of microseconds late, and would not see that the group has ended. */
    private void await(final CUevent event) {
        backoff.reset();
        int polls = 0;
        int state = JCudaDriver.cuEventQuery(event);
        while (state == CUresult.CUDA_ERROR_NOT_READY) {
            backoff.idle();
            if (++polls % STUCK_POLLS == 0) {
                calls.stuck();
            }
            state = JCudaDriver.cuEventQuery(event);
        }
        gpu.check(state, "the cycle");
        calls.verify();
    }

    /** Between two events on the stream around the cycle, where calls are barriered around each of them, summed; resolution about 0.5 us each. */
    @Override
    public OptionalLong deviceNanos() {
        double millis = 0;
        for (int i = 0; i < starts.size(); i++) {
            gpu.check(JCudaDriver.cuEventElapsedTime(elapsedMillis, starts.get(i), ends.get(i)), "cuEventElapsedTime");
            millis += elapsedMillis[0];
        }
        return OptionalLong.of(Math.round(millis * NANOS_PER_MILLI));
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
    public Optional<DeviceMemory> memory() {
        return memory;
    }

    @Override
    public int bufferSets() {
        return buffers.sets();
    }

    @Override
    public boolean inPlace() {
        return buffers.inPlace(0);
    }

    @Override
    public Optional<String> lost() {
        return calls.counted().filter(counted -> counted != started).map(counted -> "the device has counted %,d calls of %,d".formatted(counted, started));
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
