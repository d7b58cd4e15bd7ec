package org.verifycycle.plan;

import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.result.Workload;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Verify cycles of known models. A transformer layer under tensor parallelism ends its attention and its MLP with one
 * all-reduce each, so a cycle has 2 calls a layer; each moves tokens x hidden elements of bf16.
 */
public final class Workloads {
    public static final String DEFAULT_MODEL = "kimi-k2.5";
    /** Two draft tokens and the one that is certain. */
    public static final int DEFAULT_TOKENS = 3;
    private static final int CALLS_PER_LAYER = 2;

    private static final List<Model> MODELS = List.of(
            new Model("kimi-k2.5", 61, 7168, "config.json of moonshotai/Kimi-K2.5"),
            new Model("deepseek-v3", 61, 7168, "config.json of deepseek-ai/DeepSeek-V3"),
            new Model("llama-3-8b", 32, 4096, "The Llama 3 Herd of Models (arXiv 2407.21783), table 3"),
            new Model("llama-3-70b", 80, 8192, "The Llama 3 Herd of Models (arXiv 2407.21783), table 3"),
            new Model("llama-3-405b", 126, 16384, "The Llama 3 Herd of Models (arXiv 2407.21783), table 3"),
            new Model("qwen3-235b", 94, 4096, "config.json of Qwen/Qwen3-235B-A22B"),
            new Model("gpt-oss-120b", 36, 2880, "config.json of openai/gpt-oss-120b"));

    private Workloads() {
    }

    /**
     * A model's shape.
     *
     * @param layers transformer layers, without those that only draft (multi-token prediction)
     * @param hidden elements of one token's hidden state
     * @param source where both numbers stand
     */
    public record Model(String name, int layers, int hidden, String source) { }

    /** All known models. */
    public static List<Model> models() {
        return MODELS;
    }

    /** 122 calls of 43,008 bytes. */
    public static Workload standard() {
        return of(DEFAULT_MODEL, DEFAULT_TOKENS);
    }

    /**
     * The verify cycle of a model.
     *
     * @param tokens that one cycle verifies, at least 1
     * @throws IllegalArgumentException on an unknown model, listing the known ones, or when a tensor would be too large
     */
    public static Workload of(final String model, final int tokens) {
        final var shape = MODELS.stream().filter(m -> m.name.equals(model.strip().toLowerCase(Locale.ROOT))).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown model '" + model + "'; known: "
                        + MODELS.stream().map(Model::name).collect(Collectors.joining(", ")) + "; or give --calls and --bytes"));
        final var most = Configuration.MAX_BYTES / (shape.hidden * Dtype.BF16.bytes());
        if (tokens < 1 || tokens > most) {
            throw new IllegalArgumentException("tokens " + tokens + " is not between 1 and " + most + " (a tensor of " + shape.name
                    + " is then " + Sizes.format(Configuration.MAX_BYTES) + ")");
        }
        return new Workload(shape.name + ", " + tokens + (tokens == 1 ? " token" : " tokens"), CALLS_PER_LAYER * shape.layers,
                Sizes.check(tokens * shape.hidden * Dtype.BF16.bytes()), Dtype.BF16, shape.source + ": " + shape.layers + " layers x "
                + CALLS_PER_LAYER + " calls, hidden " + shape.hidden);
    }

    /**
     * A verify cycle in plain numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public static Workload given(final int calls, final int bytes, final Dtype dtype) {
        if (calls < 1 || calls > Configuration.MAX_CALLS) {
            throw new IllegalArgumentException("calls " + calls + " is not between 1 and " + Configuration.MAX_CALLS);
        }
        return new Workload("given", calls, Sizes.check(bytes), dtype, "given on the command line");
    }

    /**
     * What the flags of a command line mean together. {@code --model} or {@code --tokens} name a model's cycle, and then
     * {@code sizes} are only further sizes to measure; {@code --calls} or a list of sizes without them give a cycle in plain
     * numbers, whose size is the default's if it is in the list, else the first of the list.
     *
     * @throws IllegalArgumentException if both ways are mixed or a value is out of range
     */
    public static Workload from(final Optional<String> model, final Optional<Integer> tokens, final Optional<Integer> calls,
                                final List<Integer> sizes, final Optional<Dtype> dtype) {
        if (model.isPresent() || tokens.isPresent()) {
            if (calls.isPresent()) {
                throw new IllegalArgumentException("--calls goes with --bytes, not with --model and --tokens, which say how many calls a cycle has");
            }
            return of(model.orElse(DEFAULT_MODEL), tokens.orElse(DEFAULT_TOKENS));
        }
        final var standard = standard();
        if (calls.isEmpty() && (sizes.isEmpty() || sizes.contains(standard.bytes()))) {
            return standard;
        }
        final var bytes = sizes.isEmpty() || sizes.contains(standard.bytes()) ? standard.bytes() : sizes.get(0);
        return given(calls.orElse(standard.calls()), bytes, dtype.orElse(standard.dtype()));
    }
}
