package org.verifycycle.policy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Expected answers are worked by hand from the files that {@link Source} names. */
class PolicyTest {
    private static final int ONE_VERIFY_CALL = 43_008;

    /** @param variables {@code NAME=VALUE}, separated by blanks */
    private static Question question(final String engine, final int world, final String links, final int bytes, final String variables) {
        final var set = new TreeMap<Variable, String>();
        Arrays.stream((variables == null ? "" : variables).split(" ")).filter(s -> !s.isEmpty()).map(s -> Variable.parse(s, Engine.parse(engine))).forEach(s -> set.put(s.getKey(), s.getValue()));
        final var kind = Links.parse(links);
        return new Question(Engine.parse(engine), world, 1, kind, true, kind == Links.NVLINK ? 90 : 120, bytes, Dtype.BF16, Launch.GRAPH, set);
    }

    private static Decision decide(final String engine, final int world, final String links, final int bytes, final String variables) {
        return Policy.decide(question(engine, world, links, bytes, variables));
    }

    @ParameterizedTest
    @CsvSource({
        // Gates: worlds, links, alignment, size.
        "sglang, 1, nvlink, 43008, , NCCL",
        "sglang, 3, nvlink, 43008, , NCCL",
        "sglang, 16, nvlink, 43008, , NCCL",
        "sglang, 8, pcie, 43008, , NCCL",
        "sglang, 8, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=1, NCCL",
        "sglang, 2, pcie, 43008, , ONE_STAGE",
        "sglang, 2, pcie, 43010, , NCCL",
        "sglang, 2, pcie, 8388592, , ONE_STAGE",
        "sglang, 2, pcie, 8388608, , NCCL",
        // Dispatch over full NVLink, at its thresholds.
        "sglang, 2, nvlink, 8388592, , ONE_STAGE",
        "sglang, 4, nvlink, 524272, , ONE_STAGE",
        "sglang, 4, nvlink, 524288, , TWO_STAGE",
        "sglang, 6, nvlink, 262128, , ONE_STAGE",
        "sglang, 6, nvlink, 262144, , TWO_STAGE",
        "sglang, 8, nvlink, 262128, , ONE_STAGE",
        "sglang, 8, nvlink, 262144, , TWO_STAGE",
        "sglang, 8, nvlink, 262144, SGLANG_CUSTOM_ALLREDUCE_ALGO=oneshot, ONE_STAGE",
        "sglang, 8, nvlink, 16, SGLANG_CUSTOM_ALLREDUCE_ALGO=twoshot, TWO_STAGE",
        "sglang, 2, nvlink, 16, SGLANG_CUSTOM_ALLREDUCE_ALGO=2stage, TWO_STAGE",
        // The override opens no gate.
        "sglang, 8, pcie, 43008, SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage, NCCL",
        // Patched: the gate opens on demand, and then the dispatch has nothing without the override.
        "sglang-patched, 8, pcie, 43008, , NCCL",
        "sglang-patched, 8, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=0, NCCL",
        "sglang-patched, 8, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=1, NOTHING",
        "sglang-patched, 4, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=1, NOTHING",
        "sglang-patched, 8, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=1 SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage, ONE_STAGE",
        "sglang-patched, 8, pcie, 43008, SGLANG_FORCE_CUSTOM_AR_PCIE=1 SGLANG_CUSTOM_ALLREDUCE_ALGO=2stage, TWO_STAGE",
        "sglang-patched, 8, pcie, 1048576, SGLANG_FORCE_CUSTOM_AR_PCIE=1 SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage, NCCL",
        "sglang-patched, 8, nvlink, 1048576, , TWO_STAGE",
        "sglang-patched, 2, pcie, 43008, , ONE_STAGE",
        // Push kernels, Hopper, in a graph.
        "sglang-push, 8, nvlink, 131072, , ONE_SHOT_PUSH",
        "sglang-push, 8, nvlink, 131088, , TWO_STAGE",
        "sglang-push, 8, nvlink, 16777216, , TWO_STAGE",
        "sglang-push, 8, nvlink, 16777232, , NCCL",
        "sglang-push, 3, nvlink, 1310720, , ONE_SHOT_PUSH",
        "sglang-push, 9, nvlink, 43008, , NCCL",
        // Without full NVLink the kernels of before, sgl-project/sglang #25650.
        "sglang-push, 2, pcie, 43008, , ONE_STAGE",
        "sglang-push, 8, pcie, 43008, , NCCL",
        "sglang-push, 3, pcie, 43008, , NCCL",
        "sglang-push, 2, pcie, 43008, SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=0, ONE_STAGE",
        "sglang-push, 2, nvlink, 43010, , NCCL",
        // vLLM.
        "vllm, 8, pcie, 43008, VLLM_CUSTOM_ALLREDUCE_ALGO=1stage, NCCL",
        "vllm, 2, pcie, 43008, , ONE_STAGE",
        "vllm, 8, nvlink, 262128, , ONE_STAGE",
        "vllm, 8, nvlink, 262144, , TORCH_SYMMETRIC",
        "vllm, 8, nvlink, 262144, VLLM_ALLREDUCE_USE_SYMM_MEM=0, TWO_STAGE",
        "vllm, 8, nvlink, 8388608, VLLM_ALLREDUCE_USE_SYMM_MEM=0, NCCL",
        "vllm, 4, nvlink, 524288, , TWO_STAGE",
        "vllm, 4, nvlink, 33554432, , TORCH_SYMMETRIC",
        "vllm, 4, nvlink, 33554448, , NCCL",
        "vllm, 8, nvlink, 43008, VLLM_CUSTOM_ALLREDUCE_ALGO=twoshot, TWO_STAGE",
        "vllm, 8, nvlink, 43008, SGLANG_CUSTOM_ALLREDUCE_ALGO=2stage, ONE_STAGE",
    })
    void thePathIsTheEngines(final String engine, final int world, final String links, final int bytes, final String variables, final Path path) {
        assertThat(decide(engine, world, links, bytes, variables).path()).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({"100, GRAPH, 4, 1179632, ONE_SHOT_PUSH", "100, GRAPH, 4, 1179648, TWO_SHOT_PUSH", "100, GRAPH, 4, 8388608, TWO_SHOT_PUSH", "100, GRAPH, 4, 8388624, TWO_STAGE",
        "100, EAGER, 4, 2097152, TWO_SHOT_PUSH", "100, GRAPH, 2, 8388624, ONE_STAGE", "100, GRAPH, 8, 524288, ONE_SHOT_PUSH", "100, GRAPH, 8, 524304, TWO_STAGE",
        "90, EAGER, 4, 917504, ONE_SHOT_PUSH", "90, GRAPH, 4, 917504, TWO_STAGE", "120, GRAPH, 8, 1048576, ONE_SHOT_PUSH", "120, GRAPH, 8, 1048592, TWO_STAGE", "80, EAGER, 2, 16777216, TWO_STAGE"})
    void pushThresholdsAreOfTheGpuAndTheLaunch(final int capability, final Launch launch, final int world, final int bytes, final Path path) {
        assertThat(Policy.decide(new Question(Engine.SGLANG_PUSH, world, 1, Links.NVLINK, true, capability, bytes, Dtype.BF16, launch, Map.of())).path()).isEqualTo(path);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void severalNodesAndMissingPeerAccessGiveNccl(final Engine engine) {
        final var nodes = new Question(engine, 8, 2, Links.NVLINK, true, 90, ONE_VERIFY_CALL, Dtype.BF16, Launch.GRAPH, Map.of());
        final var peers = new Question(engine, 8, 1, Links.NVLINK, false, 90, ONE_VERIFY_CALL, Dtype.BF16, Launch.GRAPH, Map.of());
        assertThat(Policy.decide(nodes)).satisfies(d -> {
            assertThat(d.path()).isEqualTo(Path.NCCL);
            assertThat(d.steps()).hasSize(1).first().satisfies(s -> assertThat(s.fact()).isEqualTo("2 nodes"));
        });
        assertThat(Policy.decide(peers)).satisfies(d -> {
            assertThat(d.path()).isEqualTo(Path.NCCL);
            assertThat(d.steps().get(d.steps().size() - 1).fact()).isEqualTo("no peer access between some pair");
        });
    }

    @Test
    void onlyBf16GoesToTorchSymmetricMemory() {
        final var q = new Question(Engine.VLLM, 8, 1, Links.NVLINK, true, 90, 1 << 20, Dtype.FP16, Launch.GRAPH, Map.of());
        assertThat(Policy.decide(q).path()).isEqualTo(Path.NCCL);
    }

    @Test
    void gatesAreToldUpToTheFirstThatRefuses() {
        final var steps = decide("sglang", 8, "pcie", ONE_VERIFY_CALL, "").steps();
        assertThat(steps).extracting(Decision.Step::passed).containsExactly(true, true, false);
        assertThat(steps.get(2).fact()).isEqualTo("world 8, not full NVLink (PCIe)");
        assertThat(steps).extracting(Decision.Step::source).allSatisfy(s -> assertThat(s).contains("sglang"));
    }

    @Test
    void theGridIsThatOfTheKernels() {
        // 43,008 bytes are 2,688 packs of 16 bytes: 5.25 blocks of 512. 8 MiB less one pack would be 1,024 blocks: capped.
        assertThat(decide("sglang", 2, "pcie", ONE_VERIFY_CALL, "").grid()).isEqualTo("6x512");
        assertThat(decide("vllm", 2, "pcie", 8_388_592, "").grid()).isEqualTo("36x512");
        assertThat(decide("sglang-push", 2, "nvlink", ONE_VERIFY_CALL, "").grid()).isEmpty();
        assertThat(decide("sglang", 8, "pcie", ONE_VERIFY_CALL, "").grid()).isEmpty();
    }

    @Test
    void theCaseThatStartedThisIsToldInThreeSteps() {
        final var before = decide("sglang", 8, "pcie", ONE_VERIFY_CALL, "");
        assertThat(before.warnings().get(0)).startsWith("Don't just take this gate out of the code").contains("launches nothing");
        final var closed = decide("sglang-patched", 8, "pcie", ONE_VERIFY_CALL, "");
        assertThat(closed.warnings().get(0)).startsWith("SGLANG_FORCE_CUSTOM_AR_PCIE=1 opens this gate. Alone it makes things worse").contains("SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage");
        final var alone = decide("sglang-patched", 8, "pcie", ONE_VERIFY_CALL, "SGLANG_FORCE_CUSTOM_AR_PCIE=1");
        assertThat(alone.warnings().get(0)).startsWith("The all-reduce does not happen").contains("SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage");
        assertThat(alone.steps().get(alone.steps().size() - 1).passed()).isFalse();
        final var both = decide("sglang-patched", 8, "pcie", ONE_VERIFY_CALL, "SGLANG_FORCE_CUSTOM_AR_PCIE=1 SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage");
        assertThat(both.warnings()).noneMatch(w -> w.contains("launches nothing"));
        final var overrideFirst = decide("sglang-patched", 8, "pcie", ONE_VERIFY_CALL, "SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage");
        assertThat(overrideFirst.warnings().get(0)).isEqualTo("SGLANG_FORCE_CUSTOM_AR_PCIE=1 opens this gate.");
    }

    @Test
    void theEnginesOwnTestOfPeerAccessIsNotTakenForOne() {
        assertThat(decide("sglang", 2, "pcie", ONE_VERIFY_CALL, "").warnings()).anyMatch(w -> w.contains("cudaMemset"));
        assertThat(decide("vllm", 2, "pcie", ONE_VERIFY_CALL, "VLLM_SKIP_P2P_CHECK=1").warnings()).anyMatch(w -> w.contains("first peer only"));
        assertThat(decide("sglang", 2, "pcie", ONE_VERIFY_CALL, "SGLANG_SKIP_P2P_CHECK=1").warnings()).anyMatch(w -> w.contains("first peer only"));
        assertThat(decide("vllm", 8, "nvlink", ONE_VERIFY_CALL, "").warnings()).isEmpty();
    }

    @Test
    void whichKernelsSglangTakesByItselfIsSaid() {
        assertThat(decide("sglang", 8, "nvlink", ONE_VERIFY_CALL, "").warnings()).singleElement().asString().contains("Since May 2026 (sglang#24363)", "--engine sglang-push");
        assertThat(decide("sglang-push", 8, "nvlink", ONE_VERIFY_CALL, "").warnings()).isEmpty();
        assertThat(decide("sglang-push", 2, "pcie", ONE_VERIFY_CALL, "").warnings().get(0)).contains("the older ones are taken (sglang#25650)");
        assertThat(decide("sglang-push", 2, "pcie", ONE_VERIFY_CALL, "").grid()).isEqualTo("6x512");
    }

    @Test
    void aVariableThatTheEngineDoesNotReadIsNamed() {
        assertThat(decide("vllm", 2, "nvlink", ONE_VERIFY_CALL, "SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage").warnings()).containsExactly("SGLANG_CUSTOM_ALLREDUCE_ALGO is set, but vllm does not read it.");
        assertThat(decide("sglang-push", 2, "nvlink", ONE_VERIFY_CALL, "SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage").warnings())
                .containsExactly("SGLANG_CUSTOM_ALLREDUCE_ALGO is set, but sglang-push does not read it for its push kernels.");
    }

    @Test
    void badValuesAreRefusedWithTheValidOnes() {
        assertThatThrownBy(() -> Engine.parse("tgi")).hasMessage("unknown engine 'tgi'; known: sglang, sglang-patched, sglang-push, vllm");
        assertThatThrownBy(() -> Links.parse("xgmi")).hasMessage("unknown link 'xgmi'; known: nvlink, pcie");
        assertThatThrownBy(() -> Variable.parse("SGLANG_CUSTOM_ALLREDUCE_ALGO=3stage", Engine.SGLANG)).hasMessage("value '3stage' of SGLANG_CUSTOM_ALLREDUCE_ALGO is not valid; known: 1stage, oneshot, 2stage, twoshot");
        assertThatThrownBy(() -> Variable.parse("SGLANG_X=1", Engine.SGLANG)).hasMessageStartingWith("variable 'SGLANG_X' is not one").hasMessageContaining("SGLANG_FORCE_CUSTOM_AR_PCIE");
        assertThatThrownBy(() -> Variable.parse("A", Engine.SGLANG)).hasMessage("'A' is not of the form NAME=VALUE");
        assertThatThrownBy(() -> question("sglang", 65, "pcie", 16, "")).hasMessage("world 65 is not between 1 and 64 ranks");
        assertThatThrownBy(() -> question("sglang", 2, "pcie", 17, "")).hasMessage("size 17 is not a positive multiple of the 2 bytes of a bf16");
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "TRUE, 1", "yes, 1", "y, 1", "1, 1", "False, 0", "no, 0", "N, 0", "0, 0"})
    void sglangsBooleansAreWordsInAnyCase(final String word, final String value) {
        assertThat(Variable.parse("SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=" + word, Engine.SGLANG_PUSH)).isEqualTo(Map.entry(Variable.SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2, value));
    }

    @Test
    void theP2pTestOfSglangIsSkippedByTheFigureOneOnly() {
        // custom_all_reduce.py compares the text with "1".
        assertThat(Variable.of(Map.of("SGLANG_SKIP_P2P_CHECK", "true"), Engine.SGLANG)).containsExactly(Map.entry(Variable.SGLANG_SKIP_P2P_CHECK, "0"));
        assertThat(Variable.of(Map.of("SGLANG_SKIP_P2P_CHECK", "1"), Engine.SGLANG)).containsExactly(Map.entry(Variable.SGLANG_SKIP_P2P_CHECK, "1"));
    }

    @Test
    void onlyWhatTheEngineReadsIsChecked() {
        assertThat(Variable.of(Map.of("VLLM_ALLREDUCE_USE_SYMM_MEM", "maybe"), Engine.SGLANG)).containsExactly(Map.entry(Variable.VLLM_ALLREDUCE_USE_SYMM_MEM, "maybe"));
        assertThatThrownBy(() -> Variable.of(Map.of("VLLM_ALLREDUCE_USE_SYMM_MEM", "maybe"), Engine.VLLM)).hasMessage("value 'maybe' of VLLM_ALLREDUCE_USE_SYMM_MEM is not valid; known: 0, 1");
    }

    @Test
    void onlyKnownVariablesOfAnEnvironmentCount() {
        assertThat(Variable.of(Map.of("PATH", "/bin", "VLLM_SKIP_P2P_CHECK", "1"), Engine.VLLM)).containsExactly(Map.entry(Variable.VLLM_SKIP_P2P_CHECK, "1"));
    }

    @Test
    void theTableOverSizesFlipsWhereTheChoiceDoes() {
        assertThat(Flips.of(question("sglang", 8, "nvlink", 16, ""), 16 << 20)).containsExactly(new Flips.Range(16, 262_128, Path.ONE_STAGE), new Flips.Range(262_144, 8_388_592, Path.TWO_STAGE),
                new Flips.Range(8_388_608, 16 << 20, Path.NCCL));
        assertThat(Flips.of(question("sglang-push", 8, "nvlink", 16, ""), 1 << 20)).containsExactly(new Flips.Range(16, 131_072, Path.ONE_SHOT_PUSH), new Flips.Range(131_088, 1 << 20, Path.TWO_STAGE));
        assertThat(Flips.of(question("sglang-patched", 8, "pcie", 16, "SGLANG_FORCE_CUSTOM_AR_PCIE=1"), 2 << 20))
                .containsExactly(new Flips.Range(16, 1_048_560, Path.NOTHING), new Flips.Range(1 << 20, 2 << 20, Path.NCCL));
    }
}
