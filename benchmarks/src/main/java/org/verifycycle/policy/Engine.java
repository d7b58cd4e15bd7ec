package org.verifycycle.policy;

/** An engine, by families of versions that choose alike. */
public enum Engine implements Named {
    SGLANG("sglang", "SGLang with the kernels it took over from vLLM"),
    SGLANG_PATCHED("sglang-patched", "SGLang with the patch that can open the gate for PCIe boxes"),
    /** What SGLang takes by itself since #24363; without full NVLink it falls back to {@link #SGLANG} (#25650). */
    SGLANG_PUSH("sglang-push", "SGLang with its push kernels (CustomAllReduceV2)"),
    VLLM("vllm", "vLLM");

    /** From when on SGLang takes {@link #SGLANG_PUSH} unless told otherwise. */
    public static final String PUSH_SINCE = "May 2026 (sglang#24363)";

    private final String id;
    private final String about;

    Engine(final String id, final String about) {
        this.id = id;
        this.about = about;
    }

    @Override
    public String id() {
        return id;
    }

    /** In a few words, for help and output. */
    public String about() {
        return about;
    }

    /** @throws IllegalArgumentException naming the known ones */
    public static Engine parse(final String text) {
        return Named.parse(Engine.class, "engine", text);
    }
}
