package org.verifycycle.plan;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Skew;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Entry.Purpose;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.PlanRecord;
import org.verifycycle.stats.NearestSize;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Turns what a user asked for into what a run measures.
 *
 * <p>Rules: the baseline is in every group (world, size, dtype, launch, skew); twice at the workload's size, or the one nearest
 * to it, for the noise floor, and there the floor is measured too. Without a choice the worlds are those of 2, 4 and 8 that
 * have a core for every rank (2 always), or fit on the GPUs. What does not fit the budget is left out by size, the workload's size never; what
 * is left out is listed with its reason.
 */
public final class Planner {
    private static final List<Integer> DEFAULT_WORLDS = List.of(2, 4, 8);
    /** Beside the workload's size, the most telling first: small, large, one token, ... */
    private static final List<Integer> MORE_SIZES = List.of(8 << 10, 128 << 10, 1 << 20, 14_336, 512 << 10, 2 << 10);
    private static final int DEFAULT_BUDGET_SECONDS = 150;
    /**
     * On a host the compilers of all ranks want the cores that the ranks spin on: on two cores, iterations of 60 ms after a
     * warm-up of 120 ms had medians from 6 to 900 us a call; eight of eight process sets measured after 450 ms had 6.0 to 7.5. On a GPU box there are cores for both.
     */
    public static final int HOST_WARMUP_MILLIS = 450;
    public static final int GPU_WARMUP_MILLIS = 150;

    /** In an error of one line. */
    private static final int TOLD_REASONS = 3;

    private final Collectives collectives;
    private final int cores;
    private final TimeModel times;

    public Planner(final Collectives collectives, final int cores) {
        this(collectives, cores, TimeModel.DEFAULT);
    }

    Planner(final Collectives collectives, final int cores, final TimeModel times) {
        this.collectives = collectives;
        this.cores = cores;
        this.times = times;
    }

    /**
     * @throws IllegalArgumentException on unknown collectives or values no configuration may have, and if nothing is left to
     *     measure, with the reasons
     */
    public Plan plan(final PlanRequest request) {
        final var leftOut = new ArrayList<LeftOut>();
        final var specs = specs(request, leftOut);
        final var warmupMillis = request.warmupMillis().orElseGet(() -> devices(specs).contains(Backend.Device.HOST) ? HOST_WARMUP_MILLIS : GPU_WARMUP_MILLIS);
        final var settings = new PlanRecord(request.rounds(), request.shuffleSeed(), warmupMillis, request.measureMillis(), request.budgetSeconds());
        final var entries = new ArrayList<Entry>();
        double millis = 0;
        final var budgetMillis = request.budgetSeconds().orElse(DEFAULT_BUDGET_SECONDS) * 1e3;
        final var unlimited = request.budgetSeconds().isEmpty() && !request.sizes().isEmpty();
        for (final var size : sizes(request)) {
            final var more = new ArrayList<Entry>();
            final var refused = new ArrayList<LeftOut>();
            for (final var device : devices(specs)) {
                for (final var world : worlds(request, device)) {
                    more.addAll(group(request, specs, device, world, size, refused));
                }
            }
            final var cost = request.rounds() * more.stream().mapToDouble(e -> times.millis(e.configuration(), warmupMillis, request.measureMillis())).sum();
            final var tooLong = !unlimited && millis + cost > budgetMillis;
            final var overSeconds = (millis + cost - budgetMillis) / 1e3;
            if (tooLong && !entries.isEmpty()) {
                leftOut.add(new LeftOut("size " + Sizes.format(size), "%d rounds of it would take %.0f s more than the budget of %.0f s; give a larger --budget"
                        .formatted(request.rounds(), overSeconds, budgetMillis / 1e3)));
                continue;
            }
            if (tooLong) {
                leftOut.add(new LeftOut("size " + Sizes.format(size), "kept though %d rounds of it take %.0f s more than the budget of %.0f s"
                        .formatted(request.rounds(), overSeconds, budgetMillis / 1e3)));
            }
            leftOut.addAll(refused);
            millis += cost;
            entries.addAll(more);
        }
        if (request.worlds().isEmpty()) {
            devices(specs).forEach(device -> DEFAULT_WORLDS.stream().filter(w -> !worlds(request, device).contains(w)).forEach(w -> leftOut.add(tooManyRanks(device, w))));
        }
        final var askedFor = entries.stream().filter(e -> request.collectives().isEmpty() || specs.contains(e.configuration().collective()));
        if (entries.stream().noneMatch(e -> e.purpose() == Purpose.CANDIDATE || e.purpose() == Purpose.BASELINE) || askedFor.findAny().isEmpty()) {
            throw new IllegalArgumentException("nothing to measure: " + reasons(leftOut));
        }
        return new Plan(request.workload(), numbered(entries), leftOut, settings, Math.round(millis / 1e3));
    }

