package org.verifycycle.stats;

import org.verifycycle.collective.Configuration;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** From a run's records and samples to what it says. Deterministic: the same run gives the same analysis. */
public final class Analysis {
    /** Of every interval, before it is corrected for a family of comparisons. */
    public static final double LEVEL = 0.95;

    private Analysis() { }

    /**
     * Analyses a run, finished or not.
     *
     * @param samples reads the samples of a round whose status is OK; called once per round
     * @throws IllegalArgumentException naming the entry, if samples are not times
     */
    public static RunAnalysis of(final Run run, final Function<RoundResult, Samples> samples) {
        final Map<String, Measured> measured = new LinkedHashMap<>();
        final var wrong = wrong(run);
        run.entries().stream().filter(e -> !wrong.contains(e.configuration()))
                .forEach(e -> Measured.of(e, samples).ifPresent(m -> measured.put(e.id(), m)));

        final var byKey = new TreeMap<GroupKey, List<Entry>>(GroupKey.ORDER);
        run.entries().forEach(e -> byKey.computeIfAbsent(GroupKey.of(e), k -> new ArrayList<>()).add(e));

        final var ownNoise = new LinkedHashMap<GroupKey, OptionalDouble>();
        byKey.forEach((key, entries) -> ownNoise.put(key, NoiseFloor.of(present(entries, measured))));
        final var groups = new ArrayList<RunAnalysis.Group>();
        byKey.forEach((key, entries) -> groups.add(group(key, entries, measured, noise(key, ownNoise))));

        final var estimates = new LinkedHashMap<String, Estimate>();
        measured.forEach((id, m) -> estimates.put(id, m.estimate()));
        return new RunAnalysis(estimates, groups, Answers.of(run.workload(), groups, measured));
    }

    /**
     * Configurations that gave a wrong result in any entry of the run. The baseline and its A/A copy run the same code on the same
     * data: what one of them got wrong, the other got right by luck, so neither has a time.
     */
    public static Set<Configuration> wrong(final Run run) {
        return run.entries().stream().filter(Entry::wrong).map(Entry::configuration).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The A/A difference of a group, else the largest of those that differ in the size only: another world, launch or mark has
     * noise of its own, which says nothing here.
     */
    private static OptionalDouble noise(final GroupKey key, final Map<GroupKey, OptionalDouble> own) {
        return own.get(key).isPresent() ? own.get(key)
                : own.entrySet().stream().filter(e -> key.sameButForSize(e.getKey())).map(Map.Entry::getValue).flatMapToDouble(OptionalDouble::stream).max();
    }

    private static RunAnalysis.Group group(final GroupKey key, final List<Entry> entries, final Map<String, Measured> all,
                                           final OptionalDouble noise) {
        final var measured = present(entries, all);
        final var baseline = first(measured, Entry.Purpose.BASELINE);
        final var candidates = measured.stream().filter(m -> m.entry().purpose() == Entry.Purpose.CANDIDATE).toList();
        final var comparisons = baseline.map(b -> Family.compare(candidates, b, Margin.of(noise), true)).orElse(List.of());
        final var floor = floors(key, all.values());

        final var sorted = new ArrayList<Entry>();
        measured.forEach(m -> sorted.add(m.estimated()));
        entries.stream().filter(e -> !all.containsKey(e.id())).map(Analysis::withoutEstimate).forEach(sorted::add);
        return new RunAnalysis.Group(key.world(), key.bytes(), key.dtype(), key.launch(), key.calls(), sorted,
                baseline.map(b -> b.entry().id()), floor, noise, comparisons, baseline.flatMap(b -> Tuned.of(b, measured, Margin.of(noise))));
    }

    /**
     * Of several lower bounds of a group the largest, which says most. A group without one takes the least of those measured at
     * other sizes: an exchange of flags costs the same at every size, and what depends on the size costs more.
     */
    private static OptionalDouble floors(final GroupKey key, final Collection<Measured> all) {
        final var alike = all.stream().filter(m -> m.entry().purpose() == Entry.Purpose.FLOOR && key.sameButForSize(GroupKey.of(m.entry()))).toList();
        final var own = alike.stream().filter(m -> m.entry().configuration().bytes() == key.bytes()).mapToDouble(m -> m.estimate().medianNanos()).max();
        return own.isPresent() ? own : alike.stream().mapToDouble(m -> m.estimate().medianNanos()).min();
    }

    /** Those with an estimate, fastest first; equal ones in the order of the plan. */
    private static List<Measured> present(final List<Entry> entries, final Map<String, Measured> all) {
        return entries.stream().map(e -> all.get(e.id())).filter(m -> m != null)
                .sorted(Comparator.comparingDouble(m -> m.estimate().medianNanos())).toList();
    }

    static Optional<Measured> first(final List<Measured> measured, final Entry.Purpose purpose) {
        return measured.stream().filter(m -> m.entry().purpose() == purpose).findFirst();
    }

    /** An estimate stored before a later round turned out wrong must not be shown. */
    private static Entry withoutEstimate(final Entry entry) {
        return new Entry(entry.id(), entry.configuration(), entry.purpose(), entry.marks(), entry.rounds(), Optional.empty());
    }
}
