package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.RunAnalysis;
import org.verifycycle.stats.Verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tables of comparable collectives. */
final class GroupTables {
    private static final String NONE = "-";
    private static final int LIBRARY_COLUMN = 5;
    /** Sizes side by side: more don't fit a terminal. */
    private static final int SIZES = 6;

    private final RunView view;
    private final ImportedTables imported;

    GroupTables(final RunView view, final ImportedTables imported) {
        this.view = view;
        this.imported = imported;
    }

    /** One section per group at the workload's size. */
    List<Section> atWorkload() {
        return view.atWorkload().stream().map(g -> group(g, Section.Depth.BRIEF)).toList();
    }

    /** All groups that {@link #atWorkload} has not. */
    List<Section> otherSizes() {
        final var shown = Set.copyOf(view.atWorkload());
        return view.groups().stream().filter(g -> !shown.contains(g)).map(g -> group(g, Section.Depth.FOLDED)).toList();
    }

    /** Time per call over the sizes, where there are several. */
    List<Section> bySize() {
        return view.bySweep().stream().filter(s -> s.stream().filter(g -> !view.timed(g).isEmpty()).count() > 1).map(this::sizes).toList();
    }

    private Section group(final RunAnalysis.Group group, final Section.Depth depth) {
        final var blocks = new ArrayList<Block>();
        RunView.hostNote(group).ifPresent(note -> blocks.add(new Block.Paragraph(Units.sentence(note))));
        group.marks().forEach(mark -> blocks.add(new Block.Paragraph(Units.sentence(view.explain(mark, group)))));
        final var times = view.timed(group).stream().flatMap(e -> view.time(e).stream()).toList();
        final var unit = Units.Time.forAll(times.stream().map(Estimate::medianNanos).toList());
        // The floor is no choice: it stands below those that are.
        final var rows = Stream.concat(Stream.concat(group.entries().stream().filter(e -> e.purpose() != Entry.Purpose.FLOOR),
                group.entries().stream().filter(e -> e.purpose() == Entry.Purpose.FLOOR)).map(e -> row(group, e, unit)), imported.of(group).stream().map(l -> row(group, l))).toList();
        final var interval = times.stream().anyMatch(t -> t.interval().isPresent()) ? " [95 %]" : "";
        blocks.add(withoutEmpty(new Block.Table(List.of(Block.Column.text("collective"), Block.Column.number(unit.label() + " per cycle" + interval),
                Block.Column.number("us per call"), Block.Column.detail("% of floor"), Block.Column.number("x baseline"), Block.Column.text("verdict"),
                Block.Column.detail("x " + group.tuned().flatMap(t -> view.library(group)).map(l -> l + "'s best").orElse("library's best")), Block.Column.detail("p50 " + unit.label()), Block.Column.detail("p95 " + unit.label()),
                Block.Column.number("p99 " + unit.label()), Block.Column.detail("max " + unit.label()), Block.Column.number("skew us"),
                Block.Column.detail("rounds"), Block.Column.detail("cycles"), Block.Column.detail("outliers"),
                Block.Column.text("marks")), rows)));
        group.tuned().ifPresent(t -> blocks.add(new Block.Paragraph(view.library(group).orElseThrow() + "'s best of " + t.settings() + " settings here: "
                + RunView.name(view.run().entry(t.entryId())) + ".")));
        if (!group.comparisons().isEmpty()) {
            blocks.add(new Block.Paragraph(AnswerText.noise(group)));
        }
        return new Section(RunView.scope(group), depth, blocks);
    }

    private List<String> row(final RunAnalysis.Group group, final Entry entry, final Units.Time unit) {
        final var time = view.time(entry);
        final var comparison = group.comparison(entry.id()).filter(c -> time.isPresent());
        return List.of(RunView.name(entry),
                time.map(t -> Units.withInterval(unit.of(t.medianNanos()), t.interval().map(unit::of), "")).orElse(NONE),
                time.map(t -> Units.number(AnswerText.perCall(t, group), t.interval().map(i -> AnswerText.micros(i, group)))).orElse(NONE),
                time.filter(t -> group.floorNanos().isPresent()).map(t -> Units.percent(t.medianNanos() / group.floorNanos().getAsDouble())).orElse(NONE),
                comparison.map(c -> Units.withInterval(c.speedup(), RunView.speedupInterval(c), "")).orElse(NONE),
                verdict(entry, comparison),
                group.tuned().flatMap(t -> t.comparison(entry.id())).filter(c -> time.isPresent()).map(c -> Units.withInterval(c.speedup(), RunView.speedupInterval(c), "")).orElse(NONE),
                time.map(t -> Units.number(unit.of(t.p50Nanos()))).orElse(NONE),
                time.map(t -> Units.number(unit.of(t.p95Nanos()))).orElse(NONE),
                time.map(t -> Units.number(unit.of(t.p99Nanos()))).orElse(NONE),
                time.map(t -> Units.number(unit.of(t.maxNanos()))).orElse(NONE),
                time.map(t -> Units.number(Units.Time.US.of(t.skewMedianNanos()))).orElse(NONE),
                time.map(t -> Integer.toString(t.rounds())).orElse(NONE),
                time.map(t -> Units.count(t.cycles())).orElse(NONE),
                time.map(t -> Units.count(t.outliers())).orElse(NONE),
                String.join(", ", view.marks(entry)));
    }

