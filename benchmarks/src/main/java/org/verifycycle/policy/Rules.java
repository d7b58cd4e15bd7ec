package org.verifycycle.policy;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How one family of versions chooses: through all gates to the first row of the dispatch that holds, else to {@code refused}.
 * A dispatch without a row that holds launches nothing.
 *
 * @param refused where a call goes that a gate keeps out
 */
record Rules(List<Gate> gates, Function<Question, Path> refused, List<Row> dispatch) {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final List<Integer> WORLDS = List.of(2, 4, 6, 8);
    private static final int LARGEST_PUSH_WORLD = 8;
    /** Of the kernels' template: 16 bytes a thread and step. */
    private static final int PACK_BYTES = 16;

    static Rules of(final Question q) {
        return switch (q.engine()) {
            case SGLANG -> legacySglang();
            case SGLANG_PATCHED -> patchedSglang();
            case SGLANG_PUSH -> legacy(q) ? legacySglang() : pushSglang();
            case VLLM -> vllm();
        };
    }

    /** Whether SGLang takes the kernels it had before: told to, or without full NVLink (sgl-project/sglang #25650). */
    static boolean legacy(final Question q) {
        return q.engine() != Engine.SGLANG_PUSH || q.is(Variable.SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2, "0") || !q.nvlink();
    }

    private static Rules legacySglang() {
        return new Rules(List.of(oneNode(Source.SGLANG_GATES), worlds(Source.SGLANG_GATES), links(Source.SGLANG_GATES, q -> q.world() <= 2 || q.nvlink(), ""),
                peers(Source.SGLANG_LINKS), aligned(Source.SGLANG_GATES), below(Source.SGLANG_GATES, q -> 8 * MIB)), q -> Path.NCCL,
                pullDispatch(Variable.SGLANG_CUSTOM_ALLREDUCE_ALGO, Source.SGLANG_OVERRIDE, Source.SGLANG_DISPATCH));
    }

    private static Rules patchedSglang() {
        return new Rules(List.of(oneNode(Source.SGLANG_GATES), worlds(Source.SGLANG_GATES),
                links(Source.SGLANG_PATCH, q -> q.world() <= 2 || q.nvlink() || q.is(Variable.SGLANG_FORCE_CUSTOM_AR_PCIE, "1"), " or SGLANG_FORCE_CUSTOM_AR_PCIE=1"),
                peers(Source.SGLANG_LINKS), aligned(Source.SGLANG_GATES), below(Source.SGLANG_PATCH, q -> q.nvlink() ? 8 * MIB : MIB)), q -> Path.NCCL,
                pullDispatch(Variable.SGLANG_CUSTOM_ALLREDUCE_ALGO, Source.SGLANG_OVERRIDE, Source.SGLANG_DISPATCH));
    }

    private static Rules pushSglang() {
        return new Rules(List.of(oneNode(Source.SGLANG_LINKS),
                new Gate("world size is 2 to 8", Source.SGLANG_PUSH, q -> q.world() >= 2 && q.world() <= LARGEST_PUSH_WORLD, q -> "it is " + q.world()),
                peers(Source.SGLANG_LINKS), aligned(Source.SGLANG_PUSH),
                new Gate("at most the buffer, 16 MiB", Source.SGLANG_PUSH, q -> q.bytes() <= PushTable.BUFFER_BYTES, q -> size(q.bytes())),
                new Gate("at most where NCCL is taken to win", Source.SGLANG_PUSH_TABLE, q -> q.bytes() <= PushTable.of(q).twoShot(),
                        q -> size(q.bytes()) + ", the table says " + size(PushTable.of(q).twoShot()))), q -> Path.NCCL,
                List.of(new Row("size in the band of the two-shot push", Source.SGLANG_PUSH_TABLE, q -> PushTable.of(q).inTwoShotPush(q.bytes()), Path.TWO_SHOT_PUSH),
                        new Row("size up to the limit of the one-shot push", Source.SGLANG_PUSH_TABLE, q -> q.bytes() <= PushTable.of(q).push(), Path.ONE_SHOT_PUSH),
                        new Row("size up to the limit of the one-shot pull", Source.SGLANG_PUSH_TABLE, q -> q.bytes() <= PushTable.of(q).pull(), Path.ONE_STAGE),
                        new Row("any other size", Source.SGLANG_PUSH_TABLE, q -> true, Path.TWO_STAGE)));
    }

