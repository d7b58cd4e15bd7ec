package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.cuda.FakeCuda.Log;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.RunStore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** The whole program on two GPUs of a fake driver: what it calls in which order, and what it says when it can't. */
@Timeout(180)
class FakeCudaRunIT {
    private static final int CALLS = 6;
    private static final String MARK = "\tat ";

    @TempDir
    private Path folder;
    private FakeCuda cuda;

    @BeforeEach
    void fake() throws IOException {
        FakeCuda.assumeCompiler();
        cuda = new FakeCuda(folder);
    }

    @Test
    void aRunIsNotGoneOnWithOnAnotherBoxOfTheSameKind() throws Exception {
        assertThat(cuda.run(Map.of(), "--world", "2", "--collective", "ipc/one-shot-pull").exit()).isZero();
        final var resume = new String[] {"run", "--resume", cuda.out().toString(), "--shm", cuda.temporary().toString()};
        final var other = cuda.program(Map.of("FAKE_CUDA_BOX", "10"), resume);
        assertThat(other.exit()).as(other.output()).isEqualTo(5);
        assertThat(other.output()).contains("this is not what the run was begun with (gpuIds was 00010203 00111213, is 0a010203 0a111213): its rounds could not be compared; start a new run")
                .doesNotContain(MARK);
        final var silent = cuda.program(Map.of("FAKE_CUDA_FAIL", "cuDeviceGetUuid=999"), resume);
        assertThat(silent.exit()).as(silent.output()).isEqualTo(5);
        assertThat(silent.output()).as("its GPUs are there, whoever they are").contains("(gpuIds was 00010203 00111213, is unknown unknown)");
        final var same = cuda.program(Map.of(), resume);
        assertThat(same.exit()).as(same.output()).isZero();
    }

    @Test
    void aRunOnTwoGpusChecksItsSumsAndGivesEverythingBack() throws Exception {
        final var ended = cuda.run(Map.of(), "--world", "2", "--collective", "ipc/one-shot-pull", "--collective", "ipc/one-shot-sentinel:pdl=on", "--collective", "ipc/two-shot-ll");
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var run = RunStore.open(cuda.out()).read();
        assertThat(run.entries()).hasSize(5).allSatisfy(e -> {
            assertThat(e.rounds()).hasSize(1).allMatch(r -> r.status() == Status.OK && r.cycles() > 0);
            assertThat(e.marks()).isEmpty();
        });
        assertThat(run.environment().devices()).hasSize(2).allMatch(g -> g.contains("Fake GPU"));
        final var logs = cuda.logs();
        assertThat(logs.stream().filter(l -> l.count("cuStreamCreate") == 0)).as("the launcher asks and lets go").singleElement()
                .satisfies(l -> assertThat(l.calls().get(l.calls().size() - 1)).isEqualTo("cuDevicePrimaryCtxRelease 0"));
        final var ranks = logs.stream().filter(l -> l.count("cuStreamCreate") > 0).toList();
        assertThat(ranks).hasSize(2 * run.entries().size()).allSatisfy(FakeCudaRunIT::capturesOnceAndReplays).allSatisfy(FakeCudaRunIT::givesBackInReverse);
        assertThat(ranks.stream().filter(l -> l.launched("vc_one_shot_sentinel_bf16_w2"))).hasSize(2).allSatisfy(l -> onEveryLaunch(l, "pdl=1"));
        assertThat(ranks.stream().filter(l -> l.launched("vc_one_shot_pull_bf16_w2"))).as("and again").hasSize(4).allSatisfy(l -> onEveryLaunch(l, "pdl=0"));
        assertThat(ranks.stream().filter(l -> l.launched("vc_two_shot_ll_bf16_w2"))).hasSize(2).allSatisfy(l -> onEveryLaunch(l, "pdl=0"));
        assertThat(ranks.stream().filter(l -> l.launched("vc_floor_flag_w2"))).hasSize(2);
        handlesGoBothWays(ranks);
        assertThat(cuda.temporary()).as("libraries and shared files are removed").isDirectoryNotContaining("glob:**/verifycycle-*");
    }

