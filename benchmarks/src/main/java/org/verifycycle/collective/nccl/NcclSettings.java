package org.verifycycle.collective.nccl;

import org.verifycycle.collective.CollectiveSpec;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a collective of this backend, and the variables by which they reach NCCL.
 *
 * @param algorithm {@code default}: NCCL chooses; {@code ring}, {@code tree}
 * @param protocol  {@code proto=LL|LL128|Simple}; empty: NCCL chooses
 * @param channels  {@code channels=<n>}: at most so many, each a thread block; NCCL takes fewer for small messages. Empty: NCCL chooses
 * @param p2p       {@code p2p=off}: through shared host memory instead of peer access
 * @param p2pLevel  {@code p2p-level=<level>}: how far apart two GPUs may be and still use peer access
 * @param symmetric {@code symmetric=on}: buffers in registered windows; {@code nowin}: the same kernels without windows
 * @param ctas      {@code ctas=<n>}: thread blocks of a symmetric kernel, for which NCCL's own model takes few: 6 for 43,008 bytes between two H200.
 *                  By NCCL's documented bounds, both set to it; blocks that would have nothing to sum are not launched (21 of 32 for 43,008 bytes)
 * @param kernel    {@code sym-kernel=<name>}: which symmetric kernel, by the part of its name that tells them apart; a variable of NCCL's
 *                  developers (NVIDIA/nccl issue 2280)
 * @param inPlace   {@code inplace=on}: the output takes the place of the input
 * @param others    {@code nccl-<name>=<value>}: any other variable of NCCL's, {@code nccl-cga-cluster-size=0} for {@code NCCL_CGA_CLUSTER_SIZE=0}; by variable
 */
