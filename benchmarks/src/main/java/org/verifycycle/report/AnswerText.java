package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.Interval;
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.Margin;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The answer in plain sentences: which collective, what the cycle costs, how sure. */
final class AnswerText {
    private static final int FEW = 5;

    private final RunView view;

    AnswerText(final RunView view) {
        this.view = view;
    }

    List<String> sentences() {
        final var sentences = new ArrayList<String>();
        final var answers = view.answers();
        if (answers.isEmpty()) {
            sentences.add("No answer: no collective has a time at " + Units.plainBytes(view.run().workload().bytes()) + ".");
        } else {
            main(answers.get(0), sentences);
            RunView.hostNote(answers.get(0).group()).ifPresent(note -> sentences.add("Mind: " + note + "."));
            answers.stream().skip(1).forEach(a -> sentences.add(other(a, answers.get(0).group())));
        }
        badNews(view::wrong, "Wrong results (no time is shown for them): ").ifPresent(sentences::add);
        badNews(e -> view.whyUntimed(e).equals("failed"), "Failed: ").ifPresent(sentences::add);
        if (view.run().finishedAt().isEmpty()) {
            final var done = view.run().entries().stream().mapToLong(e -> e.rounds().size()).sum();
            final var planned = (long) view.run().plan().rounds() * view.run().entries().size();
            sentences.add("This run is not finished: " + Units.count(done) + " of " + Units.count(planned) + " rounds of its configurations are done.");
        }
        return sentences;
    }

    /** How the noise of this run limits what may be claimed. */
    static String noise(final RunAnalysis.Group group) {
        if (group.noiseFloor().isEmpty()) {
            return "No A/A in this world: without two times of the baseline its noise is unknown.";
        }
        final var margin = group.comparisons().stream().mapToDouble(Comparison::margin).max();
        return "The baseline measured twice (A/A) differs by " + Units.percent(group.noiseFloor().getAsDouble())
                + (margin.isPresent() ? ": no claim below " + Units.percent(margin.getAsDouble()) : "") + ".";
    }

    private void main(final RunAnalysis.Answer answer, final List<String> sentences) {
        final var group = answer.group();
        final var best = view.run().entry(answer.bestId());
        final var time = view.time(best).orElseThrow();
        sentences.add((answer.decided() ? "Use " : answer.passedOverIds().isEmpty() ? "Fastest is " : "Fastest without a failed round is ") + named(best)
                + (answer.bestIsBaseline() ? ", the baseline," : "") + " with " + ranks(group) + (answer.decided() ? "" : ", but that is undecided")
                + ": a verify cycle (" + RunView.calls(group) + " of " + Units.plainBytes(group.bytes()) + ") costs " + cost(time)
                + ", " + Units.number(perCall(time, group), time.interval().map(i -> micros(i, group))) + " us per call.");
        answer.overBaseline().ifPresent(comparison -> sentences.add(overBaseline(comparison, time)));
        overTuned(answer).ifPresent(sentences::add);
        if (!compared(answer)) {
            sentences.add("Whether it beats the baseline is undecided: " + noBaseline(group) + ".");
        }
        passedOver(answer).ifPresent(names -> sentences.add("Not recommended, because rounds failed: " + names + "."));
        tied(answer).ifPresent(names -> sentences.add("On this data it can't be told from " + names + "."));
        sentences.add(time.interval().isPresent()
                ? "How sure: 95 % interval over " + time.rounds() + " rounds of fresh processes, " + Units.count(time.cycles()) + " cycles. "
                + noise(group)
                : "How sure: " + (time.rounds() == 1 ? "one round gives" : "two rounds give") + " no interval; run at least 5 before trusting this.");
    }

    private String other(final RunAnalysis.Answer answer, final RunAnalysis.Group main) {
        final var group = answer.group();
        final var best = view.run().entry(answer.bestId());
        return "With " + ranks(group) + ": " + named(best) + ", " + cost(view.time(best).orElseThrow()) + " per cycle"
                + answer.overBaseline().map(c -> ", " + speedup(c) + " the baseline's speed (" + verdict(c) + ")")
                .orElse(answer.bestIsBaseline() ? ", the baseline itself" : ", undecided (" + noBaseline(group) + ")")
                + tuned(answer).map(c -> ", " + speedup(c) + " that of " + library(group) + "'s best, " + RunView.name(view.run().entry(c.baselineId())) + " (" + verdict(c) + ")").orElse("")
                + passedOver(answer).map(names -> "; not recommended, because rounds failed: " + names).orElse("")
                + tied(answer).map(names -> "; can't be told from " + names).orElse("")
                + (group.launch() == main.launch() && group.dtype() == main.dtype() ? "" : " (" + group.dtype().id() + ", " + group.launch().id() + ")")
                + (RunView.hostNote(group).equals(RunView.hostNote(main)) ? "" : RunView.hostNote(group).map(n -> "; " + n).orElse("")) + ".";
    }

    private String overBaseline(final Comparison comparison, final Estimate best) {
        final var baseline = view.run().entry(comparison.baselineId());
        final var name = RunView.name(baseline);
        final var time = view.time(baseline);
        final var cost = time.map(t -> " (" + cost(t) + ")").orElse("");
        return switch (comparison.verdict()) {
            case FASTER -> "It is " + speedup(comparison) + " as fast as the baseline " + name + cost
                    + time.map(t -> ", a saving of " + saving(t.medianNanos() - best.medianNanos()) + " per cycle").orElse("") + ".";
            case SAME -> "It is as fast as the baseline " + name + cost + " within " + Units.percent(Margin.PRACTICAL) + ": " + speedup(comparison) + ".";
            case UNDECIDED -> "Whether it beats the baseline " + name + cost + " is undecided: " + speedup(comparison) + ".";
            case SLOWER -> "It is slower than the baseline " + name + cost + ": " + speedup(comparison) + ".";
        };
    }