    private static Rules vllm() {
        return new Rules(List.of(oneNode(Source.VLLM_GATES), worlds(Source.VLLM_GATES), links(Source.VLLM_GATES, q -> q.world() <= 2 || q.nvlink(), ""),
                peers(Source.VLLM_GATES), aligned(Source.VLLM_GATES), below(Source.VLLM_SIZES, SymmetricTable::customLimit)),
                q -> SymmetricTable.takes(q) ? Path.TORCH_SYMMETRIC : Path.NCCL,
                pullDispatch(Variable.VLLM_CUSTOM_ALLREDUCE_ALGO, Source.VLLM_DISPATCH, Source.VLLM_DISPATCH));
    }

    /** The override stands before everything else, so it is also what fills the hole at the end. */
    private static List<Row> pullDispatch(final Variable override, final Source ofOverride, final Source source) {
        return List.of(new Row(override + " is 1stage or oneshot", ofOverride, q -> q.is(override, "1stage", "oneshot"), Path.ONE_STAGE),
                new Row(override + " is 2stage or twoshot", ofOverride, q -> q.is(override, "2stage", "twoshot"), Path.TWO_STAGE),
                new Row("world size is 2", source, q -> q.world() == 2, Path.ONE_STAGE),
                new Row("full NVLink, world <= 4 and size < 512 KiB", source, q -> q.nvlink() && q.world() <= 4 && q.bytes() < 512 * KIB, Path.ONE_STAGE),
                new Row("full NVLink, world <= 8 and size < 256 KiB", source, q -> q.nvlink() && q.world() <= 8 && q.bytes() < 256 * KIB, Path.ONE_STAGE),
                new Row("full NVLink, any other size", source, Question::nvlink, Path.TWO_STAGE));
    }

    private static Gate oneNode(final Source source) {
        return new Gate("all ranks on one node", source, q -> q.nodes() == 1, q -> q.nodes() == 1 ? "one node" : q.nodes() + " nodes");
    }

    private static Gate worlds(final Source source) {
        return new Gate("world size is 2, 4, 6 or 8", source, q -> WORLDS.contains(q.world()), q -> "it is " + q.world());
    }

    private static Gate links(final Source source, final Predicate<Question> lets, final String orElse) {
        return new Gate("world size 2 or full NVLink" + orElse, source, lets, q -> "world " + q.world() + ", " + q.links().about()
                + (q.is(Variable.SGLANG_FORCE_CUSTOM_AR_PCIE, "1") ? ", SGLANG_FORCE_CUSTOM_AR_PCIE=1" : ""), true);
    }

    private static Gate peers(final Source source) {
        return new Gate("every GPU reaches every other's memory", source, Question::peerAccess, q -> q.peerAccess() ? "peer access between all pairs" : "no peer access between some pair");
    }

    private static Gate aligned(final Source source) {
        return new Gate("size is a multiple of 16 bytes", source, q -> q.bytes() % PACK_BYTES == 0, q -> "%,d bytes".formatted(q.bytes()));
    }

    private static Gate below(final Source source, final Function<Question, Integer> limit) {
        return new Gate("size is below the limit", source, q -> q.bytes() < limit.apply(q), q -> size(q.bytes()) + ", the limit is " + size(limit.apply(q)));
    }

    static String size(final int bytes) {
        return bytes % MIB == 0 ? bytes / MIB + " MiB" : bytes % KIB == 0 ? bytes / KIB + " KiB" : "%,d bytes".formatted(bytes);
    }
}
