package org.verifycycle.collective.cuda;

import org.verifycycle.device.Fabric;
import org.verifycycle.device.FabricFindings;
import org.verifycycle.device.Gpus;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a probe of the links forbids; told to whoever plans in this process by system properties.
 *
 * @param pairs    pairs over which nothing may go, and why
 * @param torn8    pairs over which LL kernels are off
 * @param torn16   pairs over which sentinel kernels are off. They test every word and would bear it; but a link that tears packs is none they were checked on
 */
public record FabricLimits(Map<Gpus.Pair, String> pairs, Set<Gpus.Pair> torn8, Set<Gpus.Pair> torn16) {
    private static final String PAIRS = "verifycycle.fabric.pairs";
    private static final String LL = "verifycycle.fabric.ll";
    private static final String SENTINEL = "verifycycle.fabric.sentinel";

    public FabricLimits {
        pairs = Map.copyOf(pairs);
        torn8 = Set.copyOf(torn8);
        torn16 = Set.copyOf(torn16);
    }

    public static FabricLimits of(final Fabric fabric) {
        final var pairs = new LinkedHashMap<Gpus.Pair, String>();
        fabric.pairs().stream().filter(p -> p.wrong() > 0 || FabricFindings.silent(p))
                .forEach(p -> pairs.put(new Gpus.Pair(p.from(), p.to()), (p.wrong() > 0 ? "wrong data on " : FabricFindings.NO_ANSWER + " on ") + p.name()));
        return new FabricLimits(pairs, where(fabric, p -> p.torn8() > 0), where(fabric, p -> p.torn16() > 0));
    }

    /** None, where nobody has probed. */
    static FabricLimits ofThisProcess() {
        final var pairs = System.getProperty(PAIRS, "").lines().map(l -> l.split(" ", 3))
                .collect(Collectors.toMap(f -> new Gpus.Pair(Integer.parseInt(f[0]), Integer.parseInt(f[1])), f -> f[2]));
        return new FabricLimits(pairs, told(LL), told(SENTINEL));
    }

    /** Where {@link #ofThisProcess} finds it, if it looks later. */
    public void tellThisProcess() {
        System.setProperty(PAIRS, pairs.entrySet().stream().map(e -> e.getKey().from() + " " + e.getKey().to() + " " + e.getValue()).collect(Collectors.joining("\n")));
        tell(LL, torn8);
        tell(SENTINEL, torn16);
    }

    private static void tell(final String property, final Set<Gpus.Pair> torn) {
        System.setProperty(property, torn.stream().map(p -> p.from() + " " + p.to()).collect(Collectors.joining("\n")));
    }

    private static Set<Gpus.Pair> told(final String property) {
        return System.getProperty(property, "").lines().map(l -> l.split(" ")).map(f -> new Gpus.Pair(Integer.parseInt(f[0]), Integer.parseInt(f[1]))).collect(Collectors.toSet());
    }

    /** Why an algorithm can't run on the first {@code used} GPUs; empty if nothing was found against it. */
    Optional<String> unmet(final IpcAlgorithm algorithm, final int used) {
        if (!algorithm.needsPeerAccess()) {
            return Optional.empty();
        }
        final var bad = pairs.entrySet().stream().filter(e -> within(e.getKey(), used)).map(Map.Entry::getValue).sorted().findFirst();
        return bad.map(why -> why + "; " + IpcBackend.NAME + "/" + IpcAlgorithm.HOST_SENTINEL.id() + " needs no peer access")
                .or(() -> switch (algorithm) {
                    case ONE_SHOT_LL, TWO_SHOT_LL -> tears(torn8, used).map(names -> "8-byte stores tear on " + names + ": LL kernels off");
                    case ONE_SHOT_SENTINEL, TWO_SHOT_SENTINEL -> tears(torn16, used).map(names -> "16-byte stores tear on " + names + ": sentinel kernels off");
                    // Pull waits for flags of 4 bytes, floors have no data that could be wrong, the others don't get here.
                    case ONE_SHOT_PULL, TWO_SHOT_PULL, HOST_LL, HOST_SENTINEL, FLAG_EXCHANGE, EXCHANGE_ONLY, COPY_ONLY, EMPTY -> Optional.empty();
                }).map(why -> "the probe of the links found " + why);
    }

    /** Names of the torn pairs among the first {@code used} GPUs. */
    private static Optional<String> tears(final Set<Gpus.Pair> torn, final int used) {
        return Optional.of(torn.stream().filter(p -> within(p, used)).map(p -> p.from() + "->" + p.to()).sorted().collect(Collectors.joining(", "))).filter(names -> !names.isEmpty());
    }

    private static boolean within(final Gpus.Pair pair, final int used) {
        return pair.from() < used && pair.to() < used;
    }

    private static Set<Gpus.Pair> where(final Fabric fabric, final Predicate<Fabric.Pair> holds) {
        return fabric.pairs().stream().filter(holds).map(p -> new Gpus.Pair(p.from(), p.to())).collect(Collectors.toSet());
    }
}
