package org.verifycycle.policy;

import org.verifycycle.collective.Dtype;

import java.util.Map;

/**
 * How vLLM divides sizes between its custom all-reduce and torch symmetric memory: most MiB per compute capability and world, as
 * all_reduce_utils.py has them. Only GPUs in the tables have it, and it also needs multicast, so full NVLink, and bf16.
 */
final class SymmetricTable {
    private static final int CUSTOM_DEFAULT_BYTES = 8 << 20;
    private static final int MIB = 1 << 20;
    private static final Map<Integer, Map<Integer, Double>> CUSTOM = Map.of(
            90, Map.of(2, 64.0, 4, 32.0, 6, 0.5, 8, 0.25),
            100, Map.of(2, 2.0, 4, 2.0, 6, 1.0, 8, 1.0),
            103, Map.of(2, 4.0, 4, 4.0, 6, 8.0, 8, 4.0));
    private static final Map<Integer, Map<Integer, Double>> SYMMETRIC = Map.of(
            90, Map.of(2, 64.0, 4, 32.0, 6, 64.0, 8, 64.0),
            100, Map.of(2, 8.0, 4, 32.0, 6, 128.0, 8, 128.0),
            103, Map.of(2, 4.0, 4, 32.0, 6, 32.0, 8, 64.0));

    private SymmetricTable() {
    }

    /** The custom all-reduce takes less than this. */
    static int customLimit(final Question q) {
        return available(q) ? (int) Math.min(CUSTOM_DEFAULT_BYTES, CUSTOM.get(q.capability()).get(q.world()) * MIB) : CUSTOM_DEFAULT_BYTES;
    }

    /** Whether what the custom all-reduce refuses goes there. */
    static boolean takes(final Question q) {
        return q.nodes() == 1 && available(q) && q.dtype() == Dtype.BF16 && q.bytes() % 4 == 0 && q.bytes() <= SYMMETRIC.get(q.capability()).get(q.world()) * MIB;
    }

    private static boolean available(final Question q) {
        return !q.is(Variable.VLLM_ALLREDUCE_USE_SYMM_MEM, "0") && q.nvlink() && q.peerAccess() && CUSTOM.getOrDefault(q.capability(), Map.of()).containsKey(q.world());
    }
}
