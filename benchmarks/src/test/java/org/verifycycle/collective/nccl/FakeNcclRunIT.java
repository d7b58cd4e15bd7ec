package org.verifycycle.collective.nccl;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.RunStore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The real program, with real processes for ranks, over a fake driver and a fake libnccl. */
@Timeout(180)
class FakeNcclRunIT {
    @TempDir
    private static Path libraries;
    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        FakeNccl.build(libraries);
        assertThat(new ProcessBuilder("gcc", "-O1", "-shared", "-fPIC", "-o", libraries.resolve("libcuda.so.1").toString(), "src/test/c/fake_cuda.c").inheritIO().start().waitFor()).isZero();
    }

    @Test
    void ncclIsTheBaselineAndWhatItChoseIsInTheResults() throws IOException, InterruptedException {
        final var ended = run(Map.of(), "--collective", "nccl/ring:proto=LL128;channels=2", "--collective", "nccl/default:symmetric=on", "--collective", "nccl/default:inplace=on",
                "--collective", "nccl/default:ctas=16;sym-kernel=RSxLD_AGxST;symmetric=on");
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var json = Files.readString(folder.resolve("out/run.json"));
        assertThat(json).contains("\"collective\" : \"nccl/default\"", "\"nccl\" : \"2.28.9\"", "NCCL 2.28.9 chose: RING LL, 8 channels", "NCCL 2.28.9 chose: RING LL128, 2 channels",
                "NCCL 2.28.9 chose: symmetric kernel AllReduce_AGxLL_R, 4 channels", "NCCL 2.28.9 chose: symmetric kernel AllReduce_RSxLD_AGxST, 16 channels",
                "variables set: NCCL_MAX_CTAS=16 NCCL_MIN_CTAS=16 NCCL_NVLS_ENABLE=0 NCCL_SYM_KERNEL=AllReduce_RSxLD_AGxST", "connected by P2P/CUMEM",
                "variables set: NCCL_ALGO=Ring NCCL_MAX_NCHANNELS=2 NCCL_NVLS_ENABLE=0 NCCL_PROTO=LL128");
        assertThat(ResultFiles.memoryOfAll(json)).hasSize(6).allSatisfy(memory -> assertThat(memory.get("communicatorBytes").asLong()).isEqualTo(5 << 20))
                .anySatisfy(memory -> assertThat(memory.get("buffersBytes").asLong()).isEqualTo(2 << 20));
        assertThat(calls()).hasSizeGreaterThanOrEqualTo(8)
                .allSatisfy(calls -> assertThat(calls).filteredOn(c -> c.startsWith("ncclCommInitRankConfig")).hasSize(1))
                .allSatisfy(calls -> assertThat(calls.get(calls.size() - 1)).isEqualTo("ncclCommDestroy"))
                .anySatisfy(calls -> assertThat(calls.stream().map(c -> c.split(" ")[0]).distinct()).containsSubsequence("ncclMemAlloc", "ncclCommWindowRegister", "ncclAllReduce",
                        "ncclResetDebugInit", "ncclCommWindowDeregister", "ncclMemFree", "ncclCommDestroy"));
        assertNoDebugOutputIsLeft();
    }

    private void assertNoDebugOutputIsLeft() throws IOException {
        try (var left = Files.list(folder.resolve("tmp"))) {
            assertThat(left.map(p -> p.getFileName().toString())).noneMatch(name -> name.startsWith("verifycycle-nccl"));
        }
    }

    @Test
    void anyOtherVariableCanBeTriedAndOneThatNcclDoesNotReadIsLeftOut() throws IOException, InterruptedException {
        final var ended = run(Map.of(), "--collective", "nccl/default:nccl-graph-mixing-support=0", "--collective", "nccl/default:nccl-grph-mixing-support=0");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(Files.readString(folder.resolve("out/run.json"))).contains("variables set: NCCL_GRAPH_MIXING_SUPPORT=0 NCCL_NVLS_ENABLE=0");
        assertThat(ResultFiles.read(folder.resolve("out")).leftOut()).extracting(LeftOut::reason)
                .contains("NCCL declined NCCL_GRPH_MIXING_SUPPORT: it does not say that it read it; is there such a variable in this version?");
    }

    @Test
    void settingsOfOneConfigurationAreNotThereInTheNextAndTheUsersStay() throws IOException, InterruptedException {
        final var ended = run(Map.of("NCCL_P2P_LEVEL", "PHB", "NCCL_NVLS_ENABLE", "1"), "--collective", "nccl/tree:proto=Simple", "--collective", "nccl/ring:channels=2;p2p=off");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(calls().stream().map(calls -> calls.stream().filter(c -> c.startsWith("variables")).findFirst().orElseThrow()).distinct())
                .containsExactlyInAnyOrder("variables ALGO=- PROTO=- MIN_NCHANNELS=- MAX_NCHANNELS=- P2P_DISABLE=- P2P_LEVEL=PHB NVLS_ENABLE=1",
                        "variables ALGO=Ring PROTO=- MIN_NCHANNELS=- MAX_NCHANNELS=2 P2P_DISABLE=1 P2P_LEVEL=PHB NVLS_ENABLE=1",
                        "variables ALGO=Tree PROTO=Simple MIN_NCHANNELS=- MAX_NCHANNELS=- P2P_DISABLE=- P2P_LEVEL=PHB NVLS_ENABLE=1");
    }

    @Test
    void aDeclinedRequestIsLeftOutWithItsReasonAndIsNoFailure() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_NCCL_CHOICE", "RING LL 8"), "--rounds=2", "--collective", "nccl/ring:proto=LL128", "--collective", "nccl/default:symmetric=on");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("left out: NCCL declined proto=LL128: it chose RING LL, 8 channels");
        final var run = ResultFiles.read(folder.resolve("out"));
        assertThat(run.entries()).filteredOn(e -> e.configuration().collective().backend().equals("nccl")).extracting(e -> e.configuration().collective().toString()).containsOnly("nccl/default").hasSize(2);
        assertThat(run.leftOut()).extracting(LeftOut::reason).contains("NCCL declined proto=LL128: it chose RING LL, 8 channels", "NCCL declined symmetric: it chose RING LL, 8 channels");
        assertThat(run.entries()).allSatisfy(e -> assertThat(e.rounds()).hasSize(2));
    }

    @Test
    void invalidUsageIsHowNcclDeclinesWhatWasAsked() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_NCCL_FAIL", "ncclCommWindowRegister=5@1"), "--collective", "nccl/default:symmetric=on");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ResultFiles.read(folder.resolve("out")).leftOut()).extracting(LeftOut::reason).contains("NCCL declined nccl/default:symmetric=on: ncclCommWindowRegister on rank 1 (GPU 1): "
                + "invalid usage (run with NCCL_DEBUG=WARN for details) (5); NCCL says: ncclCommWindowRegister was told to fail");
        assertNoDebugOutputIsLeft();
    }

    @Test
    void aStuckCycleIsExplainedByNccl() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_CUDA_FAIL", "cuEventQuery=600", "FAKE_NCCL_FAIL", "async=6"), "--collective", "nccl/default");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(6);
        assertThat(Files.readString(folder.resolve("out/run.json"))).contains("a cycle is stuck on rank ", "NCCL says: async was told to fail");
    }

    @Test
    void aCallThatFailsIsNamedWithItsRankAndNcclsOwnWords() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_NCCL_FAIL", "ncclAllReduce=5@1"), "--collective", "nccl/default");
        assertThat(ended.exit()).as(ended.output()).isEqualTo(6);
        assertThat(Files.readString(folder.resolve("out/run.json")))
                .contains("rank 1: ncclAllReduce on rank 1 (GPU 1): invalid usage (run with NCCL_DEBUG=WARN for details) (5); NCCL says: ncclAllReduce was told to fail");
    }

    @Test
    void aRankIsMadeLateByTheKernelThatOurOwnCollectivesUse() throws IOException, InterruptedException {
        final var kernels = Files.createDirectories(folder.resolve("classes/org/verifycycle/kernels"));
        final var dry = run(Map.of(), "--collective", "nccl/default", "--skew", "20us", "--dry-run");
        assertThat(dry.exit()).as(dry.output()).isEqualTo(Kernels.missing().isPresent() ? 1 : 0);
        if (Kernels.missing().isPresent()) {
            assertThat(dry.output()).contains("a late rank spins in a kernel: this jar holds no GPU kernels");
        }
        Files.writeString(kernels.resolve("allreduce.fatbin"), "none: the fake driver does not look\n");
        final var ended = run(Map.of(), "--collective", "nccl/default", "--skew", "200us");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(RunStore.open(folder.resolve("out")).read().entries()).extracting(e -> e.configuration().collective().toString()).contains("nccl/default");
        assertThat(RunStore.open(folder.resolve("out")).read().entries()).allSatisfy(e -> assertThat(e.estimate().orElseThrow().skewMedianNanos()).isGreaterThan(100_000));
    }

    @Test
    void ranksThatShareAGpuAreDeclinedWithNcclsReason() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_CUDA_GPUS", "1"), "--ranks-per-gpu", "2", "--world", "2", "--collective", "nccl/default", "--dry-run");
        assertThat(ended.output()).containsIgnoringWhitespaces("NCCL refuses two ranks on one GPU (\"Duplicate GPU detected\"): world 2 needs 2 GPUs, there is 1");
    }

    @Test
    void anOldLibraryLacksWindowsAndSaysSo() throws IOException, InterruptedException {
        final var ended = run(Map.of("FAKE_NCCL_VERSION", "22203"), "--collective", "nccl/default*symmetric=*", "--collective", "nccl/default:p2p=off", "--dry-run");
        assertThat(ended.exit()).as(ended.output()).isZero();
        assertThat(ended.output()).containsIgnoringWhitespaces("symmetric=on needs ncclCommWindowRegister of NCCL 2.27.0 or later, this is 2.22.3", "symmetric=nowin needs NCCL 2.29.0 or later, this is 2.22.3");
    }

    @Test
    void theSelfTestRunsSettingsOnOneRankAndLetsNcclDeclineTwoOnAGpu() throws IOException, InterruptedException {
        final var output = folder.resolve("selftest.txt");
        final var builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                "org.verifycycle.collective.nccl.NcclSelfTest", libraries.resolve("libfakenccl.so").toString(), "nccl/ring:channels=2;proto=LL", "nccl/default:symmetric=on",
                "nccl/default:symmetric=nowin", "nccl/default:inplace=on").redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CUDA_") || name.startsWith("NCCL_") || name.startsWith("FAKE_"));
        builder.environment().putAll(Map.of("LD_LIBRARY_PATH", libraries.toString(), "FAKE_CUDA_DIR", folder.toString(), "FAKE_NCCL_DIR", folder.toString(), "FAKE_CUDA_GPUS", "1"));
        final var process = builder.start();
        assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
        final var said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains("NCCL 2.28.9, found by given by option", "nccl/ring:channels=2;proto=LL graph, 1 rank:\n", "chose: RING LL, 2 channels", "symmetric=nowin needs NCCL 2.29.0",
                "declined: NCCL declined more ranks than GPUs: ncclCommInitRankConfig on rank 1 (GPU 0): invalid usage", "NCCL says: Duplicate GPU detected : rank 1 and rank 0", "all as they should be")
                .doesNotContain("WRONG", "FAILED");
        assertThat(said.lines().filter(l -> l.equals("  ok"))).hasSize(3 + 2);
    }

    @Test
    void aRunIsNotGoneOnWithWithAnotherNccl() throws IOException, InterruptedException {
        assertThat(run(Map.of(), "--collective", "nccl/default").exit()).isZero();
        final var resume = List.of("--resume", folder.resolve("out").toString());
        final var other = program(Map.of("FAKE_NCCL_VERSION", "22907"), resume);
        assertThat(other.exit()).as(other.output()).isEqualTo(5);
        assertThat(other.output()).contains("this is not what the run was begun with (nccl was 2.28.9, is 2.29.7): its rounds could not be compared; give the library it was begun with (--nccl FILE)");
        final var none = program(Map.of("NCCL_LIB", folder.resolve("none.so").toString()), resume);
        assertThat(none.exit()).as(none.output()).isEqualTo(5);
        assertThat(none.output()).contains("(nccl was 2.28.9, is unknown");
        final var same = program(Map.of(), resume);
        assertThat(same.exit()).as(same.output()).isZero();
    }

    private record Ended(int exit, String output) { }

    private Ended run(final Map<String, String> variables, final String... more) throws IOException, InterruptedException {
        final var options = new ArrayList<>(List.of("--warmup", "20ms", "--measure", "50ms", "--bytes", "8192", "--calls", "6", "--dtype", "bf16", "--out", folder.resolve("out").toString()));
        options.addAll(List.of(more));
        if (options.stream().noneMatch(option -> option.startsWith("--rounds"))) {
            options.add("--rounds=1");
        }
        return program(variables, options);
    }

    /** @param options of {@code run} */
    private Ended program(final Map<String, String> variables, final List<String> options) throws IOException, InterruptedException {
        final var temporary = Files.createDirectories(folder.resolve("tmp"));
        final var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary,
                "-cp", folder.resolve("classes") + ":" + System.getProperty("java.class.path"), "org.verifycycle.cli.Main", "run", "--shm", temporary.toString()));
        command.addAll(options);
        final var output = folder.resolve("output.txt");
        final var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CUDA_") || name.startsWith("NCCL_") || name.startsWith("FAKE_"));
        builder.environment().putAll(Map.of("LD_LIBRARY_PATH", libraries.toString(), "FAKE_CUDA_DIR", folder.toString(), "FAKE_NCCL_DIR", folder.toString(),
                "NCCL_LIB", libraries.resolve("libfakenccl.so").toString()));
        builder.environment().putAll(variables);
        final var process = builder.start();
        if (!process.waitFor(150, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.waitFor(), Files.readString(output));
    }

    /** Of every process that opened a communicator. */
    private List<List<String>> calls() throws IOException {
        final var all = new ArrayList<List<String>>();
        try (Stream<Path> files = Files.list(folder)) {
            for (final var file : files.filter(f -> f.getFileName().toString().startsWith("nccl.")).toList()) {
                all.add(Files.readAllLines(file));
            }
        }
        return all;
    }
}
