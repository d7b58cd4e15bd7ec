package org.verifycycle.chart;

import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Skew;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Environment;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.Interval;
import org.verifycycle.result.Run;
import org.verifycycle.result.RoundResult;
import org.verifycycle.stats.Analysis;
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.NearestSize;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** What charts and reports ask of a run. The one place that decides whether an entry has a time: a wrong one never does. */
public final class RunView {
    private static final String HOST = "host";

    private final Run run;
    private final RunAnalysis analysis;
    private final Set<Configuration> wrong;

    public RunView(final Run run, final RunAnalysis analysis) {
        this.run = run;
        this.analysis = analysis;
        this.wrong = Analysis.wrong(run);
    }

    public Run run() {
        return run;
    }

    public List<RunAnalysis.Group> groups() {
        return analysis.groups();
    }

    /** Groups without an injected late rank; all, where the run has no other. */
    private List<RunAnalysis.Group> plain() {
        final var plain = groups().stream().filter(g -> g.skewNanos() == Skew.NONE).toList();
        return plain.isEmpty() ? groups() : plain;
    }

    /** Whether a result of its configuration was wrong, in this entry or in its A/A twin. */
    public boolean wrong(final Entry entry) {
        return wrong.contains(entry.configuration());
    }

    /** Its estimate, unless a result of it was wrong or it has none. */
    public Optional<Estimate> time(final Entry entry) {
        return wrong(entry) ? Optional.empty()
                : Optional.ofNullable(analysis.estimates().get(entry.id())).filter(e -> Double.isFinite(e.medianNanos()) && e.medianNanos() > 0);
    }

    public List<Entry> timed(final RunAnalysis.Group group) {
        return group.entries().stream().filter(e -> time(e).isPresent()).toList();
    }

    public List<Entry> untimed(final RunAnalysis.Group group) {
        return group.entries().stream().filter(e -> time(e).isEmpty()).toList();
    }

    /** Entries drawn as bars, lines and points: not the floor, which is a rule. */
    List<Entry> drawn(final RunAnalysis.Group group) {
        return timed(group).stream().filter(e -> e.purpose() != Entry.Purpose.FLOOR).toList();
    }

    /** The entry whose time is the group's floor; absent where that was taken over from another size. */
    Optional<Entry> floorEntry(final RunAnalysis.Group group) {
        return timed(group).stream().filter(e -> e.purpose() == Entry.Purpose.FLOOR && time(e).orElseThrow().medianNanos() == group.floorNanos().orElse(0)).findFirst();
    }

    /** Recommendations whose best has a time. */
    public List<RunAnalysis.Answer> answers() {
        return analysis.answers().stream().filter(a -> time(run.entry(a.bestId())).isPresent()).toList();
    }

    /**
     * Groups at the workload's size, the one the run is mainly about first; where there is none, those at the nearest size. Those with
     * an injected late rank are told by {@link #bySkew}.
     */
    public List<RunAnalysis.Group> atWorkload() {
        final var found = new LinkedHashSet<RunAnalysis.Group>();
        analysis.answers().forEach(a -> found.add(a.group()));
        final var wanted = run.workload().bytes();
        plain().stream().filter(g -> g.bytes() == wanted).forEach(found::add);
        if (found.isEmpty()) {
            for (final var sweep : bySweep()) {
                final var nearest = NearestSize.to(wanted, sweep.stream().map(RunAnalysis.Group::bytes).toList());
                sweep.stream().filter(g -> nearest.equals(OptionalInt.of(g.bytes()))).findFirst().ifPresent(found::add);
            }
        }
        return List.copyOf(found);
    }

    /** Groups that differ in the size only, smallest first; without an injected late rank. */
    public List<List<RunAnalysis.Group>> bySweep() {
        final Map<String, List<RunAnalysis.Group>> sweeps = new LinkedHashMap<>();
        plain().forEach(g -> sweeps.computeIfAbsent(sweepKey(g), k -> new ArrayList<>()).add(g));
        return sweeps.values().stream()
                .map(s -> s.stream().sorted((a, b) -> Integer.compare(a.bytes(), b.bytes())).toList()).toList();
    }

    /** Groups that differ in the injected skew only, the least first; at least two of them with times, at any size. */
    public List<List<RunAnalysis.Group>> bySkew() {
        final Map<String, List<RunAnalysis.Group>> sets = new LinkedHashMap<>();
        groups().stream().filter(g -> !timed(g).isEmpty()).forEach(g -> sets.computeIfAbsent(kindKey(g) + "-" + g.bytes(), k -> new ArrayList<>()).add(g));
        return sets.values().stream().filter(s -> s.size() > 1).map(s -> s.stream().sorted(Comparator.comparingInt(RunAnalysis.Group::skewNanos)).toList()).toList();
    }

    /** Whether groups of one world and size, as {@link #bySkew} has them, are of a size that {@link #atWorkload} has in that world. */
    public boolean atWorkload(final List<RunAnalysis.Group> sameSize) {
        return atWorkload().stream().anyMatch(g -> g.world() == sameSize.get(0).world() && g.bytes() == sameSize.get(0).bytes());
    }

    /** Part of a file name: {@code w2}, with more only where the run has several such groups. */
    public String slug(final RunAnalysis.Group group) {
        return slugWithoutSkew(group) + (group.skewNanos() == Skew.NONE ? "" : "-skew-" + Skew.format(group.skewNanos()));
    }

