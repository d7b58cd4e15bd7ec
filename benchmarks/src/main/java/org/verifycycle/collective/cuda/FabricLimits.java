package org.verifycycle.collective.cuda;

import org.verifycycle.device.Fabric;
import org.verifycycle.device.FabricFindings;
import org.verifycycle.device.Gpus;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a probe of the links forbids; told to whoever plans in this process by system properties.
 *
 * @param pairs    pairs over which nothing may go, and why
 * @param ll       why LL kernels are off
 * @param sentinel why sentinel kernels are off. They test every word and would bear it; but a link that tears packs is none they were checked on
 */
public record FabricLimits(Map<Gpus.Pair, String> pairs, Optional<String> ll, Optional<String> sentinel) {
    private static final String PAIRS = "verifycycle.fabric.pairs";
    private static final String LL = "verifycycle.fabric.ll";
    private static final String SENTINEL = "verifycycle.fabric.sentinel";

    public FabricLimits {
        pairs = Map.copyOf(pairs);
    }

    public static FabricLimits of(final Fabric fabric) {
        final var pairs = new LinkedHashMap<Gpus.Pair, String>();
        fabric.pairs().stream().filter(p -> p.wrong() > 0 || FabricFindings.silent(p))
                .forEach(p -> pairs.put(new Gpus.Pair(p.from(), p.to()), (p.wrong() > 0 ? "wrong data on " : FabricFindings.NO_ANSWER + " on ") + p.name()));
        return new FabricLimits(pairs, text(fabric, Fabric.Kind.TORN_8), text(fabric, Fabric.Kind.TORN_16));
    }

    /** None, where nobody has probed. */
    static FabricLimits ofThisProcess() {
        final var pairs = System.getProperty(PAIRS, "").lines().map(l -> l.split(" ", 3))
                .collect(Collectors.toMap(f -> new Gpus.Pair(Integer.parseInt(f[0]), Integer.parseInt(f[1])), f -> f[2]));
        return new FabricLimits(pairs, Optional.ofNullable(System.getProperty(LL)), Optional.ofNullable(System.getProperty(SENTINEL)));
    }

    /** Where {@link #ofThisProcess} finds it, if it looks later. */
    public void tellThisProcess() {
        System.setProperty(PAIRS, pairs.entrySet().stream().map(e -> e.getKey().from() + " " + e.getKey().to() + " " + e.getValue()).collect(Collectors.joining("\n")));
        ll.ifPresent(why -> System.setProperty(LL, why));
        sentinel.ifPresent(why -> System.setProperty(SENTINEL, why));
    }

    /** Why an algorithm can't run on the first {@code used} GPUs; empty if nothing was found against it. */
    Optional<String> unmet(final IpcAlgorithm algorithm, final int used) {
        if (!algorithm.needsPeerAccess()) {
            return Optional.empty();
        }
        final var bad = pairs.entrySet().stream().filter(e -> e.getKey().from() < used && e.getKey().to() < used).map(Map.Entry::getValue).sorted().findFirst();
        return bad.map(why -> "the probe of the links found " + why + "; " + IpcBackend.NAME + "/" + IpcAlgorithm.HOST_LL.id() + " needs no peer access")
                .or(() -> switch (algorithm) {
                    case ONE_SHOT_LL, TWO_SHOT_LL -> ll;
                    case ONE_SHOT_SENTINEL, TWO_SHOT_SENTINEL -> sentinel;
                    default -> Optional.empty();
                }).map(why -> why.startsWith("the probe") ? why : "the probe of the links: " + why);
    }

    private static Optional<String> text(final Fabric fabric, final Fabric.Kind kind) {
        return fabric.findings().stream().filter(f -> f.kind() == kind).map(Fabric.Finding::text).findFirst();
    }
}