    private List<String> row(final RunAnalysis.Group group, final ImportedTables.Line line) {
        return List.of(line.name(), NONE, Units.number(line.micros()), NONE, imported.overBaseline(line, group).orElse(NONE), "imported", NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, line.remark());
    }

    private String verdict(final Entry entry, final Optional<Comparison> comparison) {
        if (view.time(entry).isEmpty()) {
            return view.whyUntimed(entry);
        }
        return switch (entry.purpose()) {
            case BASELINE -> "baseline";
            case BASELINE_COPY -> "A/A";
            case FLOOR -> "floor";
            case CANDIDATE -> comparison.map(c -> c.verdict().label()).orElse(NONE);
        };
    }

    private Section sizes(final List<RunAnalysis.Group> sweep) {
        final var first = sweep.get(0);
        final var blocks = new ArrayList<Block>();
        for (var from = 0; from < sweep.size(); from += SIZES) {
            blocks.add(sizeTable(sweep.subList(from, Math.min(sweep.size(), from + SIZES))));
        }
        blocks.add(new Block.Paragraph("us per call; * fastest at that size, ~ can't be told from the baseline, - no time."));
        return new Section("Time per call by size: " + first.world() + " ranks, " + first.dtype().id() + ", " + first.launch().id() + ", "
                + RunView.calls(first) + (first.marks().isEmpty() ? "" : " (" + String.join(", ", first.marks()) + ")"), Section.Depth.BRIEF, blocks);
    }

    private Block.Table sizeTable(final List<RunAnalysis.Group> groups) {
        final Map<CollectiveSpec, Map<Integer, String>> cells = new LinkedHashMap<>();
        final var floors = new LinkedHashSet<CollectiveSpec>();
        for (final var group : groups) {
            final var fastest = view.timed(group).stream().filter(e -> e.purpose() != Entry.Purpose.FLOOR && e.purpose() != Entry.Purpose.BASELINE_COPY)
                    .findFirst().map(Entry::id).orElse("");
            for (final var entry : group.entries()) {
                if (entry.purpose() != Entry.Purpose.BASELINE_COPY) {
                    final var spec = entry.configuration().collective();
                    cells.computeIfAbsent(spec, s -> new LinkedHashMap<>()).put(group.bytes(), cell(group, entry, entry.id().equals(fastest)));
                    if (entry.purpose() == Entry.Purpose.FLOOR) {
                        floors.add(spec);
                    }
                }
            }
        }
        final var columns = new ArrayList<Block.Column>();
        columns.add(Block.Column.text("collective"));
        groups.forEach(g -> columns.add(Block.Column.number(Units.bytes(g.bytes()))));
        final var rows = new ArrayList<List<String>>();
        Stream.concat(cells.keySet().stream().filter(s -> !floors.contains(s)), floors.stream()).forEach(spec -> {
            final var row = new ArrayList<String>();
            row.add(spec + (floors.contains(spec) ? " (floor)" : ""));
            groups.forEach(g -> row.add(cells.get(spec).getOrDefault(g.bytes(), NONE)));
            rows.add(row);
        });
        imported.bySize(groups).forEach((name, bySize) -> rows.add(Stream.concat(Stream.of(name), groups.stream().map(g -> bySize.getOrDefault(g.bytes(), NONE))).toList()));
        return new Block.Table(columns, rows);
    }

    private String cell(final RunAnalysis.Group group, final Entry entry, final boolean fastest) {
        final var undecided = group.comparison(entry.id()).filter(c -> c.verdict() == Verdict.UNDECIDED).isPresent();
        return view.time(entry).map(t -> Units.number(AnswerText.perCall(t, group), t.interval().map(i -> AnswerText.micros(i, group)))
                + (fastest ? "*" : "") + (undecided ? "~" : "")).orElse(NONE);
    }

    /** Without the last column, and that of the library's best, where they say nothing. */
    private static Block.Table withoutEmpty(final Block.Table table) {
        final var kept = IntStream.range(0, table.columns().size()).filter(c -> c != LIBRARY_COLUMN && c != table.columns().size() - 1
                || table.rows().stream().anyMatch(r -> !r.get(c).isEmpty() && !r.get(c).equals(NONE))).boxed().toList();
        return new Block.Table(kept.stream().map(table.columns()::get).toList(), table.rows().stream().map(r -> kept.stream().map(r::get).toList()).toList());
    }
}