    /** How the best compares with the best of the baseline's own library, where that is another than the baseline. */
    private Optional<Comparison> tuned(final RunAnalysis.Answer answer) {
        return answer.group().tuned().filter(t -> answer.group().baselineId().filter(t.entryId()::equals).isEmpty()).flatMap(t -> t.comparison(answer.bestId()));
    }

    private Optional<String> overTuned(final RunAnalysis.Answer answer) {
        final var group = answer.group();
        final var itself = group.tuned().filter(t -> group.baselineId().filter(t.entryId()::equals).isPresent()).filter(t -> t.comparison(answer.bestId()).isPresent())
                .map(t -> "The baseline is " + library(group) + "'s best here: none of " + (t.settings() - 1) + " other settings of it is faster.");
        return itself.or(() -> tuned(answer).map(c -> {
            final var rival = view.run().entry(c.baselineId());
            final var best = library(group) + "'s best here, " + RunView.name(rival) + view.time(rival).map(t -> " (" + cost(t) + ")").orElse("");
            return switch (c.verdict()) {
                case FASTER -> "It is " + speedup(c) + " as fast as " + best + ".";
                case SAME -> "It is as fast as " + best + ", within " + Units.percent(Margin.PRACTICAL) + ": " + speedup(c) + ".";
                case UNDECIDED -> "Whether it beats " + best + ", is undecided: " + speedup(c) + ".";
                case SLOWER -> "It is slower than " + best + ": " + speedup(c) + ".";
            };
        }));
    }

    /** The name of the baseline's library, for sentences. */
    private String library(final RunAnalysis.Group group) {
        return view.library(group).orElse("the library");
    }

    /** With how many of its rounds have times, where that is not all. */
    private String named(final Entry entry) {
        final var marks = view.marks(entry);
        return RunView.name(entry) + (marks.isEmpty() ? "" : " (" + String.join(", ", marks) + ")");
    }

    private static boolean compared(final RunAnalysis.Answer answer) {
        return answer.bestIsBaseline() || answer.overBaseline().isPresent();
    }

    /** Why there is nothing to compare with. */
    private String noBaseline(final RunAnalysis.Group group) {
        return group.entries().stream().filter(e -> e.purpose() == Entry.Purpose.BASELINE).findFirst()
                .map(e -> RunView.name(e) + " has no time (" + view.whyUntimed(e) + ")").orElse("no baseline was measured");
    }

    private Optional<String> passedOver(final RunAnalysis.Answer answer) {
        final var names = answer.passedOverIds().stream().map(view.run()::entry)
                .map(e -> named(e) + view.time(e).map(t -> ", " + cost(t)).orElse("")).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(list(names));
    }

    /** Without the baseline: what is to be said of it is in the comparison. */
    private Optional<String> tied(final RunAnalysis.Answer answer) {
        final var compared = answer.overBaseline().map(Comparison::baselineId).orElse("");
        final var names = answer.tiedIds().stream().filter(id -> !id.equals(compared)).map(view.run()::entry).filter(e -> view.time(e).isPresent()).map(RunView::name).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(list(names));
    }

    private Optional<String> badNews(final java.util.function.Predicate<Entry> which, final String start) {
        final var names = view.run().entries().stream().filter(which).map(RunView::name)
                .collect(Collectors.groupingBy(n -> n, java.util.LinkedHashMap::new, Collectors.counting())).entrySet().stream()
                .map(e -> e.getValue() == 1 ? e.getKey() : e.getKey() + " (" + e.getValue() + " configurations)").toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(start + list(names) + ".");
    }

    private static String list(final List<String> names) {
        return String.join(", ", names.subList(0, Math.min(FEW, names.size())))
                + (names.size() > FEW ? " and " + (names.size() - FEW) + " more" : "");
    }

    private String ranks(final RunAnalysis.Group group) {
        final var marks = group.marks().stream().map(m -> view.explain(m, group)).toList();
        return group.world() + " ranks" + RunView.late(group, ", ") + (marks.isEmpty() ? "" : " (" + String.join("; ", marks) + ")");
    }

    private static String cost(final Estimate time) {
        final var unit = Units.Time.forAll(List.of(time.medianNanos()));
        return Units.withInterval(unit.of(time.medianNanos()), time.interval().map(unit::of), " " + unit.label());
    }

    private static String saving(final double nanos) {
        final var unit = Units.Time.forAll(List.of(Math.abs(nanos)));
        return Units.number(unit.of(nanos)) + " " + unit.label();
    }

    static double perCall(final Estimate time, final RunAnalysis.Group group) {
        return Units.Time.US.of(time.medianNanos()) / group.calls();
    }

    static Interval micros(final Interval cycleNanos, final RunAnalysis.Group group) {
        return Units.Time.US.of(cycleNanos).scale(1.0 / group.calls());
    }

    private static String speedup(final Comparison comparison) {
        return Units.withInterval(comparison.speedup(), RunView.speedupInterval(comparison), "x");
    }

    private static String verdict(final Comparison comparison) {
        return switch (comparison.verdict()) {
            case UNDECIDED -> "undecided";
            default -> comparison.verdict().label();
        };
    }
}