    String slugWithoutSkew(final RunAnalysis.Group group) {
        final var kinds = groups().stream().filter(g -> g.world() == group.world()).map(RunView::kindKey).distinct().toList();
        final var alike = kinds.stream().filter(k -> k.startsWith(kindWithoutMarks(group))).toList();
        // The number tells apart what differs in marks only: those are free text, no part of a file's name.
        return "w" + group.world() + (kinds.size() > 1 ? "-" + group.dtype().id() + "-" + group.launch().id() + "-" + group.calls() : "")
                + (alike.size() > 1 ? "-" + (alike.indexOf(kindKey(group)) + 1) : "");
    }

    /** {@code host/ring}, with {@code (again)} for the second copy of the baseline. */
    public static String name(final Entry entry) {
        final var spec = entry.configuration().collective().toString();
        return entry.purpose() == Entry.Purpose.BASELINE_COPY ? spec + " (again)" : spec;
    }

    /** What makes this entry's numbers special beside those of its group. */
    public List<String> marks(final Entry entry) {
        final var marks = new ArrayList<String>();
        final var measured = entry.measured().size();
        if (time(entry).isPresent() && measured < run.plan().rounds()) {
            marks.add(measured + " of " + run.plan().rounds() + " rounds");
        }
        return marks;
    }

    /** What the baseline's backend is called in sentences, e.g. {@code NCCL}. */
    public Optional<String> library(final RunAnalysis.Group group) {
        return group.baselineId().map(id -> run.entry(id).configuration().collective().backend()).map(backend -> backend.equals("nccl") ? "NCCL" : backend);
    }

    /** A mark with its meaning. */
    public String explain(final String mark, final RunAnalysis.Group group) {
        return switch (mark) {
            case Entry.OVERSUBSCRIBED -> mark + ": " + group.world() + " ranks share " + cores() + " and take turns";
            case Entry.SHARED_GPU -> mark + ": several ranks run on one GPU, so no link is crossed; right for checks, not for choosing";
            default -> mark;
        };
    }

    /** Of the speed-up. A ratio's bound at or below 0 says nothing: then there is none. */
    public static Optional<Interval> speedupInterval(final Comparison comparison) {
        return comparison.interval().filter(i -> i.low() > 0 && Double.isFinite(i.high())).map(i -> new Interval(1 / i.high(), 1 / i.low()));
    }

    /** Why there is no time. */
    public String whyUntimed(final Entry entry) {
        if (wrong(entry)) {
            return "wrong result";
        }
        return entry.rounds().stream().anyMatch(r -> r.status() == RoundResult.Status.FAILED) ? "failed" : "not measured";
    }

    /** {@code 2 ranks, 43,008 bytes, fp32, eager, 122 calls (oversubscribed)}. */
    public static String scope(final RunAnalysis.Group group) {
        return group.world() + " ranks, " + Units.plainBytes(group.bytes()) + ", " + group.dtype().id() + ", " + group.launch().id() + ", "
                + calls(group) + late(group, ", ") + (group.marks().isEmpty() ? "" : " (" + String.join(", ", group.marks()) + ")");
    }

    /** {@code one rank 20 us late} after {@code before}; empty where none is made late. */
    public static String late(final RunAnalysis.Group group, final String before) {
        return group.skewNanos() == Skew.NONE ? "" : before + "one rank " + Axis.plain(Units.Time.US.of(group.skewNanos())) + " us late";
    }

    public static String calls(final RunAnalysis.Group group) {
        return Units.count(group.calls()) + (group.calls() == 1 ? " call" : " calls");
    }

    /** Present when (some of) a group's numbers are not a GPU's. */
    public static Optional<String> hostNote(final RunAnalysis.Group group) {
        final var backends = group.entries().stream().map(e -> e.configuration().collective().backend()).collect(Collectors.toSet());
        if (!backends.contains(HOST)) {
            return Optional.empty();
        }
        return Optional.of(backends.size() == 1 ? "host shared memory, not GPU numbers"
                : "collectives named host/... ran over host shared memory: not GPU numbers");
    }

    /** {@code box7: 2x NVIDIA H200, AMD EPYC 9654, 2 cores}. */
    public String machine() {
        final var environment = run.environment();
        final var parts = new ArrayList<String>();
        environment.devices().stream().collect(Collectors.groupingBy(d -> d, LinkedHashMap::new, Collectors.counting()))
                .forEach((device, n) -> parts.add(n == 1 ? device : n + "x " + device));
        parts.add(cpu(environment));
        parts.add(cores());
        return environment.host() + ": " + String.join(", ", parts);
    }

    private String cores() {
        final var cores = run.environment().cores();
        return cores + (cores == 1 ? " core" : " cores");
    }

    private static String cpu(final Environment environment) {
        return environment.cpu().replaceAll("\\((R|TM)\\)", "").replaceAll("\\s+", " ").strip();
    }

    private static String sweepKey(final RunAnalysis.Group group) {
        return kindKey(group) + "-" + group.skewNanos();
    }

    /** All but size and skew. */
    private static String kindKey(final RunAnalysis.Group group) {
        return kindWithoutMarks(group) + group.marks();
    }

    private static String kindWithoutMarks(final RunAnalysis.Group group) {
        return "w" + group.world() + "-" + group.dtype().id() + "-" + group.launch().id() + "-" + group.calls() + "-";
    }
}
