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
class FakeProbeTest {
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "torn     | ipc/one-shot-sentinel | TORN_16         | the probe of the links: 16-byte stores tear on 0->1, 1->0: sentinel kernels off",
        "torn8    | ipc/two-shot-ll       | TORN_8          | the probe of the links: 8-byte stores tear on 0->1, 1->0: LL kernels off",
        "wrong    | ipc/one-shot-pull     | WRONG_DATA      | the probe of the links found wrong data on 0->1; ipc/host-ll needs no peer access",
        "silent   | ipc/one-shot-pull     | NO_ANSWER       | the probe of the links found no answer on 0->1; ipc/host-ll needs no peer access",
        "slow     |                       | STORES_SLOW     |",
        "collapse |                       | STORES_COLLAPSE |",
    })
    void aFindingIsToldStoredAndRulesOutWhatItSays(final String finds, final String off, final Fabric.Kind kind, final String reason) throws Exception {
        final var ended = off == null ? run(Map.of("FAKE_CUDA_PROBE", finds), "ipc/host-ll") : run(Map.of("FAKE_CUDA_PROBE", finds), "ipc/host-ll", off);
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var run = RunStore.open(cuda.out()).read();
        final var findings = run.fabric().orElseThrow().findings();
        assertThat(findings).extracting(Fabric.Finding::kind).containsExactly(kind);
        assertThat(ended.output()).contains("Mind: " + findings.get(0).text());
        if (off != null) {
            assertThat(run.entries()).noneMatch(e -> e.configuration().collective().path().equals(off));
            assertThat(run.leftOut()).filteredOn(l -> l.what().startsWith(off + " ")).extracting(LeftOut::reason).containsExactly(reason);
        }
    }

    @Test
    void oneGpuHasNoLinks() throws Exception {
        final var ended = run(Map.of("FAKE_CUDA_GPUS", "1"), "host/one-shot-pull", "ipc/empty");
        assertThat(ended.output()).as("nothing to mind").doesNotContain("Mind: stores");
        final var fabric = RunStore.open(cuda.out()).read().fabric().orElseThrow();
        assertThat(fabric.problem()).contains("one GPU: there is no link between GPUs to probe");
        assertThat(fabric.pairs()).isEmpty();
        assertThat(fabric.hosts()).hasSize(1);
    }

    @Test
    void withoutPeerAccessPairsSaySo() throws Exception {
        final var ended = run(Map.of("FAKE_CUDA_PEERS", "no"), "ipc/host-ll");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(RunStore.open(cuda.out()).read().fabric().orElseThrow().pairs()).hasSize(2).allSatisfy(p -> assertThat(p.problem()).contains("the driver reports no peer access"));
    }

    @Test
    void aCallThatFailsEndsTheProbeNotTheRun() throws Exception {
        final var ended = run(Map.of("FAKE_CUDA_FAIL", "cuStreamQuery=719"), "ipc/host-ll");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("The probe of the links ended early: the probe on GPU 0: unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)");
    }

    @Test
    void hostRunsAndThoseThatSaySoAreNotProbed() throws Exception {
        assertThat(run(Map.of(), "host/one-shot-pull").exit()).isZero();
        assertThat(RunStore.open(cuda.out()).read().fabric()).isEmpty();
        assertThat(cuda.logs()).noneMatch(l -> l.launched("vc_probe"));
    }
}
