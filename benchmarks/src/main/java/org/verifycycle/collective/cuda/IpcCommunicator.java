package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;
import org.verifycycle.collective.gpu.GpuCycle;
import org.verifycycle.collective.gpu.JCudaHandles;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.collective.gpu.RankGpu;
import org.verifycycle.collective.gpu.Resources;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One rank of an opened collective.
 *
 * <pre>
 *   open      context, stream, kernels, grid
 *   prepare   own memory, in the state abi.h asks for
 *             exchange 1: grid and IPC handle         all regions are ready
 *             map the peers' memory
 *             exchange 2                              nobody launches before all have mapped
 *   close     graph, events, peers' mappings
 *             exchange 3                              nobody frees what a peer has mapped
 *             own memory, kernels, stream, context
 * </pre>
 */
final class IpcCommunicator implements Communicator {
    private static final byte[] NOTHING = {};

    private final IpcCollective collective;
    private final RankContext context;
    private final Configuration configuration;
    private final Resources resources;
    private final RankGpu gpu;
    private final CUfunction kernel;
    private final Geometry geometry;
    private final boolean shared;
    /** After a failure the others may not come to the exchange any more. */
    private boolean failed;

    static IpcCommunicator open(final IpcCollective collective, final RankContext context, final Configuration configuration, final Gpus gpus) {
        final var resources = new Resources();
        try {
            return new IpcCommunicator(collective, context, configuration, gpus, resources);
        } catch (final RuntimeException | LinkageError e) {
            closeAfter(e, resources);
            throw e;
        }
    }

    private IpcCommunicator(final IpcCollective collective, final RankContext context, final Configuration configuration, final Gpus gpus, final Resources resources) {
        this.collective = collective;
        this.context = context;
        this.configuration = configuration;
        this.resources = resources;
        gpu = new RankGpu(gpus.all().get(context.rank() % gpus.count()), context, resources);
        final var ranksOnGpu = GpuSharing.ranksOnGpu(context.world(), gpus.count());
        shared = ranksOnGpu > 1;
        kernel = Kernels.function(Kernels.load(resources, gpu.where()), collective.algorithm().kernel(configuration.dtype(), context.world()), gpu.where());
        final Geometry.Residency residency = threads -> gpu.gpu().multiprocessors() * Kernels.blocksPerMultiprocessor(kernel, threads, gpu.where());
        geometry = collective.geometry(configuration, ranksOnGpu, residency);
        Requirements.notResident(collective.algorithm(), collective.settings(), geometry, ranksOnGpu, residency.blocks(geometry.threads())).ifPresent(reason -> {
            throw new IllegalArgumentException(configuration + ": " + reason);
        });
    }

    @Override
    public PreparedCycle prepare() {
        try {
            return bind();
        } catch (final RuntimeException | LinkageError e) {
            failed = true;
            throw e;
        }
    }

    private PreparedCycle bind() {
        final var algorithm = collective.algorithm();
        final var arena = Arena.of(algorithm, configuration);
        final var memory = gpu.allocate(arena.bytes(), "buffers and receive slots");
        final var fault = gpu.allocateHost(Fault.BYTES, "the fault record");
        final var boardBytes = collective.sharedBytes(configuration);
        final var board = boardBytes == 0 ? 0 : gpu.register(context.shared(), boardBytes, "the board in shared host memory");
        initialise(memory, arena);
        if (context.rank() == 0) {
            fillBoard(boardBytes);
        }
        final var bases = algorithm.needsPeerAccess() ? mapPeers(memory) : onlyOwn(memory);
        context.exchange(NOTHING);
        final var launches = IntStream.range(0, arena.sets()).mapToObj(set -> new KernelLaunch(JCudaHandles.pointer(kernel), JCudaHandles.pointer(gpu.stream()), geometry,
                collective.settings().pdl(), parameters(set, arena, bases, board, fault).bytes())).toList();
        final var calls = new IpcCalls(this, gpu, configuration, launches, fault, memory);
        final var before = gpu.freeBytes();
        final var graph = GpuCycle.captured(gpu, configuration, calls);
        // Ranks that share a GPU take memory of it at the same time: what is free then says nothing of one of them.
        final var taken = shared ? Optional.<DeviceMemory>empty()
                : Optional.of(new DeviceMemory(arena.regionBytes(), arena.bytes() - arena.regionBytes(), Math.max(0, before - gpu.freeBytes())));
        return GpuCycle.of(gpu, context, configuration, arena.buffers(memory), calls, graph, List.of(), taken);
    }

