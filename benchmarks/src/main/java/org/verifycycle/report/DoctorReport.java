package org.verifycycle.report;

import org.verifycycle.device.GpuState;
import org.verifycycle.device.Machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What this machine can do, and what stands in the way. */
public final class DoctorReport {
    private DoctorReport() {
    }

    public static ReportModel of(final Checkup c) {
        final var advice = Advice.of(c);
        final var answer = new ArrayList<String>();
        final var gpus = c.gpus().count();
        answer.add(gpus == 0 ? "No GPU can be used here: " + c.gpus().problem().orElse("there is none") + "." : gpus + (gpus == 1 ? " GPU" : " GPUs") + ", " + links(c) + ".");
        answer.add(advice.isEmpty() ? "Nothing found that costs." : advice.size() + (advice.size() == 1 ? " finding that costs something:" : " findings that cost something:"));
        final var sections = new ArrayList<Section>();
        if (!advice.isEmpty()) {
            sections.add(new Section("What to do", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.text("found"), Block.Column.text("do")),
                    advice.stream().map(a -> List.of(a.finding(), a.todo())).toList()))));
        }
        if (gpus > 0) {
            sections.add(gpus(c));
        }
        if (gpus > 1) {
            sections.add(LinkTables.wiring(c.gpus(), c.after()));
        }
        sections.addAll(gpus > 0 ? LinkTables.probe(c.fabric()) : List.of());
        sections.add(machine(c));
        return new ReportModel("What this machine can do", answer, sections);
    }

    private static String links(final Checkup c) {
        if (c.gpus().count() == 1) {
            return "so no links between GPUs; --ranks-per-gpu lets ranks share it for checks";
        }
        return c.after().fullNvlink(c.gpus().count()).map(full -> full ? "full NVLink" : "not full NVLink").orElse("links unknown");
    }

    private static Section gpus(final Checkup c) {
        final var rows = new ArrayList<List<String>>();
        for (final var gpu : c.gpus().all()) {
            final Optional<GpuState> state = c.after().gpus().stream().filter(s -> s.gpu() == gpu.index()).findFirst();
            rows.add(List.of(Integer.toString(gpu.index()), gpu.name(), gpu.capability() / 10 + "." + gpu.capability() % 10, (gpu.memoryBytes() >> 20) + " MiB",
                    state.map(DoctorReport::nvlink).orElse(Machine.UNKNOWN), state.map(DoctorReport::pcie).orElse(Machine.UNKNOWN),
                    state.map(s -> Advice.text(s.smMhz(), "") + " of " + Advice.text(s.smMaximumMhz(), " MHz")).orElse(Machine.UNKNOWN),
                    state.map(s -> s.throttle().isEmpty() ? "no" : String.join(", ", s.throttle())).orElse(Machine.UNKNOWN)));
        }
        return new Section("GPUs", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.text("GPU"), Block.Column.text("name"), Block.Column.text("capability"),
                Block.Column.number("memory"), Block.Column.text("NVLink"), Block.Column.text("PCIe"), Block.Column.text("SM clock"), Block.Column.text("throttled")), rows)));
    }

    private static String nvlink(final GpuState s) {
        if (s.nvlinks().isEmpty()) {
            return Machine.UNKNOWN;
        }
        return s.nvlinks().getAsInt() == 0 ? "none" : s.nvlinks().getAsInt() + " links" + (s.nvlinkVersion().isEmpty() ? "" : ", version " + s.nvlinkVersion());
    }

    private static String pcie(final GpuState s) {
        return "gen " + Advice.text(s.pcieGeneration(), "") + " of " + Advice.text(s.pcieMaximum(), "") + ", x" + Advice.text(s.pcieWidth(), "") + " of x" + Advice.text(s.pcieMaximumWidth(), "");
    }

    private static Section machine(final Checkup c) {
        final var m = c.machine();
        final var rows = new ArrayList<List<String>>();
        rows.add(List.of("host", m.host() + ", " + m.os()));
        rows.add(List.of("cpu", m.cpu() + ", " + m.cores() + (m.cores() == 1 ? " core" : " cores")));
        rows.add(List.of("virtualised", m.virtualised()));
        rows.add(List.of("governor", m.governor()));
        rows.add(List.of("shared memory", m.sharedMemory().folder() + ", " + (m.sharedMemory().freeBytes() < 0 ? Machine.UNKNOWN : (m.sharedMemory().freeBytes() >> 20) + " MiB free")));
        new TreeMap<>(c.libraries()).forEach((name, value) -> rows.add(List.of(name, value)));
        if (c.gpus().count() > 0 && !c.libraries().containsKey("nccl")) {
            rows.add(List.of("nccl", "not found"));
        }
        rows.add(List.of("kernels in this jar", c.kernels().isEmpty() ? "yes" : "no"));
        rows.add(List.of("nvcc", c.nvcc().map(where -> "found by " + where).orElse("not found")));
        rows.add(List.of("MPS daemon", c.mps().running() ? "runs" : c.mps().installed() ? "none runs; installed" : "none runs; not installed"));
        rows.add(List.of("jmh.lock", c.locked() ? "held by another benchmark" : "free"));
        return new Section("Machine", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.text("what"), Block.Column.text("value")), rows)));
    }
}