    /** Of n cycles each of the two ranks is late in every other one; before them it spins to see how long a launch takes. */
    @ParameterizedTest
    @CsvSource({"graph,cuGraphLaunch,1", "eager,cuLaunchKernelEx," + CALLS})
    void ranksTakeTurnsToBeLateOnTheirStreamsAheadOfTheCycle(final String launch, final String first, final int launches) throws Exception {
        final var ended = cuda.run(Map.of(), "--world", "2", "--collective", "ipc/one-shot-pull", "--launch", launch, "--skew", "200us");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(RunStore.open(cuda.out()).read().entries()).isNotEmpty().allSatisfy(e -> {
            assertThat(e.configuration().skewNanos()).isEqualTo(200_000);
            assertThat(e.estimate().orElseThrow().skewMedianNanos()).isGreaterThan(100_000);
        });
        assertThat(cuda.logs().stream().filter(l -> l.launched("vc_one_shot_pull"))).hasSize(4).allSatisfy(l -> {
            final var spins = l.indexes("cuLaunchKernel").stream().filter(i -> l.calls().get(i).startsWith("cuLaunchKernel vc_spin 1x32")).toList();
            final var late = spins.stream().filter(i -> l.calls().get(i + 1).startsWith(first)).toList();
            final var checks = 7;
            assertThat(spins.size() - late.size()).as("to see how long a launch takes").isBetween(20, 21);
            assertThat(2 * late.size()).isBetween(l.count(first) / launches - checks - 1, l.count(first) / launches - checks + 2);
            for (int i = 1; i < late.size(); i++) {
                assertThat(l.indexes(first).stream().filter(between(late.get(i - 1), late.get(i))).count()).as("every other cycle").isEqualTo(2L * launches);
            }
        });
    }

    private static Predicate<Integer> between(final int low, final int high) {
        return i -> i > low && i < high;
    }

    @Test
    void aRankTouchesItsMemoryBeforeItShowsItAndLaunchesOnlyAfterThePeersIsMapped() throws Exception {
        final var ended = cuda.run(Map.of(), "--world", "2", "--collective", "ipc/one-shot-pull", "--launch", "eager");
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var ranks = cuda.logs().stream().filter(l -> l.launched("vc_one_shot_pull")).toList();
        assertThat(ranks).hasSize(4).allSatisfy(l -> {
            assertThat(List.of(l.only("cuMemAlloc"), l.indexes("cuMemsetD8Async").get(0), l.only("cuIpcGetMemHandle"), l.only("cuIpcOpenMemHandle"), l.indexes("cuLaunchKernelEx").get(0)))
                    .isSorted();
            assertThat(l.count("cuStreamBeginCapture")).isZero();
            assertThat(l.count("cuGraphLaunch")).isZero();
            assertThat(l.count("cuLaunchKernelEx")).isGreaterThan(2 * CALLS).matches(n -> n % CALLS == 0, "whole cycles");
            onEveryLaunch(l, "captured=0");
        });
    }

    @Test
    void barrieredCallsAreTimedOneByOneAndShownBesideTheOtherLaunches() throws Exception {
        final var ended = cuda.run(Map.of(), "--world", "2", "--collective", "ipc/one-shot-pull", "--launch", "graph,eager,barriered");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("The same calls, timed in several ways");
        final var store = RunStore.open(cuda.out());
        final var barriered = store.read().entries().stream().filter(e -> e.configuration().launch() == Launch.BARRIERED).toList();
        assertThat(barriered).isNotEmpty().allSatisfy(e -> {
            final var samples = store.readSamples(e.rounds().get(0));
            final var device = samples.deviceNanos().orElseThrow();
            // The sum over calls leaves out what lies between them, so no rank's is longer than its cycle was.
            assertThat(IntStream.range(0, samples.cycles())).allMatch(i -> device[i] > 0 && device[i] <= samples.groupNanos()[i] + samples.skewNanos()[i] + 1_000);
        });
        assertThat(store.read().entries()).filteredOn(e -> e.configuration().collective().toString().equals("ipc/one-shot-pull"))
                .allSatisfy(e -> assertThat(e.rounds().get(0).memory().orElseThrow().communicatorBytes()).as("flags and control area").isEqualTo(65_536));
    }