    /** As abi.h asks for before the first call: everything zero, but the slots of sentinel algorithms. */
    private void initialise(final CUdeviceptr memory, final Arena arena) {
        gpu.fill(memory, 0, (byte) 0, arena.bytes());
        gpu.fill(memory, Region.SLOTS_OFFSET, Region.slotFill(collective.algorithm()), arena.regionBytes() - Region.SLOTS_OFFSET);
        gpu.synchronize();
    }

    /** For all ranks; none of them launches before the exchanges that follow. */
    private void fillBoard(final long bytes) {
        final var fill = Region.slotFill(collective.algorithm());
        final var board = context.shared();
        for (int i = 0; i < bytes; i++) {
            board.put(i, fill);
        }
    }

    /** @return the address of every rank's memory in this process */
    private long[] mapPeers(final CUdeviceptr memory) {
        final var all = exchange(gpu.export(memory));
        resources.onClose(() -> {
            if (!failed) {
                context.exchange(NOTHING);
            }
        });
        final var bases = new long[context.world()];
        for (int r = 0; r < bases.length; r++) {
            bases[r] = r == context.rank() ? JCudaHandles.pointer(memory) : gpu.open(all.get(r), r);
        }
        return bases;
    }

    private long[] onlyOwn(final CUdeviceptr memory) {
        exchange(new byte[JCudaHandles.IPC_HANDLE_BYTES]);
        final var bases = new long[context.world()];
        Arrays.fill(bases, JCudaHandles.pointer(memory));
        return bases;
    }

    /** All ranks' handles, once it is sure that all launch the same grid: with different ones they would wait for ever. */
    private List<byte[]> exchange(final byte[] handle) {
        final var mine = ByteBuffer.allocate(2 * Integer.BYTES + handle.length).putInt(geometry.blocks()).putInt(geometry.threads()).put(handle).array();
        final var all = context.exchange(mine);
        for (int r = 0; r < all.length; r++) {
            final var theirs = ByteBuffer.wrap(all[r]);
            final var grid = new Geometry(theirs.getInt(), theirs.getInt());
            if (!grid.equals(geometry)) {
                throw new IllegalStateException("rank " + r + " would launch " + grid + ", rank " + context.rank() + " " + geometry
                        + ": their GPUs differ; set blocks and threads");
            }
        }
        return Arrays.stream(all).map(bytes -> Arrays.copyOfRange(bytes, 2 * Integer.BYTES, bytes.length)).toList();
    }

    private KernelParameters parameters(final int set, final Arena arena, final long[] bases, final long board, final ByteBuffer fault) {
        final var own = bases[context.rank()];
        final var regions = board == 0 ? bases : Arrays.stream(bases).map(b -> board).toArray();
        final var inputs = Arrays.stream(bases).map(b -> b + arena.input(set)).toArray();
        return new KernelParameters(own + arena.input(set), own + arena.output(set), own, com.sun.jna.Pointer.nativeValue(com.sun.jna.Native.getDirectBufferPointer(fault)),
                IpcCalls.deadlineNanos(configuration), context.rank(), Requirements.packs(configuration), geometry.blocks(), regions, inputs);
    }

    IpcAlgorithm algorithm() {
        return collective.algorithm();
    }

    Geometry geometry() {
        return geometry;
    }

    /** Tells that this rank can't go on: closing then waits for nobody. */
    void fail() {
        failed = true;
    }

    @Override
    public void close() {
        if (!resources.isEmpty()) {
            gpu.makeCurrent();
        }
        resources.close();
    }

    private static void closeAfter(final Throwable cause, final Resources resources) {
        try {
            resources.close();
        } catch (final RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
