package org.verifycycle.policy;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Environment variables that the choice depends on. */
public enum Variable {
    SGLANG_FORCE_CUSTOM_AR_PCIE(List.of("0", "1"), List.of(Engine.SGLANG_PATCHED)),
    SGLANG_CUSTOM_ALLREDUCE_ALGO(List.of("1stage", "oneshot", "2stage", "twoshot"), List.of(Engine.SGLANG, Engine.SGLANG_PATCHED, Engine.SGLANG_PUSH)),
    SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2(List.of("0", "1"), List.of(Engine.SGLANG_PUSH)),
    SGLANG_SKIP_P2P_CHECK(List.of("0", "1"), List.of(Engine.SGLANG, Engine.SGLANG_PATCHED, Engine.SGLANG_PUSH)),
    VLLM_CUSTOM_ALLREDUCE_ALGO(List.of("1stage", "oneshot", "2stage", "twoshot"), List.of(Engine.VLLM)),
    VLLM_ALLREDUCE_USE_SYMM_MEM(List.of("0", "1"), List.of(Engine.VLLM)),
    VLLM_SKIP_P2P_CHECK(List.of("0", "1"), List.of(Engine.VLLM));

    private final List<String> known;
    private final Collection<Engine> readers;

    Variable(final List<String> known, final Collection<Engine> readers) {
        this.known = known;
        this.readers = readers;
    }

    boolean readBy(final Engine engine) {
        return readers.contains(engine);
    }

    /** {@code NAME=VALUE}, as people give it. @throws IllegalArgumentException listing the known names or values */
    public static Map.Entry<Variable, String> parse(final String setting) {
        final var equals = setting.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + setting + "' is not of the form NAME=VALUE");
        }
        final var name = setting.substring(0, equals);
        final var variable = find(name).orElseThrow(() -> new IllegalArgumentException("variable '" + name + "' is not one that this choice depends on; known: "
                + Arrays.stream(values()).map(Variable::name).collect(Collectors.joining(", "))));
        return Map.entry(variable, variable.checked(setting.substring(equals + 1)));
    }

    /** Those of a process environment that are known here. @throws IllegalArgumentException on a value the engines do not know */
    public static Map<Variable, String> of(final Map<String, String> environment) {
        final var found = new TreeMap<Variable, String>();
        environment.forEach((name, value) -> find(name).ifPresent(v -> found.put(v, v.checked(value))));
        return found;
    }

    private String checked(final String value) {
        if (!known.contains(value)) {
            throw new IllegalArgumentException("value '" + value + "' of " + name() + " is not valid; known: " + String.join(", ", known));
        }
        return value;
    }

    private static Optional<Variable> find(final String name) {
        return Arrays.stream(values()).filter(v -> v.name().equals(name)).findFirst();
    }
}
