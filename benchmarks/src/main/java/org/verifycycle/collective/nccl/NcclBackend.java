package org.verifycycle.collective.nccl;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.device.GpuSharing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All-reduce by NCCL: the baseline on GPUs. */
public final class NcclBackend implements Backend {
    /** System property with the path of the library, for this process, forks and ranks. */
    public static final String LIBRARY_PROPERTY = "verifycycle.nccl";
    private static final String VERSION_FACT = "nccl";
    static final String NAME = "nccl";
    private static final String DEFAULT = NAME + "/default";
    /** No nodes in the graph that keep its calls apart from those outside, which then must not overlap it: NVIDIA's advice for latency (NVIDIA/nccl-tests #333). */
    private static final String ONE_GRAPH = "nccl-graph-mixing-support=0";

    private final Supplier<NcclBox> detector;
    private NcclBox box;

    /** Of this machine; driver and library are looked for when they are first needed, not here. */
    public NcclBackend() {
        this(NcclBox::detect);
    }

    NcclBackend(final Supplier<NcclBox> detector) {
        this.detector = detector;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> unavailable() {
        return box().problem();
    }

    @Override
    public Device device() {
        return Device.GPU;
    }

    @Override
    public int maxWorld() {
        return box().gpus().count() * box().ranksPerGpu();
    }

    @Override
    public int ranksPerDevice(final int world) {
        return GpuSharing.ranksOnGpu(world, Math.max(1, box().gpus().count()));
    }

    /** Everything that can tell on small messages. */
    @Override
    public List<CollectiveSpec> catalogue() {
        final var chosen = Stream.of("", ":inplace=on", ":p2p-level=SYS", ":p2p=off", ":proto=LL", ":proto=LL128", ":proto=Simple", ":symmetric=on", ":symmetric=nowin",
                ":ctas=8;symmetric=on", ":ctas=16;symmetric=on", ":ctas=32;symmetric=on", ":ctas=64;symmetric=on", ":ctas=16;sym-kernel=AGxLL_R;symmetric=on", ":ctas=32;sym-kernel=AGxLL_R;symmetric=on",
                        ":" + ONE_GRAPH, ":" + ONE_GRAPH + ";symmetric=on", ":ctas=32;" + ONE_GRAPH + ";symmetric=on", ":ctas=32;" + ONE_GRAPH + ";sym-kernel=AGxLL_R;symmetric=on",
                        ":ctas=32;nccl-cga-cluster-size=0;" + ONE_GRAPH + ";symmetric=on")
                .map(s -> DEFAULT + s);
        final var named = Stream.of("ring", "tree").flatMap(a -> Stream.of("", ":proto=LL", ":proto=LL128", ":proto=Simple", ":channels=1", ":channels=2", ":channels=4", ":channels=8",
                ":channels=16", ":channels=2;proto=LL", ":channels=4;proto=LL", ":channels=8;proto=LL", ":p2p=off;proto=LL").map(s -> NAME + "/" + a + s));
        return Stream.concat(chosen, named).map(CollectiveSpec::parse).toList();
    }

    /**
     * What is best somewhere for messages of tens of KiB: symmetric kernels over NVLink, with as many blocks as NCCL takes and with more, and the one-shot kernel where NCCL takes the
     * two-shot one too soon (128 KiB), graphs without what lets NCCL mix them with other calls, peer access at any distance over PCIe, where NCCL would go through host memory, the tree with many ranks, LL where NCCL takes another protocol.
     */
    @Override
    public List<CollectiveSpec> defaults() {
        return Stream.of(DEFAULT, DEFAULT + ":symmetric=on", DEFAULT + ":ctas=32;symmetric=on", DEFAULT + ":" + ONE_GRAPH,
                DEFAULT + ":ctas=32;" + ONE_GRAPH + ";symmetric=on", DEFAULT + ":ctas=32;" + ONE_GRAPH + ";sym-kernel=AGxLL_R;symmetric=on", DEFAULT + ":p2p-level=SYS", NAME + "/ring:proto=LL", NAME + "/tree:proto=LL").map(CollectiveSpec::parse).toList();
    }

    @Override
    public Collective collective(final CollectiveSpec spec) {
        if (!spec.backend().equals(NAME)) {
            throw new IllegalArgumentException("'" + spec + "' is not a collective of backend " + NAME);
        }
        return new NcclCollective(spec, NcclSettings.parse(spec), this::box);
    }

    /** As it is used without any tuning. */
    @Override
    public Optional<CollectiveSpec> baseline() {
        return Optional.of(CollectiveSpec.parse(DEFAULT));
    }

    @Override
    public Optional<CollectiveSpec> floor() {
        return Optional.empty();
    }

    @Override
    public Map<String, String> facts() {
        return box().problem().isPresent() ? Map.of() : Map.of(VERSION_FACT, box().library().version().toString(), "ncclFoundBy", box().library().where());
    }

    @Override
    public List<String> bindingFacts() {
        return List.of(VERSION_FACT);
    }

    @Override
    public List<String> jvmOptions() {
        return box().library().jvmOptions();
    }

    private NcclBox box() {
        if (box == null) {
            box = detector.get();
        }
        return box;
    }
}
