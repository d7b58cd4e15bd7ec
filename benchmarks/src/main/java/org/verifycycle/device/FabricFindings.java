package org.verifycycle.device;

import org.verifycycle.device.Fabric.Finding;
import org.verifycycle.device.Fabric.Kind;
import org.verifycycle.device.Fabric.Pair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What follows from measured links. */
public final class FabricFindings {
    /** Why a pair that has peer access has no numbers: see {@link Kind#NO_ANSWER}. */
    public static final String NO_ANSWER = "no answer";
    /** Together a GPU's stores share its link, and more lose something; less than half of one store alone is another matter. */
    private static final double COLLAPSED = 0.5;
    private static final double SLOW = 0.5;
    private static final int SHOWN = 4;

    private FabricFindings() {
    }

    /** The worst first. */
    public static List<Finding> of(final List<Pair> pairs) {
        final var findings = new ArrayList<Finding>();
        about(pairs, p -> p.wrong() > 0).ifPresent(names -> findings.add(new Finding(Kind.WRONG_DATA, "wrong data on " + names + ": do not use P2P there (NCCL_P2P_DISABLE=1 for NCCL)")));
        about(pairs, FabricFindings::silent).ifPresent(names -> findings.add(new Finding(Kind.NO_ANSWER, "no answer on " + names + ": do not use P2P there (NCCL_P2P_DISABLE=1 for NCCL)")));
        about(pairs, p -> p.torn8() > 0).ifPresent(names -> findings.add(new Finding(Kind.TORN_8, "8-byte stores tear on " + names + ": LL kernels off")));
        about(pairs, p -> p.torn16() > 0).ifPresent(names -> findings.add(new Finding(Kind.TORN_16, "16-byte stores tear on " + names + ": sentinel kernels off")));
        collapse(pairs).ifPresent(findings::add);
        slow(pairs).ifPresent(findings::add);
        return findings;
    }

    /** Whether a pair with peer access did not answer. */
    public static boolean silent(final Pair pair) {
        return pair.problem().filter(p -> p.startsWith(NO_ANSWER)).isPresent();
    }

    private static Optional<String> about(final List<Pair> pairs, final Predicate<Pair> which) {
        final var names = pairs.stream().filter(which).map(Pair::name).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(names.stream().limit(SHOWN).collect(Collectors.joining(", ")) + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : ""));
    }

    /** The GPU that keeps least of its best store alone when all store at once. */
    private static Optional<Finding> collapse(final List<Pair> pairs) {
        return pairs.stream().map(Pair::from).distinct().map(gpu -> pairs.stream().filter(p -> p.from() == gpu && p.storeAllGBps() > 0).toList()).filter(own -> !own.isEmpty())
                .filter(own -> total(own, Pair::storeAllGBps) < COLLAPSED * best(own)).min(Comparator.comparingDouble(own -> total(own, Pair::storeAllGBps) / best(own)))
                .map(own -> new Finding(Kind.STORES_COLLAPSE, String.format(Locale.ROOT,
                        "stores collapse when concurrent (GPU %d: %.1f GB/s to all others together, %.1f alone; loads together %.1f): prefer pull",
                        own.get(0).from(), total(own, Pair::storeAllGBps), best(own), total(own, Pair::loadAllGBps))));
    }

    private static Optional<Finding> slow(final List<Pair> pairs) {
        return pairs.stream().filter(p -> p.loadGBps() > 0 && p.storeGBps() < SLOW * p.loadGBps()).min(Comparator.comparingDouble(p -> p.storeGBps() / p.loadGBps()))
                .map(p -> new Finding(Kind.STORES_SLOW, String.format(Locale.ROOT, "stores are slow (%s: %.1f GB/s, loads %.1f): prefer pull", p.name(), p.storeGBps(), p.loadGBps())));
    }

    private static double total(final List<Pair> pairs, final ToDoubleFunction<Pair> what) {
        return pairs.stream().mapToDouble(what).sum();
    }

    private static double best(final List<Pair> pairs) {
        return pairs.stream().mapToDouble(Pair::storeGBps).max().orElse(0);
    }
}
