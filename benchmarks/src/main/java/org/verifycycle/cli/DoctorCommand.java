package org.verifycycle.cli;

import org.verifycycle.bench.RunLock;
import org.verifycycle.chart.ChartFiles;
import org.verifycycle.chart.LinkChart;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.cuda.FabricProbe;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.collective.nccl.NcclBackend;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Machine;
import org.verifycycle.device.Mps;
import org.verifycycle.device.Topology;
import org.verifycycle.report.Checkup;
import org.verifycycle.report.DoctorReport;
import org.verifycycle.report.TerminalReport;
import org.verifycycle.result.IoReason;
import org.verifycycle.result.ResultException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Looks at the machine and probes its links; changes nothing. */
@Command(name = "doctor", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Say what this machine can do, probe the links between its GPUs, and say what stands in the way. Changes no setting.")
final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--no-probe", description = "Only look; run nothing on the GPUs.")
    private boolean noProbe;

    @Option(names = "--plots", paramLabel = "DIR", description = "Write the chart of the links to this folder.")
    private Path plots;

    @Option(names = "--shm", paramLabel = "DIR", description = "Memory-backed folder for what ranks share (default: /dev/shm where it is one).")
    private Path sharedFolder;

    @Option(names = "--nccl", paramLabel = "FILE", description = "libnccl.so.2 to look at (default: variable NCCL_LIB, the loader's path, Python's site-packages).")
    private Path nccl;

    @Override
    public Integer call() {
        Optional.ofNullable(nccl).ifPresent(file -> System.setProperty(NcclBackend.LIBRARY_PROPERTY, file.toAbsolutePath().toString()));
        final var machine = machine();
        final var locked = RunLock.held();
        final var gpus = Gpus.detect();
        final var before = Topology.detect(gpus);
        final var fabric = probe(gpus, locked);
        final var libraries = new TreeMap<>(gpus.facts());
        Collectives.installed().backends().forEach(backend -> libraries.putAll(backend.facts()));
        final var checkup = new Checkup(machine, gpus, before, Topology.detect(gpus), fabric, Mps.detect(), libraries, Kernels.missing(), nvcc(), locked);
        System.out.print(new TerminalReport().render(DoctorReport.of(checkup)));
        if (plots != null) {
            draw(fabric, machine.host());
        }
        return ExitCode.OK.code();
    }

    private Machine machine() {
        try {
            return Machine.detect(Optional.ofNullable(sharedFolder));
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private Fabric probe(final Gpus gpus, final boolean locked) {
        if (gpus.problem().isPresent() || noProbe) {
            return Fabric.none(gpus.problem().orElse("not probed (--no-probe)"));
        }
        if (locked) {
            return Fabric.none("not probed: another benchmark runs, and would be disturbed");
        }
        try (var lock = RunLock.acquire()) {
            return FabricProbe.run(gpus);
        }
    }

    private static Optional<String> nvcc() {
        final var home = System.getenv("CUDA_HOME");
        if (home != null && Files.isExecutable(Path.of(home, "bin", "nvcc"))) {
            return Optional.of("CUDA_HOME");
        }
        return Mps.onPath("nvcc").isPresent() ? Optional.of("PATH") : Files.isExecutable(Path.of("/usr/local/cuda/bin/nvcc")) ? Optional.of("/usr/local/cuda") : Optional.empty();
    }

    private void draw(final Fabric fabric, final String host) {
        final var drawing = LinkChart.of(fabric, host);
        if (drawing.isEmpty() || !ChartFiles.canDraw()) {
            System.out.println("No chart: " + (drawing.isEmpty() ? "no pair of GPUs was probed" : "this Java can't draw text (install fontconfig and a font)"));
            return;
        }
        try {
            ChartFiles.add(plots, List.of(drawing.get()));
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't write the chart to " + plots + " (" + IoReason.of(e) + ")", e);
        }
    }
}