record NcclSettings(Algorithm algorithm, Optional<String> protocol, OptionalInt channels, boolean p2p, Optional<String> p2pLevel, Symmetric symmetric, OptionalInt ctas,
                    Optional<String> kernel, boolean inPlace, SortedMap<String, String> others) {
    static final String PROTO = "proto";
    static final String CHANNELS = "channels";
    static final String P2P = "p2p";
    static final String P2P_LEVEL = "p2p-level";
    static final String SYMMETRIC = "symmetric";
    static final String CTAS = "ctas";
    static final String KERNEL = "sym-kernel";
    /** Before the names in {@link #KERNELS}. */
    static final String KERNEL_PREFIX = "AllReduce_";
    /** Those without multicast. */
    static final List<String> KERNELS = List.of("AGxLL_R", "RSxLD_AGxST");
    static final String IN_PLACE = "inplace";
    static final String ON = "on";
    static final String OFF = "off";
    static final String NO_WINDOW = "nowin";
    static final List<String> PROTOCOLS = List.of("LL", "LL128", "Simple");
    /** From the same board to across processors; LOC is off. */
    static final String ANY_DISTANCE = "SYS";
    static final List<String> LEVELS = List.of("LOC", "NVL", "PIX", "PXB", "PHB", ANY_DISTANCE);
    /** MAXCHANNELS of NCCL until 2.26; later ones have more, which no small message uses. */
    static final int MAX_CHANNELS = 32;
    /** ncclSymkMaxBlocks. */
    static final int MAX_CTAS = 64;
    static final String NVLS = "NCCL_NVLS_ENABLE";
    /** Of settings that name a variable. */
    private static final String OTHER = NcclBackend.NAME + "-";
    /** What names the variables that have a setting of their own, by which what NCCL then chose is checked. */
    private static final Map<String, String> NAMED = Map.of("NCCL_ALGO", "nccl/ring or nccl/tree", "NCCL_PROTO", PROTO + "=", "NCCL_MAX_NCHANNELS", CHANNELS + "=", "NCCL_P2P_DISABLE", P2P + "=off",
            "NCCL_P2P_LEVEL", P2P_LEVEL + "=", "NCCL_SYM_NOWIN_ENABLE", SYMMETRIC + "=nowin", "NCCL_SYM_KERNEL", KERNEL + "=", "NCCL_MIN_CTAS", CTAS + "=", "NCCL_MAX_CTAS", CTAS + "=");
    private static final Map<String, String> KNOWN = new TreeMap<>(Map.of(PROTO, String.join("|", PROTOCOLS), CHANNELS, "1 to " + MAX_CHANNELS, P2P, "on|off",
            P2P_LEVEL, String.join("|", LEVELS), SYMMETRIC, "on|nowin|off", CTAS, "1 to " + MAX_CTAS, KERNEL, String.join("|", KERNELS), IN_PLACE, "on|off"));

    /** Who chooses. */
    enum Algorithm {
        DEFAULT("default", Optional.empty()), RING("ring", Optional.of("Ring")), TREE("tree", Optional.of("Tree"));

        private final String id;
        private final Optional<String> variable;

        Algorithm(final String id, final Optional<String> variable) {
            this.id = id;
            this.variable = variable;
        }

        String id() {
            return id;
        }

        /** As NCCL_ALGO has it. */
        Optional<String> variable() {
            return variable;
        }
    }

    /** Which kernels of NCCL 2.27 and later are asked for. */
    enum Symmetric { OFF, WINDOWS, WITHOUT_WINDOWS }

    /** @throws IllegalArgumentException on an unknown algorithm, setting or value, naming the known ones */
    static NcclSettings parse(final CollectiveSpec spec) {
        final var algorithm = Arrays.stream(Algorithm.values()).filter(a -> a.id().equals(spec.algorithm())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown algorithm '" + spec.algorithm() + "' of backend " + NcclBackend.NAME + "; known: "
                        + String.join(", ", Arrays.stream(Algorithm.values()).map(Algorithm::id).toList())));
        spec.settings().keySet().stream().filter(key -> !KNOWN.containsKey(key) && !key.matches(OTHER + "[a-z0-9].*")).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException("unknown setting '" + key + "' of " + spec.path() + "; known: " + known());
        });
        final var symmetric = switch (value(spec, SYMMETRIC, List.of(ON, NO_WINDOW, OFF)).orElse(OFF)) {
            case ON -> Symmetric.WINDOWS;
            case NO_WINDOW -> Symmetric.WITHOUT_WINDOWS;
            default -> Symmetric.OFF;
        };
        final var settings = new NcclSettings(algorithm, value(spec, PROTO, PROTOCOLS), number(spec, CHANNELS, MAX_CHANNELS), value(spec, P2P, List.of(ON, OFF)).filter(OFF::equals).isEmpty(),
                value(spec, P2P_LEVEL, LEVELS), symmetric, number(spec, CTAS, MAX_CTAS), value(spec, KERNEL, KERNELS),
                value(spec, IN_PLACE, List.of(ON, OFF)).filter(ON::equals).isPresent(), others(spec));
        if (symmetric != Symmetric.OFF && (algorithm != Algorithm.DEFAULT || settings.protocol.isPresent() || !settings.p2p)) {
            throw new IllegalArgumentException(spec + ": the symmetric kernels have no algorithm or protocol to choose and need peer access; use " + NcclBackend.NAME + "/default:"
                    + SYMMETRIC + "=" + spec.settings().get(SYMMETRIC));
        }
        if (symmetric == Symmetric.OFF && (settings.ctas.isPresent() || settings.kernel.isPresent())) {
            throw new IllegalArgumentException(spec + ": " + CTAS + " and " + KERNEL + " are of the symmetric kernels; add " + SYMMETRIC + "=" + ON + ", or use " + CHANNELS + "=");
        }
        if (!settings.p2p && settings.p2pLevel.isPresent()) {
            throw new IllegalArgumentException(spec + ": " + P2P + "=off and " + P2P_LEVEL + " contradict each other");
        }
        return settings;
    }

    /** Whether anything is asked of NCCL that it could decline. */
    boolean asks() {
        return algorithm != Algorithm.DEFAULT || protocol.isPresent() || channels.isPresent() || !p2p || p2pLevel.isPresent() || symmetric != Symmetric.OFF || !others.isEmpty();
    }

    /**
     * What has to be in the environment of a rank before it first uses the library.
     *
     * @param users the variables it has already: those of the user stay in force, but for what this collective is named after
     */
    SortedMap<String, String> variables(final Map<String, String> users) {
        final var variables = new TreeMap<String, String>();
        algorithm.variable().ifPresent(a -> variables.put("NCCL_ALGO", a));
        protocol.ifPresent(p -> variables.put("NCCL_PROTO", p));
        channels.ifPresent(n -> variables.put("NCCL_MAX_NCHANNELS", Integer.toString(n)));
        if (!p2p) {
            variables.put("NCCL_P2P_DISABLE", "1");
        }
        p2pLevel.ifPresent(level -> variables.put("NCCL_P2P_LEVEL", level));
        if (symmetric == Symmetric.WITHOUT_WINDOWS) {
            variables.put("NCCL_SYM_NOWIN_ENABLE", "1");
        }
        ctas.ifPresent(n -> List.of("NCCL_MIN_CTAS", "NCCL_MAX_CTAS").forEach(name -> variables.put(name, Integer.toString(n))));
        kernel.ifPresent(name -> variables.put("NCCL_SYM_KERNEL", KERNEL_PREFIX + name));
        variables.putAll(others);
        // NVLink multicast is for the user to switch on, never for this program.
        if (!users.containsKey(NVLS)) {
            variables.put(NVLS, "0");
        }
        return variables;
    }

    private static SortedMap<String, String> others(final CollectiveSpec spec) {
        final var others = new TreeMap<String, String>();
        spec.settings().forEach((key, value) -> {
            if (!KNOWN.containsKey(key)) {
                others.put(variable(spec, key), value);
            }
        });
        return Collections.unmodifiableSortedMap(others);
    }

    private static String variable(final CollectiveSpec spec, final String key) {
        final var variable = key.toUpperCase(Locale.ROOT).replace('-', '_');
        if (NAMED.containsKey(variable)) {
            throw new IllegalArgumentException("setting '" + key + "' of " + spec.path() + ": " + variable + " has a name of its own here, use " + NAMED.get(variable));
        }
        if (variable.equals(NVLS) || variable.startsWith("NCCL_DEBUG")) {
            throw new IllegalArgumentException("setting '" + key + "' of " + spec.path() + ": " + variable + " is for your environment to set, not for a collective");
        }
        return variable;
    }

    private static OptionalInt number(final CollectiveSpec spec, final String key, final int most) {
        final var text = spec.settings().get(key);
        if (text == null) {
            return OptionalInt.empty();
        }
        final var value = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
        if (value < 1 || value > most) {
            throw wrong(spec, key);
        }
        return OptionalInt.of(value);
    }

    private static Optional<String> value(final CollectiveSpec spec, final String key, final List<String> known) {
        final var value = Optional.ofNullable(spec.settings().get(key));
        if (value.filter(v -> !known.contains(v)).isPresent()) {
            throw wrong(spec, key);
        }
        return value;
    }

    private static IllegalArgumentException wrong(final CollectiveSpec spec, final String key) {
        return new IllegalArgumentException("value '" + spec.settings().get(key) + "' of setting " + key + " of " + spec.path() + " is not valid; known: " + KNOWN.get(key));
    }

    private static String known() {
        return String.join(", ", KNOWN.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList()) + ", and " + OTHER + "<name>=<value> for any variable NCCL_<NAME>";
    }
}
