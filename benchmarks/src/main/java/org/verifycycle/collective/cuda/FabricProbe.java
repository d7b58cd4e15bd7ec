package org.verifycycle.collective.cuda;

import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.collective.gpu.Resources;
import org.verifycycle.device.CudaException;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.Fabric.Pair;
import org.verifycycle.device.FabricFindings;
import org.verifycycle.device.Gpus;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Measures the links between all GPUs and tests what comes over them, by the stores and loads of {@code probe.cuh}.
 *
 * <p>One process holds a context on every GPU and enables peer access among them: no handles to exchange, no barrier between
 * processes, and the links don't know whose page tables a store went through. What differs from the all-reduce kernels is the
 * mapping (peer access here, IPC there), not the way.
 */
public final class FabricProbe {
    static final long PATIENCE_NANOS = 5_000_000_000L;
    private static final long DATA_BYTES = 32L << 20;
    private static final int FLAG_ROUNDS = 1000;

    private final Gpus gpus;
    private final List<ProbeGpu> sides;
    private final Map<Gpus.Pair, Pair> pairs = new LinkedHashMap<>();
    private final List<Fabric.Host> hosts = new ArrayList<>();

    private FabricProbe(final Gpus gpus, final List<ProbeGpu> sides) {
        this.gpus = gpus;
        this.sides = sides;
    }

    /** Never throws for what a GPU does: that is a problem or a finding. The contexts it needs are gone when it returns. */
    public static Fabric run(final Gpus gpus) {
        final var cannot = gpus.problem().or(Kernels::missing);
        if (cannot.isPresent()) {
            return Fabric.none(cannot.get());
        }
        final var since = System.nanoTime();
        final var sides = new ArrayList<ProbeGpu>();
        final var probe = new FabricProbe(gpus, sides);
        Optional<String> problem = gpus.count() == 1 ? Optional.of("one GPU: there is no link between GPUs to probe") : Optional.empty();
        try (var resources = new Resources()) {
            gpus.all().forEach(gpu -> sides.add(new ProbeGpu(gpu, DATA_BYTES, resources)));
            probe.measure();
        } catch (final CudaException e) {
            problem = Optional.of(e.getMessage());
        }
        final var all = List.copyOf(probe.pairs.values());
        return new Fabric(problem, (System.nanoTime() - since) / 1_000_000, all, probe.hosts, FabricFindings.of(all));
    }

    private void measure() {
        final var bandwidth = new ProbeBandwidth(sides.get(0).hostMemory(Integer.BYTES, "the gate"), DATA_BYTES);
        final ByteBuffer host = sides.get(0).hostMemory(ProbeParameters.DATA_OFFSET + ProbeBandwidth.HOST_BYTES, "the probe of host memory");
        sides.forEach(s -> hosts.add(new Fabric.Host(s.index(), bandwidth.withHost(ProbeBandwidth.STORE, s, host), bandwidth.withHost(ProbeBandwidth.LOAD, s, host))));
        connect();
        final var integrity = new ProbeIntegrity();
        for (final var from : sides) {
            for (final var to : sides) {
                if (from != to) {
                    final var pair = new Gpus.Pair(from.index(), to.index());
                    pairs.put(pair, gpus.reachEachOther(from.index(), to.index()) ? pair(from, to, bandwidth, integrity)
                            : Pair.unmeasured(from.index(), to.index(), "the driver reports no peer access"));
                }
            }
        }
        together(bandwidth);
    }

    private void connect() {
        sides.forEach(from -> sides.stream().filter(to -> to != from && gpus.reachEachOther(from.index(), to.index())).forEach(from::reach));
    }

    private Pair pair(final ProbeGpu from, final ProbeGpu to, final ProbeBandwidth bandwidth, final ProbeIntegrity integrity) {
        final var back = pairs.get(new Gpus.Pair(to.index(), from.index()));
        final var flagNanos = back != null && back.problem().isEmpty() ? back.flagNanos() : flagNanos(from, to);
        if (flagNanos == 0) {
            return Pair.unmeasured(from.index(), to.index(), FabricFindings.NO_ANSWER + ": flags did not come");
        }
        final var checked = integrity.of(from, to);
        return new Pair(from.index(), to.index(), checked.problem(), flagNanos, bandwidth.alone(ProbeBandwidth.STORE, from, to), bandwidth.alone(ProbeBandwidth.LOAD, from, to), 0, 0,
                checked.wrong4(), checked.wrong8(), checked.wrong16(), checked.wrongReplayed(), checked.torn8(), checked.torn16());
    }

    /** One way. @return 0 if a flag did not come */
    private static double flagNanos(final ProbeGpu from, final ProbeGpu to) {
        from.clear(0);
        to.clear(0);
        final var geometry = new Geometry(1, Geometry.MIN_THREADS);
        to.launch("vc_probe_flag", geometry, flag(to, from, false));
        from.launch("vc_probe_flag", geometry, flag(from, to, true));
        from.await(PATIENCE_NANOS);
        to.await(PATIENCE_NANOS);
        return from.result().ok() && to.result().ok() ? from.result().nanos() / (2.0 * FLAG_ROUNDS) : 0;
    }

    private static ProbeParameters flag(final ProbeGpu own, final ProbeGpu peer, final boolean begins) {
        return new ProbeParameters(own.address(), own.resultAddress(), 0, 0, FLAG_ROUNDS, Integer.BYTES, begins, List.of(peer.address()));
    }

    private void together(final ProbeBandwidth bandwidth) {
        final var peers = sides.stream().collect(Collectors.toMap(s -> s, this::answering, (a, b) -> a, LinkedHashMap::new));
        peers.values().removeIf(List::isEmpty);
        if (peers.isEmpty()) {
            return;
        }
        final var stores = bandwidth.together(ProbeBandwidth.STORE, peers, pairs);
        final var loads = bandwidth.together(ProbeBandwidth.LOAD, peers, pairs);
        pairs.replaceAll((key, p) -> new Pair(p.from(), p.to(), p.problem(), p.flagNanos(), p.storeGBps(), p.loadGBps(), stores.getOrDefault(key, 0.0), loads.getOrDefault(key, 0.0),
                p.wrong4(), p.wrong8(), p.wrong16(), p.wrongReplayed(), p.torn8(), p.torn16()));
    }

    /** Those it is worth sending to. */
    private List<ProbeGpu> answering(final ProbeGpu from) {
        return sides.stream().filter(to -> to != from).filter(to -> pairs.get(new Gpus.Pair(from.index(), to.index())).problem().isEmpty()).limit(ProbeParameters.MAX_PEERS).toList();
    }
}
