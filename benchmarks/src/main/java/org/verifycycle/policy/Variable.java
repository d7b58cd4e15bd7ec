package org.verifycycle.policy;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Environment variables that the choice depends on. */
public enum Variable {
    SGLANG_FORCE_CUSTOM_AR_PCIE(Values.WORDS, List.of(Engine.SGLANG_PATCHED)),
    SGLANG_CUSTOM_ALLREDUCE_ALGO(Values.ALGORITHMS, List.of(Engine.SGLANG, Engine.SGLANG_PATCHED, Engine.SGLANG_PUSH)),
    SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2(Values.WORDS, List.of(Engine.SGLANG_PUSH)),
    SGLANG_SKIP_P2P_CHECK(Values.ONE_OR_NOT, List.of(Engine.SGLANG, Engine.SGLANG_PATCHED, Engine.SGLANG_PUSH)),
    VLLM_CUSTOM_ALLREDUCE_ALGO(Values.ALGORITHMS, List.of(Engine.VLLM)),
    VLLM_ALLREDUCE_USE_SYMM_MEM(Values.NUMBERS, List.of(Engine.VLLM)),
    VLLM_SKIP_P2P_CHECK(Values.NUMBERS, List.of(Engine.VLLM));

    private final Values values;
    private final Collection<Engine> readers;

    Variable(final Values values, final Collection<Engine> readers) {
        this.values = values;
        this.readers = readers;
    }

    /** What can stand in a variable. */
    private enum Values {
        ALGORITHMS("1stage", "oneshot", "2stage", "twoshot"),
        NUMBERS("0", "1"),
        /** EnvBool of sglang's environ.py, in any case. */
        WORDS("true", "1", "yes", "y", "false", "0", "no", "n"),
        /** Where SGLang reads the text itself and only 1 is on, whatever else is a word for it. */
        ONE_OR_NOT("true", "1", "yes", "y", "false", "0", "no", "n");

        private static final List<String> ON = List.of("true", "1", "yes", "y");
        private final List<String> known;

        Values(final String... known) {
            this.known = List.of(known);
        }

        /** In one form: booleans as 0 and 1. Empty if it is not known. */
        Optional<String> read(final String value) {
            final var text = this == WORDS || this == ONE_OR_NOT ? value.toLowerCase(Locale.ROOT) : value;
            return Optional.of(text).filter(known::contains).map(t -> switch (this) {
                case WORDS -> ON.contains(t) ? "1" : "0";
                case ONE_OR_NOT -> t.equals("1") ? "1" : "0";
                default -> t;
            });
        }
    }

    boolean readBy(final Engine engine) {
        return readers.contains(engine);
    }

    /** {@code NAME=VALUE}, as people give it; the value as {@code engine} takes it. @throws IllegalArgumentException listing the known names, or the values if it reads it */
    public static Map.Entry<Variable, String> parse(final String setting, final Engine engine) {
        final var equals = setting.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + setting + "' is not of the form NAME=VALUE");
        }
        final var name = setting.substring(0, equals);
        final var variable = find(name).orElseThrow(() -> new IllegalArgumentException("variable '" + name + "' is not one that this choice depends on; known: "
                + Arrays.stream(values()).map(Variable::name).collect(Collectors.joining(", "))));
        return Map.entry(variable, variable.checked(setting.substring(equals + 1), engine));
    }

    /** Those of a process environment that are known here. @throws IllegalArgumentException on a value of a variable that {@code engine} reads and does not know */
    public static Map<Variable, String> of(final Map<String, String> environment, final Engine engine) {
        final var found = new TreeMap<Variable, String>();
        environment.forEach((name, value) -> find(name).ifPresent(v -> found.put(v, v.checked(value, engine))));
        return found;
    }

    private String checked(final String value, final Engine engine) {
        return readBy(engine) ? values.read(value).orElseThrow(() -> new IllegalArgumentException("value '" + value + "' of " + name() + " is not valid; known: " + String.join(", ", values.known))) : value;
    }

    private static Optional<Variable> find(final String name) {
        return Arrays.stream(values()).filter(v -> v.name().equals(name)).findFirst();
    }
}
