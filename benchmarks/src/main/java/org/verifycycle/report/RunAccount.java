package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a report says about the run itself: what it left out, what went wrong, where and how it was made. */
final class RunAccount {
    static final String HOW_TO_READ = "How to read this";

    private final RunView view;

    RunAccount(final RunView view) {
        this.view = view;
    }

    Optional<Section> leftOut() {
        final var rows = view.run().leftOut().stream().map(l -> List.of(l.what(), l.reason())).toList();
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Section("Left out", Section.Depth.BRIEF,
                List.of(new Block.Table(List.of(Block.Column.text("what"), Block.Column.text("why")), rows))));
    }

    /** One row for the same error of the same collective, however many configurations had it. */
    Optional<Section> failures() {
        final Map<Trouble, Map<Entry, Integer>> troubles = new LinkedHashMap<>();
        for (final var entry : view.run().entries()) {
            for (final var round : entry.rounds()) {
                if (round.status() != RoundResult.Status.OK) {
                    final var trouble = new Trouble(RunView.name(entry), round.status(), round.error().orElse(""));
                    troubles.computeIfAbsent(trouble, t -> new LinkedHashMap<>()).merge(entry, 1, Integer::sum);
                }
            }
        }
        final var rows = troubles.entrySet().stream().map(t -> List.of(t.getKey().collective(),
                t.getKey().status() == RoundResult.Status.WRONG ? "wrong result" : "failed", where(t.getValue().keySet()),
                t.getValue().values().stream().mapToInt(n -> n).sum() + " of " + t.getValue().keySet().stream().mapToInt(e -> e.rounds().size()).sum(),
                t.getKey().error())).toList();
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Section("Wrong and failed", Section.Depth.BRIEF,
                List.of(new Block.Table(List.of(Block.Column.text("collective"), Block.Column.text("what"), Block.Column.text("where"),
                        Block.Column.text("rounds"), Block.Column.text("error")), rows))));
    }

    Section howToRead() {
        final var plan = view.run().plan();
        return new Section(HOW_TO_READ, Section.Depth.FULL, List.of(
                new Block.Paragraph("Group time of a cycle: last rank's end minus last rank's start. Skew: last start minus first start. A cost is the median "
                        + "over rounds of each round's median group time; its 95 % interval takes the round (fresh processes) as the unit, because cycles "
                        + "within a round are not independent. Percentiles are of all recorded cycles; outliers are counted, never dropped."),
                new Block.Paragraph("x baseline: how many times as fast as the baseline, with an interval whose level is corrected over all comparisons (Holm). "
                        + "~ means that the data can't tell. A wrong result has no time anywhere."),
                new Block.Paragraph("Plan: " + plan.rounds() + (plan.rounds() == 1 ? " round" : " rounds") + " in shuffled order (seed " + plan.shuffleSeed() + "), "
                        + Units.count(plan.warmupMillis()) + " ms warm-up and " + Units.count(plan.measureMillis()) + " ms measuring each"
                        + plan.budgetSeconds().map(s -> ", to fit in " + Units.count(s) + " s").orElse("") + ".")));
    }

    Section environment() {
        final var run = view.run();
        final var environment = run.environment();
        final var rows = new ArrayList<List<String>>();
        rows.add(List.of("host", environment.host()));
        rows.add(List.of("cpu", environment.cpu() + ", " + environment.cores() + (environment.cores() == 1 ? " core" : " cores")));
        rows.add(List.of("memory", Units.count(environment.memoryMiB()) + " MiB"));
        environment.devices().stream().collect(Collectors.groupingBy(d -> d, LinkedHashMap::new, Collectors.counting()))
                .forEach((device, n) -> rows.add(List.of("device", n == 1 ? device : n + "x " + device)));
        rows.add(List.of("os", environment.os()));
        rows.add(List.of("jvm", environment.jvm()));
        rows.add(List.of("commit", environment.commit()));
        rows.add(List.of("run", run.id()));
        rows.add(List.of("workload", run.workload().name() + ": " + Units.count(run.workload().calls()) + " calls of "
                + Units.plainBytes(run.workload().bytes()) + " " + run.workload().dtype().id() + " (" + run.workload().source() + ")"));
        environment.facts().forEach((key, value) -> rows.add(List.of(key, value)));
        environment.variables().forEach((key, value) -> rows.add(List.of(key + " (variable)", value)));
        return new Section("Environment", Section.Depth.FULL, List.of(new Block.Table(List.of(Block.Column.text("what"), Block.Column.text("value")), rows)));
    }

    Section repeat() {
        return new Section("Repeat it", Section.Depth.FULL, List.of(new Block.Command(
                view.run().command().stream().map(RunAccount::quoted).collect(Collectors.joining(" ")))));
    }

    private record Trouble(String collective, RoundResult.Status status, String error) { }

    /** {@code 2 ranks: 8 KiB, 42 KiB; 4 ranks: 8 KiB}. */
    private static String where(final Collection<Entry> entries) {
        final Map<Integer, Set<String>> sizes = new LinkedHashMap<>();
        entries.stream().map(Entry::configuration).forEach(c -> sizes.computeIfAbsent(c.world(), w -> new LinkedHashSet<>()).add(Units.bytes(c.bytes())));
        return sizes.entrySet().stream().map(e -> e.getKey() + " ranks: " + String.join(", ", e.getValue())).collect(Collectors.joining("; "));
    }

    private static String quoted(final String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
