package org.verifycycle.device;

import com.sun.jna.Pointer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How the GPUs of this machine are connected, as NVML says.
 *
 * @param problem why it is not known, for a person
 * @param gpus    in the order of CUDA; empty where it is not known
 * @param links   of every ordered pair of different GPUs
 */
public record Topology(Optional<String> problem, List<GpuState> gpus, Map<Gpus.Pair, Link> links) {
    private static final int MAX_NVLINKS = 18;
    /** Of nvmlGpuP2PCapsIndex_t: what both engines ask to find out about full NVLink. */
    private static final int P2P_NVLINK = 2;
    private static final int CLOCK_SM = 1;
    private static final int TEMPERATURE_GPU = 0;
    private static final int EXCLUSIVE_PROCESS = 3;

    public Topology {
        gpus = List.copyOf(gpus);
        links = Map.copyOf(links);
    }

    /** Between two GPUs: NVLink, else the way over PCIe (nvmlGpuTopologyLevel_t), named as nvidia-smi topo -m abbreviates it. */
    public enum Link {
        NVLINK("NVLink"),
        SAME_BOARD("PCIe, one board"),
        PIX("PCIe, one switch"),
        PXB("PCIe, several switches"),
        PHB("PCIe, one host bridge"),
        NODE("PCIe, one NUMA node"),
        SYS("PCIe, between NUMA nodes"),
        UNKNOWN("unknown");

        private final String text;

        Link(final String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        static Link ofLevel(final int level) {
            return switch (level) {
                case 0 -> SAME_BOARD;
                case 10 -> PIX;
                case 20 -> PXB;
                case 30 -> PHB;
                case 40 -> NODE;
                case 50 -> SYS;
                default -> UNKNOWN;
            };
        }
    }

    /** Asks NVML about GPUs that CUDA has found. */
    public static Topology detect(final Gpus gpus) {
        if (gpus.problem().isPresent()) {
            return unknown(gpus.problem().get());
        }
        final var opened = Nvml.open();
        if (opened.isEmpty()) {
            return unknown("NVML (libnvidia-ml.so.1) can't be used here: links, clocks and throttling are unknown");
        }
        try (var nvml = opened.get()) {
            final var states = new ArrayList<GpuState>();
            final var links = new LinkedHashMap<Gpus.Pair, Link>();
            for (final var gpu : gpus.all()) {
                states.add(state(nvml, gpu));
                gpus.all().stream().filter(other -> other.index() != gpu.index()).forEach(other -> links.put(new Gpus.Pair(gpu.index(), other.index()), link(nvml, gpu, other)));
            }
            return new Topology(Optional.empty(), states, links);
        }
    }

    public static Topology unknown(final String why) {
        return new Topology(Optional.of(why), List.of(), Map.of());
    }

    public Link link(final int from, final int to) {
        return links.getOrDefault(new Gpus.Pair(from, to), Link.UNKNOWN);
    }

    /** Whether the first {@code world} GPUs have NVLink between every pair; empty where it is not known. */
    public Optional<Boolean> fullNvlink(final int world) {
        if (problem.isPresent() || gpus.size() < world) {
            return Optional.empty();
        }
        final var pairs = IntStream.range(0, world).boxed().flatMap(i -> IntStream.range(i + 1, world).mapToObj(j -> link(i, j))).toList();
        return pairs.contains(Link.UNKNOWN) ? Optional.empty() : Optional.of(pairs.stream().allMatch(l -> l == Link.NVLINK));
    }

    private static Link link(final Nvml nvml, final Gpu from, final Gpu to) {
        final var one = nvml.device(from);
        final var other = nvml.device(to);
        if (one.isEmpty() || other.isEmpty()) {
            return Link.UNKNOWN;
        }
        if (nvml.number("nvmlDeviceGetP2PStatus", one.get(), other.get(), P2P_NVLINK).equals(OptionalInt.of(0))) {
            return Link.NVLINK;
        }
        final var level = nvml.number("nvmlDeviceGetTopologyCommonAncestor", one.get(), other.get());
        return level.isPresent() ? Link.ofLevel(level.getAsInt()) : Link.UNKNOWN;
    }

    private static GpuState state(final Nvml nvml, final Gpu gpu) {
        final var found = nvml.device(gpu);
        if (found.isEmpty()) {
            final var none = OptionalInt.empty();
            return new GpuState(gpu.index(), none, "", none, none, none, none, none, none, none, none, List.of(), false);
        }
        final var device = found.get();
        final var active = IntStream.range(0, MAX_NVLINKS).filter(l -> nvml.number("nvmlDeviceGetNvLinkState", device, l).equals(OptionalInt.of(1))).boxed().toList();
        final var version = active.isEmpty() ? OptionalInt.empty() : nvml.number("nvmlDeviceGetNvLinkVersion", device, active.get(0));
        final var reasons = nvml.longNumber("nvmlDeviceGetCurrentClocksThrottleReasons", device);
        return new GpuState(gpu.index(), OptionalInt.of(active.size()), version.isPresent() ? nvlinkVersion(version.getAsInt()) : "",
                nvml.number("nvmlDeviceGetCurrPcieLinkGeneration", device), nvml.number("nvmlDeviceGetCurrPcieLinkWidth", device),
                nvml.number("nvmlDeviceGetMaxPcieLinkGeneration", device), nvml.number("nvmlDeviceGetMaxPcieLinkWidth", device),
                nvml.number("nvmlDeviceGetClockInfo", device, CLOCK_SM), nvml.number("nvmlDeviceGetMaxClockInfo", device, CLOCK_SM),
                nvml.number("nvmlDeviceGetTemperature", device, TEMPERATURE_GPU), utilisation(nvml, device), ThrottleReason.names(reasons.orElse(0)),
                nvml.number("nvmlDeviceGetComputeMode", device).equals(OptionalInt.of(EXCLUSIVE_PROCESS)));
    }

    /** The first of two numbers of nvmlUtilization_t. */
    private static OptionalInt utilisation(final Nvml nvml, final Pointer device) {
        final var both = nvml.longNumber("nvmlDeviceGetUtilizationRates", device);
        return both.isPresent() ? OptionalInt.of((int) both.getAsLong()) : OptionalInt.empty();
    }

    /** nvmlNvlinkVersion_t. */
    static String nvlinkVersion(final int version) {
        return switch (version) {
            case 1 -> "1.0";
            case 2 -> "2.0";
            case 3 -> "2.2";
            case 4 -> "3.0";
            case 5 -> "3.1";
            case 6 -> "4.0";
            case 7 -> "5.0";
            default -> "";
        };
    }
}
