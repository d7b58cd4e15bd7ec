package org.verifycycle.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a person should know beside the path. */
final class Warnings {
    private Warnings() {
    }

    /** @param hole whether the dispatch would launch nothing if the gate were open */
    static List<String> refused(final Question q, final Gate gate, final boolean hole) {
        final var warnings = new ArrayList<String>();
        if (gate.beforeHole() && q.engine() == Engine.SGLANG_PATCHED) {
            warnings.add("SGLANG_FORCE_CUSTOM_AR_PCIE=1 opens this gate." + (hole ? " Alone it makes things worse: " + hole(q) : ""));
        } else if (hole) {
            warnings.add("Don't just take this gate out of the code: " + hole(q));
        }
        if (!q.nvlink()) {
            warnings.add("NCCL's defaults are slow for small tensors over PCIe: compare with NCCL_P2P_LEVEL=SYS and NCCL_PROTO=LL,LL128,Simple before choosing anything else.");
        }
        warnings.addAll(unread(q));
        return warnings;
    }

    static List<String> taken(final Question q, final Path path) {
        final var warnings = new ArrayList<String>();
        if (path == Path.NOTHING) {
            warnings.add("The all-reduce does not happen: " + hole(q));
        }
        if (q.engine() == Engine.SGLANG && q.nvlink()) {
            warnings.add("Since " + Engine.PUSH_SINCE + " SGLang takes its push kernels over full NVLink, unless SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=0: see --engine sglang-push.");
        } else if (q.engine() == Engine.SGLANG_PUSH && !q.nvlink()) {
            warnings.add("Without full NVLink there are no push kernels: the older ones are taken (sglang#25650).");
        }
        if (q.is(Variable.SGLANG_SKIP_P2P_CHECK, "1") || q.is(Variable.VLLM_SKIP_P2P_CHECK, "1")) {
            warnings.add("The P2P test is skipped: the driver's report is trusted, and it is asked about the first peer only.");
        } else if (!q.nvlink()) {
            warnings.add("The engine's P2P test writes by cudaMemset, not by stores of kernels, and its result is cached on disk: doctor tests what the kernels do.");
        }
        warnings.addAll(unread(q));
        return warnings;
    }

    private static String hole(final Question q) {
        final var override = q.engine() == Engine.VLLM ? Variable.VLLM_CUSTOM_ALLREDUCE_ALGO : Variable.SGLANG_CUSTOM_ALLREDUCE_ALGO;
        return "the kernels' dispatch has no line for world > 2 without full NVLink, so it launches nothing, leaves the output unwritten and reports no error. "
                + override + "=1stage (or 2stage) gives it one.";
    }

    private static List<String> unread(final Question q) {
        final var push = !Rules.legacy(q);
        return Arrays.stream(Variable.values()).filter(q.variables()::containsKey)
                .filter(v -> !v.readBy(q.engine()) || push && v == Variable.SGLANG_CUSTOM_ALLREDUCE_ALGO)
                .map(v -> v + " is set, but " + q.engine().id() + " does not read it" + (v.readBy(q.engine()) ? " for its push kernels." : ".")).toList();
    }
}