    private static void capturesOnceAndReplays(final Log log) {
        final var begin = log.only("cuStreamBeginCapture");
        final var end = log.only("cuStreamEndCapture");
        final var launches = log.indexes("cuLaunchKernelEx");
        assertThat(launches).as("nothing else is captured, nothing launched beside").isEqualTo(IntStream.range(begin + 1, end).boxed().toList()).hasSize(CALLS);
        onEveryLaunch(log, "captured=1");
        assertThat(log.calls().get(log.only("cuGraphInstantiate"))).isEqualTo("cuGraphInstantiate " + CALLS);
        final var replays = log.indexes("cuGraphLaunch");
        assertThat(replays).hasSizeGreaterThan(2).allSatisfy(i -> assertThat(log.calls().get(i)).isEqualTo("cuGraphLaunch " + CALLS));
        assertThat(List.of(end, log.only("cuGraphInstantiate"), log.only("cuGraphUpload"), replays.get(0))).isSorted();
        // Successive calls use successive pairs of buffers, and come round to the first.
        final var inputs = launches.stream().map(i -> log.calls().get(i).replaceAll(".*input=", "")).toList();
        assertThat(inputs.subList(0, 4)).doesNotHaveDuplicates();
        assertThat(inputs.get(4)).isEqualTo(inputs.get(0));
    }

    private static void givesBackInReverse(final Log log) {
        // After its last cycle a rank reads the outputs and poisons them.
        final var last = Stream.of("cuGraphLaunch", "cuIpcOpenMemHandle", "cuMemcpyDtoHAsync", "cuMemsetD8Async").flatMap(call -> log.indexes(call).stream()).mapToInt(i -> i).max().orElseThrow();
        assertThat(log.calls().subList(last + 1, log.calls().size())).containsExactly("cuEventDestroy", "cuEventDestroy", "cuGraphExecDestroy", "cuIpcCloseMemHandle",
                "cuMemFreeHost", "cuMemFree", "cuModuleUnload", "cuStreamDestroy", "cuDevicePrimaryCtxRelease " + log.gpu());
    }

    private static void onEveryLaunch(final Log log, final String what) {
        assertThat(log.indexes("cuLaunchKernelEx")).isNotEmpty().allSatisfy(i -> assertThat(log.calls().get(i)).contains(" " + what));
    }

    /** Each opens the memory of exactly one other, on the other GPU, which opens its in turn. */
    private static void handlesGoBothWays(final List<Log> ranks) {
        final var opened = new HashMap<Long, Long>();
        ranks.forEach(l -> opened.put(l.pid(), Long.parseLong(l.calls().get(l.only("cuIpcOpenMemHandle")).split("\\.")[1])));
        assertThat(ranks).allSatisfy(l -> {
            final var peer = ranks.stream().filter(r -> r.pid() == opened.get(l.pid())).findFirst().orElseThrow();
            assertThat(opened).containsEntry(peer.pid(), l.pid());
            assertThat(peer.gpu()).isEqualTo(1 - l.gpu());
        });
    }

