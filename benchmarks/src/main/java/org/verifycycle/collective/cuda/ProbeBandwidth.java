package org.verifycycle.collective.cuda;

import org.verifycycle.device.Fabric.Pair;
import org.verifycycle.device.Gpus;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bandwidths by kernels, in GB/s; timed on the GPU from the first block's start to the last block's end. How much is moved follows
 * from a first, short try, so that a slow link takes no longer than a fast one and a fast one is not over before the clock has stepped.
 */
final class ProbeBandwidth {
    static final String STORE = "vc_probe_store";
    static final String LOAD = "vc_probe_load";
    static final int HOST_BYTES = 4 << 20;
    private static final long TRY_BYTES = 2L << 20;
    private static final double WANTED_NANOS = 500_000;
    /** Blocks see the gate open within some 50 us of each other (each polls host memory): long enough that this does not count. */
    private static final double WANTED_NANOS_TOGETHER = 2_000_000;
    private static final int REPEATS = 2;
    private static final int PACK_BYTES = 16;
    private static final Geometry GRID = new Geometry(ProbeParameters.MAX_BLOCKS, Geometry.MAX_THREADS);

    private final ByteBuffer gate;
    private final long dataBytes;

    /** @param gate a word in host memory that all GPUs reach @param dataBytes of every GPU's probe memory */
    ProbeBandwidth(final ByteBuffer gate, final long dataBytes) {
        this.gate = gate;
        this.dataBytes = dataBytes;
    }

    double alone(final String kernel, final ProbeGpu from, final ProbeGpu to) {
        return alone(kernel, from, to.address(), dataBytes);
    }

    double withHost(final String kernel, final ProbeGpu gpu, final ByteBuffer host) {
        return alone(kernel, gpu, ProbeGpu.addressOf(host), HOST_BYTES);
    }

    /** @return the better of two, 0 if nothing ended */
    private static double alone(final String kernel, final ProbeGpu gpu, final long memory, final long most) {
        final var first = once(kernel, gpu, memory, Math.min(TRY_BYTES, most));
        double best = 0;
        for (int i = 0; i < REPEATS; i++) {
            best = Math.max(best, once(kernel, gpu, memory, wanted(first, most)));
        }
        return best;
    }

    private static double once(final String kernel, final ProbeGpu gpu, final long memory, final long bytes) {
        gpu.result().clear();
        gpu.launch(kernel, GRID, parameters(gpu, 0, bytes, 1, List.of(memory)));
        gpu.await(FabricProbe.PATIENCE_NANOS);
        final var nanos = gpu.result().nanos(0, 1, GRID.blocks());
        return nanos == 0 ? 0 : (double) bytes / nanos;
    }

    /**
     * All GPUs to all their peers at once: every kernel waits at the gate until all are launched.
     *
     * @param alone what each pair did alone, for the size
     */
    Map<Gpus.Pair, Double> together(final String kernel, final Map<ProbeGpu, List<ProbeGpu>> peers, final Map<Gpus.Pair, Pair> alone) {
        // Each has a part of its own in every peer's memory.
        final var share = dataBytes / peers.size() / PACK_BYTES * PACK_BYTES;
        final var order = List.copyOf(peers.keySet());
        final var passes = new LinkedHashMap<ProbeGpu, Integer>();
        peers.forEach((from, to) -> passes.put(from, passes(to.stream().map(t -> alone.get(new Gpus.Pair(from.index(), t.index())))
                .mapToDouble(kernel.equals(STORE) ? Pair::storeGBps : Pair::loadGBps).min().orElse(0) / to.size(), share)));
        gate.putInt(0, 0);
        order.forEach(from -> {
            from.result().clear();
            from.launch(kernel, GRID, parameters(from, ProbeGpu.addressOf(gate), share, passes.get(from), peers.get(from).stream().map(to -> to.address() + order.indexOf(from) * share).toList()));
        });
        gate.putInt(0, 1);
        final var measured = new LinkedHashMap<Gpus.Pair, Double>();
        for (final var from : order) {
            from.await(FabricProbe.PATIENCE_NANOS);
            final var to = peers.get(from);
            for (int p = 0; p < to.size(); p++) {
                final var nanos = from.result().ok() ? from.result().nanos(p, to.size(), GRID.blocks()) : 0;
                measured.put(new Gpus.Pair(from.index(), to.get(p).index()), nanos == 0 ? 0.0 : (double) share * passes.get(from) / nanos);
            }
        }
        return measured;
    }

    private static ProbeParameters parameters(final ProbeGpu gpu, final long gate, final long bytes, final int passes, final List<Long> peers) {
        return new ProbeParameters(gpu.address(), gpu.resultAddress(), gate, bytes, passes, PACK_BYTES, false, peers);
    }

    /** How often to go through so many bytes at this speed. */
    private static int passes(final double gigabytesPerSecond, final long bytes) {
        return (int) Math.max(1, Math.ceil(gigabytesPerSecond * WANTED_NANOS_TOGETHER / bytes));
    }

    private static long wanted(final double gigabytesPerSecond, final long most) {
        return Math.max(PACK_BYTES, Math.min(most, Math.max(TRY_BYTES, (long) (gigabytesPerSecond * WANTED_NANOS)))) / PACK_BYTES * PACK_BYTES;
    }
}
