package org.verifycycle.chart;

import org.verifycycle.result.Estimate;
import org.verifycycle.stats.RunAnalysis;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The words around a chart that say what it is about and how it was measured. */
final class Captions {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final RunView view;

    Captions(final RunView view) {
        this.view = view;
    }

    /** Data type and launch, and what makes all numbers special. */
    List<String> subtitle(final RunAnalysis.Group group, final String what) {
        final var lines = new ArrayList<String>();
        lines.add(what + ", " + group.dtype().id() + ", " + group.launch().id() + RunView.late(group, "; ") + RunView.hostNote(group).map(n -> "; " + n).orElse(""));
        group.marks().forEach(mark -> lines.add(Units.sentence(view.explain(mark, group))));
        return lines;
    }

    /**
     * @param shown   what the marks of the chart mean
     * @param whisker what the interval is of
     */
    List<String> below(final List<RunAnalysis.Group> groups, final String shown, final String whisker) {
        final var lines = new ArrayList<String>();
        lines.add(sampling(groups) + " " + shown + " " + interval(groups, whisker));
        final var unfinished = unfinished(groups);
        final var single = unfinished.isPresent() ? List.<String>of() : groups.stream().flatMap(g -> g.entries().stream().filter(e -> view.time(e).isPresent())
                        .flatMap(e -> view.marks(e).stream().map(m -> RunView.name(e) + ": " + m)))
                .distinct().toList();
        unfinished.ifPresent(lines::add);
        if (!single.isEmpty()) {
            lines.add("Mind: " + String.join("; ", single) + ".");
        }
        final var untimed = untimed(groups);
        if (!untimed.isEmpty()) {
            lines.add("Without a time: " + String.join(", ", untimed) + ".");
        }
        lines.add(view.machine() + ". Commit " + view.run().environment().commit() + ", run " + TIME.format(view.run().startedAt()) + ".");
        return lines;
    }

    /** Said once where no entry has all its rounds, as in a run that was interrupted. */
    private Optional<String> unfinished(final List<RunAnalysis.Group> groups) {
        final var planned = view.run().plan().rounds();
        final var done = groups.stream().flatMap(g -> view.timed(g).stream()).mapToInt(e -> e.measured().size()).summaryStatistics();
        return view.run().finishedAt().isEmpty() && done.getCount() > 1 && done.getMax() < planned
                ? Optional.of("Mind: not finished, " + Units.range(done.getMin(), done.getMax()) + " of " + planned + " rounds are done.") : Optional.empty();
    }

    /** {@code host/x (wrong result)}, with the sizes where it is not so at all of them. */
    private List<String> untimed(final List<RunAnalysis.Group> groups) {
        final Map<List<String>, List<String>> sizes = new LinkedHashMap<>();
        groups.forEach(g -> view.untimed(g).forEach(e -> sizes.computeIfAbsent(List.of(RunView.name(e), view.whyUntimed(e)), k -> new ArrayList<>())
                .add(Units.bytes(g.bytes()))));
        return sizes.entrySet().stream().map(e -> e.getKey().get(0) + " (" + e.getKey().get(1)
                + (e.getValue().size() == groups.size() ? "" : " at " + String.join(", ", e.getValue())) + ")").toList();
    }

    private List<Estimate> estimates(final List<RunAnalysis.Group> groups) {
        return groups.stream().flatMap(g -> view.timed(g).stream()).flatMap(e -> view.time(e).stream()).toList();
    }

    private String sampling(final List<RunAnalysis.Group> groups) {
        final var estimates = estimates(groups);
        final var rounds = estimates.stream().collect(Collectors.summarizingInt(Estimate::rounds));
        final var cycles = estimates.stream().filter(e -> e.rounds() > 0).collect(Collectors.summarizingLong(e -> e.cycles() / e.rounds()));
        return Units.range(rounds.getMin(), rounds.getMax()) + (rounds.getMax() == 1 ? " round x " : " rounds x ")
                + Units.range(cycles.getMin(), cycles.getMax()) + " cycles.";
    }

    private String interval(final List<RunAnalysis.Group> groups, final String whisker) {
        final var estimates = estimates(groups);
        if (whisker.isEmpty()) {
            return "";
        }
        if (estimates.stream().noneMatch(e -> e.interval().isPresent())) {
            return "No interval: that needs at least 2 rounds.";
        }
        return whisker;
    }
}
