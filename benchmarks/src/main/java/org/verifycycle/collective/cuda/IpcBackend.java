package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.GpuSharing;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All-reduce between GPUs of one host by kernels of our own over CUDA IPC. */
public final class IpcBackend implements Backend {
    static final String NAME = "ipc";

    private final Supplier<GpuBox> detector;
    private GpuBox box;

    /** Of this machine; the driver is asked when it is first needed, not here. */
    public IpcBackend() {
        this(GpuBox::detect);
    }

    IpcBackend(final Supplier<GpuBox> detector) {
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

    @Override
    public List<CollectiveSpec> catalogue() {
        return Arrays.stream(IpcAlgorithm.values()).flatMap(a -> Stream.of(spec(a, false), spec(a, true))).toList();
    }

    /** The baseline, and everything else as it is fastest: with dependent launch where the GPUs have it. */
    @Override
    public List<CollectiveSpec> defaults() {
        final var pdl = dependentLaunch();
        final var fast = Stream.of(IpcAlgorithm.ONE_SHOT_PULL, IpcAlgorithm.ONE_SHOT_LL, IpcAlgorithm.ONE_SHOT_SENTINEL, IpcAlgorithm.TWO_SHOT_PULL, IpcAlgorithm.TWO_SHOT_LL,
                IpcAlgorithm.TWO_SHOT_SENTINEL, IpcAlgorithm.HOST_SENTINEL).map(a -> spec(a, pdl));
        return Stream.concat(Stream.of(spec(IpcAlgorithm.ONE_SHOT_PULL, false)), fast).distinct().toList();
    }

    @Override
    public Collective collective(final CollectiveSpec spec) {
        if (!spec.backend().equals(NAME)) {
            throw new IllegalArgumentException("'" + spec + "' is not a collective of backend " + NAME);
        }
        return new IpcCollective(spec, IpcAlgorithm.parse(spec.algorithm()), IpcSettings.parse(spec), this::box);
    }

    @Override
    public Optional<CollectiveSpec> baseline() {
        return Optional.of(spec(IpcAlgorithm.ONE_SHOT_PULL, false));
    }

    /** With dependent launch where the GPUs have it: without, it is slower than whole all-reduces with it, and no floor. */
    @Override
    public Optional<CollectiveSpec> floor() {
        return Optional.of(spec(IpcAlgorithm.FLAG_EXCHANGE, dependentLaunch()));
    }

    private boolean dependentLaunch() {
        return box().gpus().all().stream().allMatch(Gpu::hasDependentLaunch);
    }

    private GpuBox box() {
        if (box == null) {
            box = detector.get();
        }
        return box;
    }

    private static CollectiveSpec spec(final IpcAlgorithm algorithm, final boolean pdl) {
        return new CollectiveSpec(NAME, algorithm.id(), new TreeMap<>(pdl ? Map.of(IpcSettings.PDL, IpcSettings.ON) : Map.of()));
    }
}
