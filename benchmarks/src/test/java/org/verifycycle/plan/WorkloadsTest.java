package org.verifycycle.plan;

import org.junit.jupiter.api.Test;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.result.Workload;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkloadsTest {
    @Test
    void theDefaultIs122CallsOf43008Bytes() {
        final var workload = Workloads.standard();
        assertThat(workload).isEqualTo(new Workload("kimi-k2.5, 3 tokens", 122, 43_008, Dtype.BF16,
                "config.json of moonshotai/Kimi-K2.5: 61 layers x 2 calls, hidden 7168"));
    }

    @Test
    void everyModelGivesAWorkloadThatCanBeMeasured() {
        for (final var model : Workloads.models()) {
            final var workload = Workloads.of(model.name(), 1);
            assertThat(workload.bytes() % 16).isZero();
            assertThat(workload.calls()).isEqualTo(2 * model.layers()).isLessThan(Configuration.MAX_CALLS);
            assertThat(model.source()).isNotBlank();
        }
        assertThat(Workloads.of("LLAMA-3-70B", 1)).extracting(Workload::calls, Workload::bytes).containsExactly(160, 16_384);
    }

    @Test
    void unknownModelsListTheKnown() {
        assertThatThrownBy(() -> Workloads.of("gpt-5", 3)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown model 'gpt-5'; known: kimi-k2.5, deepseek-v3, llama-3-8b, llama-3-70b, llama-3-405b, qwen3-235b, gpt-oss-120b;"
                        + " or give --calls and --bytes");
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        for (final var tokens : new int[]{0, -1, 4_682, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> Workloads.of("kimi-k2.5", tokens)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("between 1 and 4681");
        }
        assertThat(Workloads.of("kimi-k2.5", 4_681).bytes()).isLessThanOrEqualTo(Configuration.MAX_BYTES);
        assertThatThrownBy(() -> Workloads.given(0, 16, Dtype.FP32)).hasMessage("calls 0 is not between 1 and 100000");
        assertThatThrownBy(() -> Workloads.given(1, 24, Dtype.FP32)).hasMessageContaining("not a multiple of 16");
    }

    @Test
    void flagsMeanAModelOrPlainNumbers() {
        assertThat(from(null, null, null, List.of())).isEqualTo(Workloads.standard());
        assertThat(from(null, 1, null, List.of(64))).isEqualTo(Workloads.of("kimi-k2.5", 1));
        assertThat(from("qwen3-235b", null, null, List.of(64))).isEqualTo(Workloads.of("qwen3-235b", 3));
        assertThat(from(null, null, null, List.of(8192, 43_008))).isEqualTo(Workloads.standard());
        assertThat(from(null, null, null, List.of(8192, 16_384))).isEqualTo(Workloads.given(122, 8192, Dtype.BF16));
        assertThat(from(null, null, 80, List.of(8192, 16_384))).isEqualTo(Workloads.given(80, 8192, Dtype.BF16));
        assertThat(from(null, null, 80, List.of())).isEqualTo(Workloads.given(80, 43_008, Dtype.BF16));
        assertThatThrownBy(() -> from("qwen3-235b", null, 80, List.of())).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("--calls goes with --bytes");
    }

    private static Workload from(final String model, final Integer tokens, final Integer calls, final List<Integer> sizes) {
        return Workloads.from(Optional.ofNullable(model), Optional.ofNullable(tokens), Optional.ofNullable(calls), sizes, Optional.empty());
    }
}