    private static String reasons(final List<LeftOut> leftOut) {
        final var byReason = new LinkedHashMap<String, List<String>>();
        leftOut.forEach(l -> byReason.computeIfAbsent(l.reason(), reason -> new ArrayList<>()).add(l.what()));
        final var all = byReason.entrySet().stream().map(e -> e.getValue().get(0) + (e.getValue().size() == 1 ? "" : " and " + (e.getValue().size() - 1) + " more") + ": " + e.getKey()).toList();
        final var more = all.size() - TOLD_REASONS;
        return all.isEmpty() ? "no collective was named" : String.join("; ", all.subList(0, Math.min(TOLD_REASONS, all.size()))) + (more > 0 ? "; and " + more + " more" : "");
    }

    private List<CollectiveSpec> specs(final PlanRequest request, final List<LeftOut> leftOut) {
        final var patterns = request.collectives();
        final var asked = patterns.isEmpty() ? defaults(leftOut) : patterns.stream().flatMap(p -> collectives.matching(p).stream()).distinct().toList();
        final var available = new ArrayList<CollectiveSpec>();
        final var unavailable = new LinkedHashMap<String, String>();
        for (final var spec : asked) {
            collectives.backend(spec.backend()).unavailable().ifPresentOrElse(reason -> unavailable.put(spec.backend() + "/*", reason), () -> available.add(spec));
        }
        unavailable.forEach((what, reason) -> leftOut.add(new LeftOut(what, reason)));
        return available;
    }

    /** What GPUs offer if there are enough for two ranks, else the host's. */
    private List<CollectiveSpec> defaults(final List<LeftOut> leftOut) {
        final var gpu = collectives.backends().stream().filter(b -> b.device() == Backend.Device.GPU).toList();
        gpu.forEach(b -> unusable(b).ifPresent(reason -> leftOut.add(new LeftOut(b.name() + "/*", reason))));
        final var usable = gpu.stream().filter(b -> unusable(b).isEmpty()).toList();
        return (usable.isEmpty() ? collectives.backends().stream().filter(b -> b.device() == Backend.Device.HOST) : usable.stream())
                .flatMap(b -> b.defaults().stream()).toList();
    }

    private static Optional<String> unusable(final Backend backend) {
        return backend.unavailable().or(() -> backend.maxWorld() >= Configuration.MIN_WORLD ? Optional.empty()
                : Optional.of("world 2 needs two GPUs, there is one; --ranks-per-gpu 2 lets two ranks share it (right for checks, says nothing about links)"));
    }

    private Set<Backend.Device> devices(final List<CollectiveSpec> specs) {
        return new LinkedHashSet<>(specs.stream().map(s -> collectives.backend(s.backend()).device()).toList());
    }

    private List<Integer> worlds(final PlanRequest request, final Backend.Device device) {
        if (!request.worlds().isEmpty()) {
            return request.worlds();
        }
        return device == Backend.Device.HOST ? DEFAULT_WORLDS.stream().filter(w -> w == 2 || w <= cores).toList() : DEFAULT_WORLDS.stream().filter(w -> w <= maxWorldOnGpus()).toList();
    }

    private int maxWorldOnGpus() {
        return collectives.backends().stream().filter(b -> b.device() == Backend.Device.GPU && b.unavailable().isEmpty()).mapToInt(Backend::maxWorld).max().orElse(0);
    }

    private LeftOut tooManyRanks(final Backend.Device device, final int world) {
        return new LeftOut("world " + world, device == Backend.Device.HOST
                ? "more ranks than this machine's cores (%d): they would take turns; ask with --world %d".formatted(cores, world)
                : "needs %d GPUs, %d rank%s fit%s on this machine's; --ranks-per-gpu N lets more ranks share one (right for checks, says nothing about links)"
                .formatted(world, maxWorldOnGpus(), maxWorldOnGpus() == 1 ? "" : "s", maxWorldOnGpus() == 1 ? "s" : ""));
    }

