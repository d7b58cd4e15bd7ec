package org.verifycycle.report;

import org.verifycycle.device.GpuState;
import org.verifycycle.device.Topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A finding that costs something, and what to do about it.
 *
 * @param finding what is the case
 * @param todo    what a person can do
 */
record Advice(String finding, String todo) {
    private static final int BUSY_PERCENT = 5;
    private static final int HOT_CELSIUS = 85;
    private static final long LITTLE_SHARED_BYTES = 64L << 20;
    private static final double BUSY_CORES = 0.5;

    /** What to do about a machine, the most costly first. */
    static List<Advice> of(final Checkup c) {
        final var all = new ArrayList<Advice>();
        c.gpus().problem().ifPresent(why -> all.add(new Advice(why, "host numbers only; on a GPU box install the NVIDIA driver, in a container pass the GPUs in (--gpus all)")));
        c.fabric().findings().forEach(f -> all.add(new Advice(f.text(), f.text().contains("prefer pull") ? "compare ipc/*-pull with ipc/*-ll and ipc/*-sentinel: run --collective 'ipc/*'"
                : "run leaves out what this rules out; report it to the machine's owner")));
        all.addAll(peers(c));
        c.before().gpus().forEach(g -> all.addAll(busy(g)));
        c.after().gpus().forEach(g -> all.addAll(slowed(g)));
        if (c.fabric().problem().isEmpty()) {
            c.after().gpus().forEach(g -> pcieGeneration(g).ifPresent(all::add));
        }
        if (c.gpus().count() > 0) {
            all.addAll(software(c));
        }
        all.addAll(host(c));
        return all;
    }

    private static List<Advice> peers(final Checkup c) {
        final var n = c.gpus().count();
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (!c.gpus().reachEachOther(i, j)) {
                    return List.of(new Advice("GPUs " + i + " and " + j + " don't reach each other's memory: no custom all-reduce there, NCCL goes through the host",
                            "look at nvidia-smi topo -p2p rw; in a virtual machine or with an IOMMU, peer access needs the host's help (ACS). ipc/host-sentinel needs none"));
                }
            }
        }
        final var full = c.after().fullNvlink(n);
        return n > 2 && full.isPresent() && !full.get() ? List.of(new Advice("more than two GPUs without full NVLink: SGLang and vLLM take NCCL",
                "explain says which gate stands in the way; tune NCCL (NCCL_P2P_LEVEL=SYS, NCCL_PROTO=LL,LL128,Simple) and compare")) : List.of();
    }

    private static List<Advice> busy(final GpuState g) {
        final var all = new ArrayList<Advice>();
        if (above(g.utilisation(), BUSY_PERCENT)) {
            all.add(new Advice("GPU " + g.gpu() + " is " + g.utilisation().getAsInt() + " % busy", "somebody else computes on it (nvidia-smi): wait, or choose others with CUDA_VISIBLE_DEVICES"));
        }
        if (g.exclusive()) {
            all.add(new Advice("GPU " + g.gpu() + " admits one process only", "NCCL and ipc work; --ranks-per-gpu does not, unless the owner sets nvidia-smi -c 0"));
        }
        return all;
    }

    private static List<Advice> slowed(final GpuState g) {
        final var all = new ArrayList<Advice>();
        if (!g.throttle().isEmpty()) {
            all.add(new Advice("GPU " + g.gpu() + "'s clocks are held down: " + String.join(", ", g.throttle()), "times will drift: cool it, raise the limit, or interleave what you compare (run does)"));
        }
        if (above(g.temperature(), HOT_CELSIUS - 1)) {
            all.add(new Advice("GPU " + g.gpu() + " has " + g.temperature().getAsInt() + " degrees", "let it cool before measuring"));
        }
        if (g.pcieWidth().isPresent() && g.pcieMaximumWidth().isPresent() && g.pcieWidth().getAsInt() < g.pcieMaximumWidth().getAsInt()) {
            all.add(new Advice("GPU " + g.gpu() + " runs PCIe x" + g.pcieWidth().getAsInt() + " of x" + g.pcieMaximumWidth().getAsInt(), "reseat it, look at the slot's wiring and the BIOS's bifurcation"));
        }
        return all;
    }

    /** Only after a probe: a GPU at rest slows its link down, one that has just moved data has no reason to. */
    private static Optional<Advice> pcieGeneration(final GpuState g) {
        return g.pcieGeneration().isPresent() && above(g.pcieMaximum(), g.pcieGeneration().getAsInt()) ? Optional.of(new Advice(
                "GPU " + g.gpu() + " runs PCIe generation " + g.pcieGeneration().getAsInt() + " of " + g.pcieMaximum().getAsInt() + " right after the probe",
                "see whether nvidia-smi -q (GPU Link Info) rises under load; if not, look at the slot's speed in the BIOS, at risers and cables, and reseat it")) : Optional.empty();
    }

    private static List<Advice> software(final Checkup c) {
        final var all = new ArrayList<Advice>();
        c.kernels().ifPresent(why -> all.add(new Advice(why, c.nvcc().isPresent() ? "nvcc is here: mvn package makes a jar with kernels" : "install a CUDA toolkit, or copy a jar that was built where nvcc is")));
        if (!c.libraries().containsKey("nccl")) {
            all.add(new Advice("NCCL was not found: no baseline to compare with", "install libnccl2 or pip's nvidia-nccl, or name it: run --nccl FILE"));
        }
        if (c.mps().running()) {
            all.add(new Advice("an MPS daemon runs", "its clients share GPUs with whatever runs here; end it if it is yours"));
        }
        if (c.before().problem().isPresent()) {
            all.add(new Advice(c.before().problem().get(), "in a container NVML comes with the driver's utility capability (NVIDIA_DRIVER_CAPABILITIES=compute,utility)"));
        }
        return all;
    }

    private static List<Advice> host(final Checkup c) {
        final var all = new ArrayList<Advice>();
        if (c.locked()) {
            all.add(new Advice("another benchmark runs on this machine (it holds jmh.lock)", "wait for it: two at once measure each other"));
        }
        final var free = c.machine().sharedMemory().freeBytes();
        if (free >= 0 && free < LITTLE_SHARED_BYTES) {
            all.add(new Advice(String.format(Locale.ROOT, "%,d MiB of shared memory are free", free >> 20), "give a container more (docker run --shm-size=1g), or another folder: run --shm DIR"));
        }
        if (c.machine().cores() < Math.max(2, c.gpus().count())) {
            all.add(new Advice(c.machine().cores() + " cores for " + Math.max(2, c.gpus().count()) + " ranks: they take turns at starting cycles", "give it a core a rank"));
        }
        c.machine().load1m().ifPresent(load -> {
            if (load > BUSY_CORES * c.machine().cores()) {
                all.add(new Advice(String.format(Locale.ROOT, "the load is %.1f on %d cores", load, c.machine().cores()), "wait until the machine is quiet"));
            }
        });
        if (c.machine().governor().equals("powersave")) {
            all.add(new Advice("the CPU governor is powersave", "host times vary; the owner can set performance"));
        }
        return all;
    }

    private static boolean above(final OptionalInt value, final int limit) {
        return value.isPresent() && value.getAsInt() > limit;
    }

    /** Of NVML, for tables. */
    static String text(final OptionalInt value, final String unit) {
        return value.isPresent() ? value.getAsInt() + unit : Topology.Link.UNKNOWN.text();
    }
}
