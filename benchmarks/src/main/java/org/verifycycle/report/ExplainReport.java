package org.verifycycle.report;

import org.verifycycle.chart.Units;
import org.verifycycle.policy.Decision;
import org.verifycycle.policy.Flips;
import org.verifycycle.policy.Path;
import org.verifycycle.policy.Policy;
import org.verifycycle.policy.Question;

import java.util.ArrayList;
import java.util.List;

/** What an engine would do with a call, gate by gate. */
public final class ExplainReport {
    private static final int MOST_BYTES = 64 << 20;

    private ExplainReport() {
    }

    /** @param assumed what was not said and could not be looked up, a sentence each */
    public static ReportModel of(final Question question, final List<String> assumed) {
        final var decision = Policy.decide(question);
        final var answer = new ArrayList<String>();
        answer.add(call(question) + decision.path().text() + (decision.grid().isEmpty() ? "" : ", " + decision.grid() + " blocks x threads") + ".");
        decision.warnings().forEach(w -> answer.add("Mind: " + w));
        answer.addAll(assumed);
        return new ReportModel("Which all-reduce " + question.engine().id() + " takes", answer, List.of(gates(decision), sizes(question)));
    }

    private static String call(final Question q) {
        return q.engine().about() + ", " + Units.plainBytes(q.bytes()) + " of " + q.dtype().id() + ", " + q.world() + (q.world() == 1 ? " rank, " : " ranks, ") + q.links().id()
                + ", " + q.launch().id() + ": ";
    }

    private static Section gates(final Decision decision) {
        final var rows = decision.steps().stream().map(s -> List.of(s.rule(), s.passed() ? "yes" : "NO", s.fact(), s.source())).toList();
        return new Section("Gate by gate", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.text("rule"), Block.Column.text("holds"), Block.Column.text("here"),
                Block.Column.text("from")), rows)));
    }

    private static Section sizes(final Question question) {
        final var ranges = Flips.of(question, MOST_BYTES);
        final var rows = ranges.stream().map(r -> List.of(Units.bytes(r.fromBytes()), Units.bytes(r.toBytes()), r.path() == Path.NOTHING ? "NOTHING is launched" : r.path().text())).toList();
        return new Section("By size (multiples of 16 bytes, all else the same)", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.number("from"),
                Block.Column.number("to"), Block.Column.text("taken")), rows)));
    }
}
