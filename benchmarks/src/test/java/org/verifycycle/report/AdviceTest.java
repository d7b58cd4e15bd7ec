package org.verifycycle.report;

import org.junit.jupiter.api.Test;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.GpuState;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Machine;
import org.verifycycle.device.Mps;
import org.verifycycle.device.SharedMemory;
import org.verifycycle.device.Topology;
import org.verifycycle.device.Topology.Link;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class AdviceTest {
    private static final Machine QUIET = machine(16, 1 << 30, 0.1, "performance");

    private static Machine machine(final int cores, final long sharedFree, final double load, final String governor) {
        return new Machine("box", "Linux", "CPU", cores, 1L << 36, OptionalDouble.of(load), governor, "madvise", "never", "no", new SharedMemory(Path.of("/dev/shm"), SharedMemory.Choice.DEV_SHM, sharedFree));
    }

    private static Gpus gpus(final int count, final boolean peers) {
        final var pairs = new HashSet<Gpus.Pair>();
        IntStream.range(0, count).forEach(i -> IntStream.range(0, count).filter(j -> j != i && peers).forEach(j -> pairs.add(new Gpus.Pair(i, j))));
        return new Gpus(Optional.empty(), 13_000, IntStream.range(0, count).mapToObj(i -> new Gpu(i, "GPU", 90, 1L << 37, "0000:0" + i + ":00.0", 132, "0000000" + i)).toList(), pairs);
    }

    private static GpuState state(final int gpu, final int width, final int temperature, final int busy, final List<String> throttle, final boolean exclusive) {
        return state(gpu, 5, width, temperature, busy, throttle, exclusive);
    }

    private static GpuState state(final int gpu, final int generation, final int width, final int temperature, final int busy, final List<String> throttle, final boolean exclusive) {
        return new GpuState(gpu, OptionalInt.of(0), "", OptionalInt.of(generation), OptionalInt.of(width), OptionalInt.of(5), OptionalInt.of(16), OptionalInt.of(1500), OptionalInt.of(1980), OptionalInt.of(temperature),
                OptionalInt.of(busy), throttle, exclusive);
    }

    private static Topology topology(final int count, final Link link, final GpuState... states) {
        final var links = new HashMap<Gpus.Pair, Link>();
        IntStream.range(0, count).forEach(i -> IntStream.range(0, count).filter(j -> j != i).forEach(j -> links.put(new Gpus.Pair(i, j), link)));
        return new Topology(Optional.empty(), states.length > 0 ? List.of(states) : IntStream.range(0, count).mapToObj(i -> state(i, 16, 40, 0, List.of(), false)).toList(), links);
    }

    private static Checkup checkup(final Machine machine, final Gpus gpus, final Topology topology) {
        return new Checkup(machine, gpus, topology, topology, new Fabric(Optional.empty(), 1, List.of(), List.of(), List.of()), new Mps(false, true), Map.of("nccl", "2.28.9"), Optional.empty(), Optional.of("PATH"), false);
    }

    private static List<String> found(final Checkup checkup) {
        return Advice.of(checkup).stream().map(Advice::finding).toList();
    }

    @Test
    void nothingIsMadeUp() {
        assertThat(found(checkup(QUIET, gpus(8, true), topology(8, Link.NVLINK)))).isEmpty();
        assertThat(found(checkup(QUIET, gpus(2, true), topology(2, Link.PIX)))).isEmpty();
    }

    @Test
    void whatCostsIsFoundOnce() {
        assertThat(found(checkup(QUIET, Gpus.none("no NVIDIA driver here"), Topology.unknown("no NVIDIA driver here")))).containsExactly("no NVIDIA driver here");
        assertThat(found(checkup(QUIET, gpus(8, true), topology(8, Link.SYS)))).containsExactly("more than two GPUs without full NVLink: SGLang and vLLM take NCCL");
        assertThat(found(checkup(QUIET, gpus(4, false), topology(4, Link.SYS)))).singleElement().asString().startsWith("GPUs 0 and 1 don't reach each other's memory");
        assertThat(found(checkup(QUIET, gpus(1, false), topology(1, Link.SYS, state(0, 8, 90, 30, List.of("power limit"), true)))))
                .containsExactly("GPU 0 is 30 % busy", "GPU 0 admits one process only", "GPU 0's clocks are held down: power limit", "GPU 0 has 90 degrees", "GPU 0 runs PCIe x8 of x16");
        assertThat(found(checkup(machine(2, 63L << 20, 1.5, "powersave"), gpus(8, true), topology(8, Link.NVLINK))))
                .containsExactly("63 MiB of shared memory are free", "2 cores for 8 ranks: they take turns at starting cycles", "the load is 1.5 on 2 cores", "the CPU governor is powersave");
    }

    @Test
    void aPcieLinkBelowItsGenerationIsFoundOnceTheProbeHasUsedIt() {
        final var slow = topology(2, Link.PIX, state(0, 5, 16, 40, 0, List.of(), false), state(1, 3, 16, 40, 0, List.of(), false));
        final var good = checkup(QUIET, gpus(2, true), slow);
        assertThat(Advice.of(good)).singleElement().satisfies(a -> {
            assertThat(a.finding()).isEqualTo("GPU 1 runs PCIe generation 3 of 5 right after the probe");
            assertThat(a.todo()).contains("under load", "BIOS");
        });
        assertThat(found(new Checkup(QUIET, good.gpus(), slow, slow, Fabric.none("not probed"), good.mps(), good.libraries(), good.kernels(), good.nvcc(), false))).isEmpty();
    }

    @Test
    void software() {
        final var good = checkup(QUIET, gpus(2, true), topology(2, Link.NVLINK));
        assertThat(Advice.of(new Checkup(good.machine(), good.gpus(), Topology.unknown("no NVML"), Topology.unknown("no NVML"), good.fabric(), new Mps(true, true), Map.of(), Optional.of("no kernels"), Optional.of("PATH"), true)))
                .extracting(Advice::finding, Advice::todo).extracting(t -> t.toList().get(0)).containsExactly("no kernels", "NCCL was not found: no baseline to compare with", "an MPS daemon runs", "no NVML",
                        "another benchmark runs on this machine (it holds jmh.lock)");
    }

    @Test
    void everyFindingHasALineOnWhatToDo() {
        final var fabric = new Fabric(Optional.empty(), 1, List.of(), List.of(), List.of(new Fabric.Finding(Fabric.Kind.STORES_COLLAPSE, "stores collapse: prefer pull"), new Fabric.Finding(Fabric.Kind.WRONG_DATA, "wrong data on 2->5")));
        final var good = checkup(QUIET, gpus(2, true), topology(2, Link.NVLINK));
        final var advice = Advice.of(new Checkup(QUIET, good.gpus(), good.before(), good.after(), fabric, good.mps(), good.libraries(), good.kernels(), good.nvcc(), false));
        assertThat(advice).extracting(Advice::finding).containsExactly("stores collapse: prefer pull", "wrong data on 2->5");
        assertThat(advice).extracting(Advice::todo).noneMatch(String::isBlank);
        assertThat(advice.get(0).todo()).contains("ipc/*-pull");
    }

    @Test
    void linksAreShownFromRowToColumn() {
        final var text = new TerminalReport().render(DoctorReport.of(checkup(QUIET, gpus(3, true), topology(3, Link.PHB))));
        assertThat(text).startsWith("3 GPUs, not full NVLink.").contains("GPU 2      PHB    PHB", "PHB: PCIe, one host bridge.");
    }
}
