package org.verifycycle.collective.nccl;

import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;
import org.verifycycle.collective.gpu.Buffers;
import org.verifycycle.collective.gpu.GpuCycle;
import org.verifycycle.collective.gpu.JCudaHandles;
import org.verifycycle.collective.gpu.RankGpu;
import org.verifycycle.collective.gpu.Resources;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import jcuda.driver.CUdeviceptr;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One rank of an NCCL communicator.
 *
 * <pre>
 *   open      context, stream; variables, then the library
 *             exchange: rank 0's id; ncclCommInitRankConfig, which waits for all ranks
 *   prepare   buffers, with symmetric=on from ncclMemAlloc and in a window
 *             one call, so that connections are made outside of the capture
 *             capture; what NCCL says it chose
 *   close     graph, window, buffers, communicator, stream, context
 * </pre>
 */
final class NcclCommunicator implements Communicator {
    private static final long PAGE_BYTES = 4096;
    /** Of device memory: what a window is made of. */
    private static final long GRANULE_BYTES = 2L << 20;

    private final NcclCollective collective;
    private final RankContext context;
    private final Configuration configuration;
    private final Resources resources = new Resources();
    private final RankGpu gpu;
    private final NativeLibrary library;
    private final SortedMap<String, String> variables;
    private final DebugOutput debug;
    private final NcclVersion version;
    private final long handle;
    private final long communicatorBytes;
    /** More ranks than GPUs, which NCCL declines. */
    private final boolean duplicate;
    private boolean prepared;
    private boolean failed;

    /**
     * Waits for all ranks.
     *
     * @param variables that were set for NCCL
     */
    NcclCommunicator(final NcclCollective collective, final RankContext context, final Configuration configuration, final NcclBox box, final SortedMap<String, String> variables,
                     final DebugOutput debug) {
        this.collective = collective;
        this.context = context;
        this.configuration = configuration;
        this.variables = variables;
        this.debug = debug;
        version = box.library().version();
        try {
            duplicate = context.world() > box.gpus().count();
            gpu = new RankGpu(box.gpus().all().get(context.rank() % box.gpus().count()), context, resources);
            library = box.library().open();
            NcclCalls.bind(library);
            final var before = gpu.freeBytes();
            handle = initialise();
            communicatorBytes = before - gpu.freeBytes();
        } catch (final RuntimeException | LinkageError e) {
            closeAfter(e);
            throw e;
        }
    }

