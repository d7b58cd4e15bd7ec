package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.device.Fabric;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.RunStore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The probe of the links on GPUs of a fake driver: what is launched, what is stored, and what a finding rules out. */
@Timeout(180)
class FakeProbeIT {
    private static final List<String> SMALL = List.of("run", "--rounds", "1", "--warmup", "20ms", "--measure", "50ms", "--bytes", "8192", "--calls", "6", "--dtype", "bf16", "--world", "2");

    @TempDir
    private Path folder;
    private FakeCuda cuda;

    @BeforeEach
    void fake() throws IOException {
        FakeCuda.assumeCompiler();
        cuda = new FakeCuda(folder);
    }

    private FakeCuda.Ended run(final Map<String, String> variables, final String... collectives) throws Exception {
        final var words = new ArrayList<>(SMALL);
        words.addAll(List.of("--out", cuda.out().toString(), "--shm", cuda.temporary().toString()));
        for (final var collective : collectives) {
            words.addAll(List.of("--collective", collective));
        }
        return cuda.program(variables, words.toArray(new String[0]));
    }

    @Test
    void aRunStoresWhatItsLinksDid() throws Exception {
        final var ended = run(Map.of(), "ipc/one-shot-pull");
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var fabric = RunStore.open(cuda.out()).read().fabric().orElseThrow();
        assertThat(fabric.problem()).isEmpty();
        assertThat(fabric.findings()).isEmpty();
        assertThat(fabric.hosts()).extracting(Fabric.Host::gpu).containsExactly(0, 1);
        assertThat(fabric.pairs()).extracting(Fabric.Pair::name).containsExactly("0->1", "1->0");
        assertThat(fabric.pairs()).allSatisfy(p -> {
            assertThat(p.problem()).isEmpty();
            // The fake answers 800 ns and 25 GB/s, in whole nanoseconds.
            assertThat(p.flagNanos()).isEqualTo(800);
            assertThat(List.of(p.storeGBps(), p.loadGBps(), p.storeAllGBps(), p.loadAllGBps())).allSatisfy(rate -> assertThat(rate).isBetween(24.99, 25.01));
            assertThat(p.wrong() + p.torn8() + p.torn16()).isZero();
        });
        final var probe = cuda.logs().stream().filter(l -> l.launched("vc_probe_flag")).toList();
        assertThat(probe).as("one process").singleElement().satisfies(l -> {
            assertThat(l.indexes("cuCtxEnablePeerAccess")).hasSize(2);
            assertThat(l.indexes("cuGraphLaunch")).as("3 replays of a writer's and a checker's graph, both directions").hasSize(12);
            assertThat(l.calls().subList(l.calls().lastIndexOf("cuStreamDestroy"), l.calls().size())).contains("cuDevicePrimaryCtxRelease 0");
            for (final var pair : List.of(List.of("cuMemAlloc", "cuMemFree"), List.of("cuMemHostAlloc", "cuMemFreeHost"), List.of("cuStreamCreate", "cuStreamDestroy"),
                    List.of("cuModuleLoadData", "cuModuleUnload"), List.of("cuGraphInstantiate", "cuGraphExecDestroy"), List.of("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease"))) {
                assertThat(l.count(pair.get(0))).as("%s", pair).isPositive().isEqualTo(l.count(pair.get(1)));
            }
        });
    }

    @Test
    void aFindingIsToldStoredAndRulesOutWhatItSays() throws Exception {
        final var ended = run(Map.of("FAKE_CUDA_PROBE", "torn"), "ipc/one-shot-pull", "ipc/one-shot-sentinel");
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var run = RunStore.open(cuda.out()).read();
        assertThat(run.fabric().orElseThrow().findings()).extracting(Fabric.Finding::kind).containsExactly(Fabric.Kind.TORN_16);
        assertThat(ended.output()).contains("Mind: 16-byte stores tear on 0->1, 1->0: sentinel kernels off");
        assertThat(run.entries()).noneMatch(e -> e.configuration().collective().path().equals("ipc/one-shot-sentinel"));
        assertThat(run.leftOut()).filteredOn(l -> l.what().startsWith("ipc/one-shot-sentinel ")).extracting(LeftOut::reason)
                .containsExactly("the probe of the links found 16-byte stores tear on 0->1, 1->0: sentinel kernels off");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "torn     | 16-byte stores tear on 0->1, 1->0: sentinel kernels off",
        "torn8    | 8-byte stores tear on 0->1, 1->0: LL kernels off",
        "wrong    | wrong data on 0->1, 1->0: do not use P2P there",
        "silent   | no answer on 0->1, 1->0: do not use P2P there",
        "slow     | stores are slow (0->1: 2.5 GB/s, loads 25.0): prefer pull",
        "collapse | stores collapse when concurrent (GPU 0: 2.5 GB/s to all others together, 25.0 alone; loads together 25.0): prefer pull",
    })
    void doctorTellsWhatItFinds(final String finds, final String text) throws Exception {
        final var ended = doctor(Map.of("FAKE_CUDA_PROBE", finds));
        assertThat(ended.exit()).as(ended.output()).isZero();
        // Cells of a table are wrapped: their words are there in order, others between them.
        assertThat(words(ended.output())).containsSubsequence(text.split(" ")[0], text.split(" ")[1]);
        assertThat(ended.output()).contains("What to do");
    }

    @Test
    void doctorShowsGpusAndLinksAndLetsGo() throws Exception {
        final var ended = doctor(Map.of());
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).startsWith("2 GPUs, links unknown.").contains("Fake GPU", "0->1     0.80", "right  none", "NVML (libnvidia-ml.so.1) can't be used here");
        assertThat(cuda.logs()).singleElement().satisfies(l -> assertThat(l.count("cuDevicePrimaryCtxRetain")).isEqualTo(l.count("cuDevicePrimaryCtxRelease")));
    }

    @Test
    void doctorOnlyLooksWhenToldSo() throws Exception {
        final var ended = cuda.program(Map.of(), "doctor", "--no-probe", "--shm", cuda.temporary().toString());
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("not probed (--no-probe)");
        assertThat(cuda.logs()).noneMatch(l -> l.launched("vc_probe"));
    }

    private FakeCuda.Ended doctor(final Map<String, String> variables) throws Exception {
        return cuda.program(variables, "doctor", "--shm", cuda.temporary().toString());
    }

    private static List<String> words(final String text) {
        return List.of(text.split("\\s+"));
    }

    @Test
    void oneGpuHasNoLinks() throws Exception {
        final var ended = doctor(Map.of("FAKE_CUDA_GPUS", "1"));
        assertThat(ended.output()).startsWith("1 GPU, so no links between GPUs").contains("one GPU: there is no link between GPUs to probe", "GPU and pinned host memory");
    }

    @Test
    void withoutPeerAccessPairsSaySo() throws Exception {
        assertThat(doctor(Map.of("FAKE_CUDA_PEERS", "no")).output()).contains("the driver reports no peer access", "don't reach each");
    }

    @Test
    void aCallThatFailsEndsTheProbeWithItsText() throws Exception {
        final var ended = doctor(Map.of("FAKE_CUDA_FAIL", "cuStreamQuery=719"));
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("the probe on GPU 0: unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)");
    }

    @Test
    void hostRunsAreNotProbed() throws Exception {
        assertThat(run(Map.of(), "host/one-shot-pull").exit()).isZero();
        assertThat(RunStore.open(cuda.out()).read().fabric()).isEmpty();
        assertThat(cuda.logs()).noneMatch(l -> l.launched("vc_probe"));
    }
}
