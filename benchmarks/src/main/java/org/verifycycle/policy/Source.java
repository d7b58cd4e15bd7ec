package org.verifycycle.policy;

/**
 * Where rules were read: repository, file and commit, or what else a rule is known from.
 *
 * Repositories: sgl-project/sglang, vllm-project/vllm, flashinfer-ai/flashinfer.
 */
enum Source {
    SGLANG_GATES("sglang custom_all_reduce.py @263bc85"),
    SGLANG_LINKS("sglang custom_all_reduce_utils.py @0cd72ba"),
    SGLANG_DISPATCH("sglang sgl-kernel/custom_all_reduce.cuh @5a56108"),
    SGLANG_OVERRIDE("sglang sgl-kernel/custom_all_reduce.cuh @afebb7a"),
    SGLANG_PATCH("the PCIe patch, which is not in sglang"),
    SGLANG_PUSH("sglang custom_all_reduce_v2.py @08d6c01"),
    SGLANG_PUSH_TABLE("sglang configs/custom_all_reduce_v2.py @09e7d8e"),
    VLLM_GATES("vllm custom_all_reduce.py @00d618a"),
    VLLM_SIZES("vllm all_reduce_utils.py @00d618a"),
    VLLM_DISPATCH("vllm csrc/custom_all_reduce.cuh, flashinfer#4393");

    private final String text;

    Source(final String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
