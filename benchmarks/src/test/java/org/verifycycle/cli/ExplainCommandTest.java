package org.verifycycle.cli;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/** In this process; links and all are given, so no GPU is looked for. */
class ExplainCommandTest {
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        final var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        System.setOut(stream);
        System.setErr(stream);
    }

    @AfterEach
    void stopListening() {
        System.setOut(out);
        System.setErr(err);
    }

    private int explain(final String words) {
        return Main.execute(("explain --world 8 --link pcie --peer yes --capability 12.0 " + words).strip().split(" "));
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theAnswerComesFirstThenTheGatesThenTheSizes() {
        assertThat(explain("--bytes 42KiB")).isZero();
        assertThat(said()).startsWith("SGLang with the kernels it took over from vLLM, 43,008 bytes of bf16, 8 ranks, pcie, graph: NCCL.\nMind: ").doesNotContain("Assumed");
        assertThat(said().replaceAll("\\s+", " ")).containsSubsequence("Gate by gate", "world size 2 or full NVLink NO world 8, not full NVLink (PCIe)", "By size", "16 B 64 MiB NCCL");
    }

    @Test
    void severalEnginesAreToldOneAfterTheOther() {
        assertThat(explain("--engine sglang-push,vllm")).isZero();
        assertThat(said()).containsSubsequence("SGLang with its push kernels", "vLLM, 43,008 bytes");
    }

    @Test
    void sglangsWordsForNoAreTaken() {
        assertThat(Main.execute("explain --engine sglang-push --world 2 --link pcie --peer yes --capability 12.0 --env SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=false".split(" "))).isZero();
        assertThat(said()).contains("1stage (one-shot pull)");
    }

    @Test
    void aValueOfAnotherEnginesVariableIsNotChecked() {
        assertThat(explain("--engine sglang --env VLLM_SKIP_P2P_CHECK=perhaps")).isZero();
        assertThat(said().replaceAll("\\s+", " ")).contains("VLLM_SKIP_P2P_CHECK is set, but sglang does not read it.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--engine trt               | unknown engine 'trt'; known: sglang, sglang-patched, sglang-push, vllm",
        "--dtype fp8                | unknown dtype 'fp8'; known: fp32, bf16, fp16",
        "--launch now               | unknown launch 'now'; known: graph, eager",
        "--launch barriered         | unknown launch 'barriered'; known: graph, eager",
        "--bytes 10KB               | size '10KB' could mean 1000 or 1024; write 10KiB",
        "--bytes 43007              | size 43007 is not a positive multiple of the 2 bytes of a bf16",
        "--nodes 9                  | nodes 9 is not between 1 and the world size, 8",
        "--engine vllm --env VLLM_SKIP_P2P_CHECK=yes | value 'yes' of VLLM_SKIP_P2P_CHECK is not valid; known: 0, 1",
        "--env PATH=x               | variable 'PATH' is not one that this choice depends on; known: SGLANG_FORCE_CUSTOM_AR_PCIE,",
    })
    void badValuesGetTheValidOnes(final String words, final String message) {
        assertThat(explain(words)).isEqualTo(ExitCode.USAGE.code());
        assertThat(said()).startsWith("error: " + message).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "explain --world 8 --link usb --peer yes --capability 9.0   | unknown link 'usb'; known: nvlink, pcie, auto",
        "explain --world 8 --link pcie --peer maybe --capability 9.0 | unknown value 'maybe' of --peer; known: yes, no, auto",
        "explain --world 8 --link pcie --peer yes --capability nine  | 'nine' is not a compute capability; write e.g. 9.0, 10.0 or 12.0",
        "explain --world 80 --link pcie --peer yes --capability 9.0  | world 80 is not between 1 and 64 ranks",
    })
    void soDoBadMachines(final String words, final String message) {
        assertThat(Main.execute(words.split(" "))).isEqualTo(ExitCode.USAGE.code());
        assertThat(said()).startsWith("error: " + message).hasLineCount(1);
    }
}