    private List<Integer> sizes(final PlanRequest request) {
        final var sizes = request.sizes().isEmpty() ? Stream.concat(Stream.of(request.workload().bytes()), MORE_SIZES.stream()) : request.sizes().stream();
        final var distinct = sizes.distinct().toList();
        final var main = NearestSize.to(request.workload().bytes(), distinct).orElseThrow();
        return Stream.concat(Stream.of(main), distinct.stream().filter(s -> s != main)).toList();
    }

    /** Everything of one device, world and size; all dtypes, launches and skews asked for. */
    private List<Entry> group(final PlanRequest request, final List<CollectiveSpec> specs, final Backend.Device device, final int world, final int size,
                              final List<LeftOut> leftOut) {
        final var own = specs.stream().filter(s -> collectives.backend(s.backend()).device() == device).toList();
        final var backend = collectives.backend(own.get(0).backend());
        final var dtypes = request.dtypes().isEmpty() ? List.of(backend.defaultDtype(request.workload().dtype())) : request.dtypes();
        final var launches = request.launches().isEmpty() ? List.of(backend.defaultLaunch()) : request.launches();
        final var skews = request.skews().isEmpty() ? List.of(Skew.NONE) : request.skews();
        final var main = sizes(request).get(0).equals(size);
        final var entries = new ArrayList<Entry>();
        for (final var dtype : dtypes) {
            for (final var launch : launches) {
                for (final var skew : skews) {
                    final Function<CollectiveSpec, Configuration> configuration = spec -> new Configuration(spec, world, size, dtype, launch, request.workload().calls(), skew);
                    entries.addAll(comparable(request, own, device, configuration, main, leftOut));
                }
            }
        }
        return entries;
    }

    /** @param of what all of the group share, for a spec */
    private List<Entry> comparable(final PlanRequest request, final List<CollectiveSpec> specs, final Backend.Device device,
                                   final Function<CollectiveSpec, Configuration> of, final boolean main, final List<LeftOut> leftOut) {
        final var entries = new ArrayList<Entry>();
        final var baseline = first(device, Backend::baseline, of);
        final var floor = first(device, Backend::floor, of);
        baseline.ifPresent(b -> entries.add(entry(of.apply(b), Purpose.BASELINE)));
        if (main) {
            baseline.ifPresent(b -> entries.add(entry(of.apply(b), Purpose.BASELINE_COPY)));
            floor.ifPresent(f -> entries.add(entry(of.apply(f), Purpose.FLOOR)));
        }
        for (final var spec : specs) {
            final var configuration = of.apply(spec);
            final var collective = collectives.find(spec);
            if (baseline.filter(spec::equals).isPresent() || (main && floor.filter(spec::equals).isPresent())) {
                continue;
            }
            if (collective.role() == Collective.Role.FLOOR && request.collectives().isEmpty()) {
                continue;
            }
            collective.unsupported(configuration).ifPresentOrElse(reason -> leftOut.add(new LeftOut(configuration.toString(), reason)),
                    () -> entries.add(entry(configuration, collective.role() == Collective.Role.FLOOR ? Purpose.FLOOR : Purpose.CANDIDATE)));
        }
        return entries;
    }

    /** The first spec of this kind among the device's usable backends that can do the configuration. */
    private Optional<CollectiveSpec> first(final Backend.Device device, final Function<Backend, Optional<CollectiveSpec>> kind,
                                           final Function<CollectiveSpec, Configuration> of) {
        return collectives.backends().stream().filter(b -> b.device() == device && b.unavailable().isEmpty()).flatMap(b -> kind.apply(b).stream())
                .filter(spec -> collectives.find(spec).unsupported(of.apply(spec)).isEmpty()).findFirst();
    }

    private Entry entry(final Configuration configuration, final Purpose purpose) {
        final var backend = collectives.backend(configuration.collective().backend());
        final var marks = new ArrayList<String>();
        if (backend.device() == Backend.Device.HOST && configuration.world() > cores) {
            marks.add(Entry.OVERSUBSCRIBED);
        }
        if (backend.device() == Backend.Device.GPU && backend.ranksPerDevice(configuration.world()) > 1) {
            marks.add(Entry.SHARED_GPU);
        }
        return new Entry("", configuration, purpose, marks, List.of(), Optional.empty());
    }

    private static List<Entry> numbered(final List<Entry> entries) {
        final var numbered = new ArrayList<Entry>();
        for (final var e : entries) {
            numbered.add(new Entry("c%02d".formatted(numbered.size() + 1), e.configuration(), e.purpose(), e.marks(), e.rounds(), e.estimate()));
        }
        return numbered;
    }
}
