package org.verifycycle.policy;

/** What becomes of an all-reduce call. */
public enum Path {
    NCCL("NCCL", "nccl/default"),
    ONE_STAGE("custom all-reduce, 1stage (one-shot pull)", "ipc/one-shot-pull"),
    TWO_STAGE("custom all-reduce, 2stage (two-shot pull)", "ipc/two-shot-pull"),
    ONE_SHOT_PUSH("custom all-reduce, one-shot push", "ipc/one-shot-sentinel"),
    TWO_SHOT_PUSH("custom all-reduce, two-shot push", "ipc/two-shot-sentinel"),
    TORCH_SYMMETRIC("torch symmetric memory where it initialises, else NCCL", ""),
    /** No kernel matches and nobody says so. */
    NOTHING("NOTHING: no kernel is launched, the output is not written, no error", "");

    private final String text;
    private final String measuredAs;

    Path(final String text, final String measuredAs) {
        this.text = text;
        this.measuredAs = measuredAs;
    }

    public String text() {
        return text;
    }

    /** The collective of ours of the same design, {@code backend/algorithm}; empty where there is none. */
    public String measuredAs() {
        return measuredAs;
    }
}