    private void closeAfter(final Throwable cause) {
        failed = true;
        try {
            resources.close();
        } catch (final RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private long initialise() {
        final var id = new NcclCalls.UniqueId.ByValue();
        final var own = new Memory(NcclCalls.UNIQUE_ID_BYTES);
        own.clear();
        if (context.rank() == 0) {
            check(NcclCalls.ncclGetUniqueId(Pointer.nativeValue(own)), 0, "ncclGetUniqueId");
        }
        final var all = context.exchange(own.getByteArray(0, NcclCalls.UNIQUE_ID_BYTES));
        System.arraycopy(all[0], 0, id.internal, 0, NcclCalls.UNIQUE_ID_BYTES);
        final var pointer = new Memory(Long.BYTES);
        pointer.clear();
        final var config = NcclConfig.blocking();
        check(NcclCalls.ncclCommInitRankConfig(Pointer.nativeValue(pointer), context.world(), id, context.rank(), Pointer.nativeValue(config)), 0, "ncclCommInitRankConfig");
        // Only its address was passed: nothing else keeps it alive while NCCL waits for the other ranks.
        Reference.reachabilityFence(config);
        final var communicator = pointer.getLong(0);
        resources.onClose(() -> {
            if (failed) {
                // Destroying would wait for peers that may not come.
                NcclCalls.ncclCommAbort(communicator);
            } else {
                check(NcclCalls.ncclCommDestroy(communicator), 0, "ncclCommDestroy");
            }
        });
        return communicator;
    }

    @Override
    public PreparedCycle prepare() {
        try {
            return bind();
        } catch (final RuntimeException | LinkageError e) {
            failed = true;
            try {
                debug.remove();
            } catch (final RuntimeException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    private PreparedCycle bind() {
        final var atFirst = gpu.freeBytes();
        final var buffers = buffers();
        final var withBuffers = gpu.freeBytes();
        final var calls = new NcclAllReduce(this, buffers);
        calls.enqueue(0);
        gpu.synchronize();
        final var eagerLines = debug.lines().size();
        final var connected = gpu.freeBytes();
        final var graph = GpuCycle.captured(gpu, configuration, calls);
        final var memory = new DeviceMemory(Math.max(0, communicatorBytes + withBuffers - connected), Math.max(0, atFirst - withBuffers), Math.max(0, connected - gpu.freeBytes()));
        final var lines = debug.lines();
        debug.end(library);
        final var log = log(lines, eagerLines);
        agree(log.declined(collective.settings()));
        prepared = true;
        return GpuCycle.of(gpu, context, configuration, buffers, calls, graph, notes(log), Optional.of(memory));
    }

    /** Only rank 0 is told what NCCL chose, and each rank how it is connected: what one of them knows, all go by. */
    private void agree(final Optional<String> declined) {
        final var mine = declined.orElse("").getBytes(StandardCharsets.US_ASCII);
        for (final var reason : context.exchange(Arrays.copyOf(mine, Math.min(mine.length, RankContext.EXCHANGE_MAX_BYTES)))) {
            if (reason.length > 0) {
                throw new DeclinedException(new String(reason, StandardCharsets.US_ASCII));
            }
        }
    }

    /** Of the captured calls, if there are any, else of the one that was not. */
    private NcclLog log(final List<String> lines, final int eagerLines) {
        final var all = NcclLog.parse(lines, configuration.bytes());
        final var captured = NcclLog.parse(lines.subList(Math.min(eagerLines, lines.size()), lines.size()), configuration.bytes());
        return configuration.launch() == Launch.GRAPH && !captured.choices().isEmpty() ? new NcclLog(captured.choices(), all.transports(), all.variables(), all.silent(), configuration.bytes()) : all;
    }

    private Buffers buffers() {
        final var inPlace = collective.settings().inPlace();
        final var sets = inPlace ? configuration.calls() : PreparedCycle.bufferSetsFor(configuration.bytes());
        final var tensorBytes = round(configuration.bytes(), PAGE_BYTES);
        final var perSet = inPlace ? tensorBytes : 2 * tensorBytes;
        final var bytes = round(sets * perSet, GRANULE_BYTES);
        final var memory = collective.settings().symmetric() == NcclSettings.Symmetric.WINDOWS ? window(bytes) : gpu.allocate(bytes, "buffers");
        gpu.fill(memory, 0, (byte) 0, bytes);
        gpu.synchronize();
        final var inputs = IntStream.range(0, sets).mapToLong(set -> set * perSet).toArray();
        return new Buffers(memory, inputs, inPlace ? inputs : IntStream.range(0, sets).mapToLong(set -> set * perSet + tensorBytes).toArray());
    }

    /** Memory that all ranks' kernels can reach at the same offsets. */
    private CUdeviceptr window(final long bytes) {
        NcclCalls.Windows.bind(library);
        final var pointer = new Memory(Long.BYTES);
        pointer.clear();
        check(NcclCalls.Windows.ncclMemAlloc(Pointer.nativeValue(pointer), bytes), handle, "ncclMemAlloc of %,d KiB".formatted(bytes >> 10));
        final var memory = pointer.getLong(0);
        resources.onClose(() -> check(NcclCalls.Windows.ncclMemFree(memory), handle, "ncclMemFree"));
        pointer.clear();
        check(NcclCalls.Windows.ncclCommWindowRegister(handle, memory, bytes, Pointer.nativeValue(pointer), NcclCalls.Windows.COLLECTIVE_SYMMETRIC), handle, "ncclCommWindowRegister");
        final var window = pointer.getLong(0);
        if (window == 0) {
            throw new DeclinedException("NCCL declined symmetric=on: it gave no window " + gpu.where());
        }
        resources.onClose(() -> {
            if (!failed) {
                check(NcclCalls.Windows.ncclCommWindowDeregister(handle, window), handle, "ncclCommWindowDeregister");
            }
        });
        return JCudaHandles.devicePointer(memory);
    }

    private List<String> notes(final NcclLog log) {
        final var notes = new ArrayList<String>();
        notes.add("NCCL " + version + " chose: " + (!log.choices().isEmpty() ? log.chosen()
                : debug.file().isEmpty() ? "not read back, since NCCL_DEBUG is set" : "it does not say"));
        if (!log.transports().isEmpty()) {
            notes.add("connected by " + String.join(", ", log.transports()));
        }
        notes.add(variables.isEmpty() ? "no variables set: those of the user are in force" : "variables set: " + variables.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" ")));
        return notes;
    }

    RankGpu gpu() {
        return gpu;
    }

    Configuration configuration() {
        return configuration;
    }

    long handle() {
        return handle;
    }

    void fail() {
        failed = true;
    }

    /**
     * Invalid usage before anything was timed is how NCCL declines what was asked of it, if anything was.
     *
     * @param communicator for NCCL's last words, or 0
     */
    void check(final int result, final long communicator, final String tried) {
        if (result == NcclCalls.SUCCESS) {
            return;
        }
        final var said = words(result, communicator, tried);
        if (result == NcclCalls.INVALID_USAGE && !prepared && (duplicate || collective.settings().asks())) {
            throw new DeclinedException("NCCL declined " + (duplicate ? "more ranks than GPUs" : collective.spec()) + ": " + said);
        }
        throw new NcclException(said);
    }

    /** Looks for what went wrong on the device or in NCCL's own threads, of which no call tells. */
    void checkAsync() {
        final var result = new Memory(Integer.BYTES);
        result.clear();
        check(NcclCalls.ncclCommGetAsyncError(handle, Pointer.nativeValue(result)), handle, "ncclCommGetAsyncError");
        final var error = result.getInt(0);
        if (error != NcclCalls.SUCCESS && error != NcclCalls.IN_PROGRESS) {
            throw new NcclException(words(error, handle, "a cycle is stuck"));
        }
    }

    private String words(final int result, final long communicator, final String tried) {
        final var last = NcclCalls.ncclGetLastError(communicator);
        return tried + " " + gpu.where() + ": " + NcclCalls.ncclGetErrorString(result) + " (" + result + ")" + (last == null || last.isBlank() ? "" : "; NCCL says: " + last.strip());
    }

    private static long round(final long bytes, final long unit) {
        return (bytes + unit - 1) / unit * unit;
    }

    @Override
    public void close() {
        if (!resources.isEmpty()) {
            gpu.makeCurrent();
        }
        resources.close();
    }
}
