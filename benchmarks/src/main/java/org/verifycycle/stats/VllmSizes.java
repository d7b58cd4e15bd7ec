package org.verifycycle.stats;

import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.stats.RunAnalysis.Group;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Below which size vLLM's own kernels beat NCCL, as its CUSTOM_ALL_REDUCE_MAX_SIZES would say it: exclusive, since its communicator takes
 * the custom all-reduce where {@code inp_size < max_size}. It has the two pull kernels only, without dependent launch.
 */
final class VllmSizes {
    private static final Set<String> KERNELS = Set.of("ipc/one-shot-pull", "ipc/two-shot-pull");
    private static final Pattern CAPABILITY = Pattern.compile("compute capability (\\d+\\.\\d)");

    private final Map<String, Measured> measured;

    private VllmSizes(final Map<String, Measured> measured) {
        this.measured = measured;
    }

    /**
     * By compute capability and world; empty where the GPUs differ in capability.
     *
     * @param devices  one line per GPU
     * @param sweeps   groups that differ in the size only, from small to large; of a world's several the first that can say it counts
     * @param measured by entry id
     */
    static SortedMap<String, SortedMap<Integer, Integer>> of(final List<String> devices, final Collection<List<Group>> sweeps, final Map<String, Measured> measured) {
        final var capabilities = devices.stream().map(CAPABILITY::matcher).filter(m -> m.find()).map(m -> m.group(1)).collect(Collectors.toSet());
        final var sizes = new TreeMap<String, SortedMap<Integer, Integer>>();
        if (capabilities.size() != 1) {
            return sizes;
        }
        final var choice = new VllmSizes(measured);
        for (final var sweep : sweeps) {
            if (!sweep.get(0).marks().contains(Entry.SHARED_GPU)) {
                choice.below(sweep).ifPresent(bytes -> sizes.computeIfAbsent(capabilities.iterator().next(), c -> new TreeMap<>()).putIfAbsent(sweep.get(0).world(), bytes));
            }
        }
        return sizes;
    }

    /** Absent where the smallest size has no time of both: nothing is claimed beyond sizes that have. */
    private OptionalInt below(final List<Group> sweep) {
        OptionalInt most = OptionalInt.empty();
        Group last = null;
        for (final var group : sweep) {
            final var lead = lead(group);
            if (lead.isEmpty()) {
                return most;
            }
            if (lead.get() <= 0) {
                return OptionalInt.of(last == null ? 0 : Choices.crossing(last.bytes(), group.bytes(), lead(last), lead.map(l -> -l)) + Choices.PACK_BYTES);
            }
            most = OptionalInt.of(group.bytes() + Choices.PACK_BYTES);
            last = group;
        }
        return most;
    }

    /** Log of how many times as long NCCL takes as the faster kernel. */
    private Optional<Double> lead(final Group group) {
        final var nccl = fastest(group, e -> e.configuration().collective().backend().equals("nccl"));
        final var kernel = fastest(group, VllmSizes::ofVllm);
        return nccl.isPresent() && kernel.isPresent() ? Optional.of(Math.log(nccl.getAsDouble() / kernel.getAsDouble())) : Optional.empty();
    }

    private static boolean ofVllm(final Entry entry) {
        final var collective = entry.configuration().collective();
        return KERNELS.contains(collective.path()) && !"on".equals(collective.settings().get("pdl"));
    }

    /** Of those that lost no round. */
    private OptionalDouble fastest(final Group group, final Predicate<Entry> which) {
        return group.entries().stream().filter(e -> e.purpose() == Entry.Purpose.CANDIDATE || e.purpose() == Entry.Purpose.BASELINE).filter(which)
                .filter(e -> e.rounds().stream().noneMatch(r -> r.status() == RoundResult.Status.FAILED))
                .flatMap(e -> Optional.ofNullable(measured.get(e.id())).stream()).mapToDouble(m -> m.estimate().medianNanos()).min();
    }
}