    @Test
    void callsThatTheGpuCountsOtherwiseAreAWrongResult() throws Exception {
        final var ended = cuda.run(Map.of("FAKE_CUDA_MISCOUNT", "yes"), "--world", "2", "--collective", "ipc/one-shot-pull");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output()).containsPattern("after the timed cycles the device has counted [\\d,]+ calls of [\\d,]+");
    }

    @Test
    void aFailingCallFailsTheConfigurationWithOneLineAndExit6() throws Exception {
        final var ended = cuda.run(Map.of("FAKE_CUDA_FAIL", "cuMemAlloc=2@1"), "--world", "2", "--collective", "ipc/one-shot-pull");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(6);
        assertThat(ended.output()).contains("FAILED: rank 1: cuMemAlloc of 2,048 KiB for buffers and receive slots on rank 1 (GPU 1): out of memory (CUDA_ERROR_OUT_OF_MEMORY)")
                .doesNotContain(MARK);
        assertThat(RunStore.open(cuda.out()).read().entries()).allSatisfy(e -> assertThat(e.rounds()).hasSize(1).allSatisfy(r -> {
            assertThat(r.status()).isEqualTo(Status.FAILED);
            assertThat(r.error().orElseThrow()).doesNotContain("\n").contains("cuMemAlloc", "rank 1", "out of memory");
        }));
    }

    @Test
    void aKernelThatWaitsInVainNamesRankPeerAndSlot() throws Exception {
        final var ended = cuda.run(Map.of("FAKE_CUDA_FAULT", "yes"), "--world", "2", "--collective", "ipc/one-shot-ll");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(6);
        assertThat(ended.output()).containsPattern("FAILED: .*rank [01] waited 2 s for rank [01] in vain: one-shot-ll \\([0-9]+x[0-9]+\\), slot 1, block 2, pack 3; expected call 4, saw 5")
                .containsPattern("in vain: one-shot-pull .*, flag 1 of block 3; expected").doesNotContain(MARK);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "FAKE_CUDA_GPUS=0          | 2 | the NVIDIA driver finds no GPU",
        "FAKE_CUDA_FAIL=cuInit=999 | 2 | cuInit: CUDA error 999",
        "FAKE_CUDA_DRIVER=11080    | 2 | the NVIDIA driver is too old: it supports CUDA 11.8, at least 12.0 is needed",
        "FAKE_CUDA_PEERS=no        | 2 | no peer access between GPU 0 and GPU 1; ipc/host-sentinel needs none",
        "FAKE_CUDA_GPUS=1          | 2 | world 2 needs 2 GPUs, there is 1; --ranks-per-gpu 2 lets ranks share them",
        "FAKE_CUDA_GPUS=2          | 4 | world 4 needs 4 GPUs, there are 2; --ranks-per-gpu 2 lets ranks share them",
        "FAKE_CUDA_FAIL=cuModuleLoadData=209 | 2 | cuModuleLoadData of the kernels on GPU 0: no kernel image is available for execution on the device (CUDA_ERROR_NO_BINARY_FOR_GPU)",
    })
    void whatTheMachineLacksIsAReason(final String variable, final String world, final String reason) throws Exception {
        final var at = variable.indexOf('=');
        final var variables = Map.of(variable.substring(0, at), variable.substring(at + 1));
        final var alone = cuda.run(variables, "--world", world, "--collective", "ipc/one-shot-pull");
        assertThat(alone.exit()).as(alone.output()).isEqualTo(1);
        assertThat(alone.output()).startsWith("error: ").contains(reason).doesNotContain(MARK).hasLineCount(1);
        final var beside = cuda.run(variables, "--world", "2", "--world", world, "--collective", "ipc/one-shot-pull", "--collective", "host/*", "--dry-run");
        assertThat(beside.exit()).as(beside.output()).isZero();
        assertThat(beside.output().replaceAll("\\s+", " ")).as("among what is left out").contains(reason);
        assertThat(cuda.out()).doesNotExist();
    }

    @Test
    void dependentLaunchOnAnOlderGpuIsAReason() throws Exception {
        final var ended = cuda.run(Map.of("FAKE_CUDA_CAPABILITY", "86"), "--world", "2", "--collective", "ipc/one-shot-ll:pdl=on", "--dry-run");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output().replaceAll("\\s+", " ")).contains("pdl=on needs compute capability 9.0 or later; ").doesNotContain(MARK);
    }

    @Test
    void aGridThatIsNeverResidentIsAReason() throws Exception {
        final var ended = cuda.run(Map.of("FAKE_CUDA_SMS", "2"), "--world", "2", "--collective", "ipc/one-shot-ll:blocks=9", "--dry-run");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output().replaceAll("\\s+", " ")).contains("a grid of 9x", "cannot be resident", "there is room for 8");
    }

    @Test
    void withoutADriverThereIsAReason() throws Exception {
        assumeFalse(Files.exists(Path.of("/proc/driver/nvidia")), "this machine has a driver of its own");
        final var ended = cuda.run(Map.of("LD_LIBRARY_PATH", ""), "--world", "2", "--collective", "ipc/one-shot-pull");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output()).contains("no NVIDIA driver here (the loader finds no libcuda.so.1)").doesNotContain(MARK).hasLineCount(1);
    }
}
