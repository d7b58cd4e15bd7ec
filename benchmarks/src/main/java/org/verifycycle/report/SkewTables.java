package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.SkewCost;
import org.verifycycle.chart.Units;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.List;

/** What cycles cost with an injected late rank, split into transfer and waiting. */
final class SkewTables {
    private final RunView view;

    SkewTables(final RunView view) {
        this.view = view;
    }

    /** One section per set of groups that differ in the skew only. */
    List<Section> sections() {
        return view.bySkew().stream().filter(set -> !SkewCost.of(view, set).isEmpty()).map(this::section).toList();
    }

    private Section section(final List<RunAnalysis.Group> set) {
        final var costs = SkewCost.of(view, set);
        final var unit = Units.Time.forAll(costs.stream().flatMap(List::stream).map(SkewCost::totalNanos).toList());
        final var columns = new ArrayList<Block.Column>();
        columns.add(Block.Column.text("collective"));
        set.forEach(g -> columns.add(Block.Column.number(SkewCost.label(g.skewNanos()))));
        final var rows = costs.stream().map(c -> row(set, c, unit)).toList();
        final var first = set.get(0);
        return new Section("Cost over skew: " + first.world() + " ranks, " + Units.plainBytes(first.bytes()) + ", " + first.dtype().id() + ", " + first.launch().id() + ", "
                + RunView.calls(first) + (first.marks().isEmpty() ? "" : " (" + String.join(", ", first.marks()) + ")"), view.atWorkload(set) ? Section.Depth.BRIEF : Section.Depth.FOLDED,
                List.of(new Block.Table(columns, rows), new Block.Paragraph(unit.label() + " per cycle as transfer + waiting, when another rank is made late in every cycle: "
                        + "transfer is the group time, from the late rank's coming to the last rank's end; waiting is the measured skew before it. - no time.")));
    }

    private static List<String> row(final List<RunAnalysis.Group> set, final List<SkewCost> costs, final Units.Time unit) {
        final var row = new ArrayList<String>();
        row.add(RunView.name(costs.get(0).entry()));
        set.forEach(g -> row.add(costs.stream().filter(c -> c.skewNanos() == g.skewNanos()).findFirst()
                .map(c -> Units.number(unit.of(c.transferNanos())) + " + " + Units.number(unit.of(c.waitingNanos()))).orElse("-")));
        return row;
    }
}
