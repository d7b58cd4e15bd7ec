package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.NcclTests;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Another program's numbers, marked as such, beside those of the run that they match. */
final class ImportedTables {
    private static final String NONE = "-";
    private static final String HOST = "host";

    private final RunView view;
    private final List<NcclTests> imported;

    ImportedTables(final RunView view, final List<NcclTests> imported) {
        this.view = view;
        this.imported = List.copyOf(imported);
    }

    /** One number: a mean over the calls of one launch, without an interval. */
    record Line(String name, String remark, double micros) { }

    /** What matches a group in world, size, type and way of starting calls. Numbers of GPUs never stand among those of the host. */
    List<Line> of(final RunAnalysis.Group group) {
        if (group.entries().stream().allMatch(e -> e.configuration().collective().backend().equals(HOST)) || !group.marks().isEmpty()) {
            return List.of();
        }
        final var lines = new ArrayList<Line>();
        imported.stream().filter(t -> t.world() == group.world() && t.launch() == group.launch()).forEach(t -> t.results().stream()
                .filter(r -> r.bytes() == group.bytes() && r.dtype() == group.dtype()).forEach(r -> {
                    r.outOfPlace().ifPresent(us -> lines.add(new Line("nccl-tests (imported)", remark(t), us)));
                    r.inPlace().ifPresent(us -> lines.add(new Line("nccl-tests, in place (imported)", remark(t), us)));
                }));
        return lines;
    }

    private static String remark(final NcclTests tests) {
        return tests.file() + ", NCCL " + tests.ncclVersion() + (tests.checked() ? "" : ", sums not checked");
    }

    /** How many times as fast as the baseline, by the two point estimates. */
    Optional<String> overBaseline(final Line line, final RunAnalysis.Group group) {
        return group.baselineId().map(view.run()::entry).flatMap(view::time).map(Estimate::medianNanos)
                .map(nanos -> Units.number(Units.Time.US.of(nanos) / group.calls() / line.micros()));
    }

    /** By name and size, for tables over sizes. */
    Map<String, Map<Integer, String>> bySize(final List<RunAnalysis.Group> groups) {
        final Map<String, Map<Integer, String>> cells = new LinkedHashMap<>();
        groups.forEach(g -> of(g).forEach(line -> cells.computeIfAbsent(line.name(), n -> new LinkedHashMap<>()).putIfAbsent(g.bytes(), Units.number(line.micros()))));
        return cells;
    }

    /** All of each file. */
    List<Section> sections() {
        return imported.stream().map(this::section).toList();
    }

    private Section section(final NcclTests tests) {
        final var rows = tests.results().stream().map(r -> List.of(Units.bytes((int) Math.min(r.bytes(), Integer.MAX_VALUE)), r.dtype().id(),
                r.outOfPlace().map(Units::number).orElse(NONE), r.inPlace().map(Units::number).orElse(NONE), r.wrong() ? "wrong result" : matched(tests, r) ? "" : "not in this run")).toList();
        return new Section("Imported: " + tests.file(), Section.Depth.FULL, List.of(
                new Block.Paragraph("Written by all_reduce_perf of nccl-tests with NCCL " + tests.ncclVersion() + ", " + tests.world() + " ranks, " + tests.launch().id()
                        + ". Not measured by this run, perhaps not on this machine. A number is the host's time over " + Units.count(tests.iterations())
                        + " calls, divided by them, mean over ranks: one measurement, no interval." + (tests.checked() ? "" : " Its sums were not checked.")
                        + (tests.skipped() == 0 ? "" : " " + tests.skipped() + " results of other operations or types are left out.")),
                new Block.Table(List.of(Block.Column.text("size"), Block.Column.text("type"), Block.Column.number("out of place us"), Block.Column.number("in place us"),
                        Block.Column.text("remark")), rows)));
    }

    private boolean matched(final NcclTests tests, final NcclTests.Result result) {
        return view.groups().stream().anyMatch(g -> g.world() == tests.world() && g.launch() == tests.launch() && g.bytes() == result.bytes() && g.dtype() == result.dtype() && !of(g).isEmpty());
    }
}
