package org.verifycycle.stats;

import org.verifycycle.collective.Skew;
import org.verifycycle.result.Dispatch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.RunAnalysis.Answer;
import org.verifycycle.stats.RunAnalysis.Group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The choice at every measured size, and where it changes: a run as a dispatch table. */
public final class Choices {
    static final int PACK_BYTES = 16;

    private final Run run;
    private final Map<String, Measured> measured = new LinkedHashMap<>();

    private Choices(final Run run, final Function<RoundResult, Samples> samples) {
        this.run = run;
        final var wrong = Analysis.wrong(run);
        run.entries().stream().filter(e -> !wrong.contains(e.configuration())).forEach(e -> Measured.of(e, samples).ifPresent(m -> measured.put(e.id(), m)));
    }

    /** @param samples reads the samples of a round whose status is OK */
    public static Dispatch of(final Run run, final RunAnalysis analysis, final Function<RoundResult, Samples> samples) {
        final var choices = new Choices(run, samples);
        final Map<List<Object>, List<Answer>> sweeps = new LinkedHashMap<>();
        // Without injected lateness: a server's own is another.
        analysis.groups().stream().filter(g -> g.skewNanos() == Skew.NONE).forEach(g -> Answers.answer(g, choices.measured).ifPresent(a -> sweeps.computeIfAbsent(kind(g), k -> new ArrayList<>()).add(a)));
        sweeps.values().forEach(s -> s.sort(Comparator.comparingInt(a -> a.group().bytes())));
        return new Dispatch(run.id(), run.environment().commit(), run.environment().devices(), sweeps.values().stream().map(choices::table).toList(), VllmSizes.of(run.environment().devices(), sweeps.values().stream().map(sweep -> sweep.stream().map(Answer::group).toList()).toList(), choices.measured));
    }

    /** All of a group but its size. */
    private static List<Object> kind(final Group g) {
        return List.of(g.world(), g.dtype(), g.launch(), g.calls(), g.marks());
    }

    private Dispatch.Table table(final List<Answer> sweep) {
        final var group = sweep.get(0).group();
        final var crossovers = new ArrayList<Dispatch.Crossover>();
        final var ranges = new ArrayList<Dispatch.Range>();
        int from = group.bytes();
        for (int i = 0; i < sweep.size();) {
            int next = i + 1;
            while (next < sweep.size() && name(sweep.get(next)).equals(name(sweep.get(i)))) {
                next++;
            }
            final var same = sweep.subList(i, next);
            final var to = next == sweep.size() ? sweep.get(next - 1).group().bytes() : crossing(sweep.get(next - 1), sweep.get(next));
            ranges.add(range(from, to, same));
            if (next < sweep.size()) {
                crossovers.add(new Dispatch.Crossover(name(sweep.get(i)), name(sweep.get(next)), to, decided(sweep, next - 1, -1, name(sweep.get(next))), decided(sweep, next, 1, name(sweep.get(i)))));
            }
            from = to + PACK_BYTES;
            i = next;
        }
        return new Dispatch.Table(group.world(), group.dtype().id(), group.launch().id(), group.calls(), group.marks(), ranges, crossovers);
    }

    private Dispatch.Range range(final int from, final int to, final List<Answer> same) {
        final var others = new LinkedHashSet<String>();
        same.forEach(a -> a.tiedIds().forEach(id -> others.add(run.entry(id).configuration().collective().toString())));
        return new Dispatch.Range(from, to, name(same.get(0)), others.isEmpty() && same.stream().allMatch(a -> a.passedOverIds().isEmpty()), List.copyOf(others),
                same.stream().map(a -> a.group().bytes()).toList());
    }

    /** The nearest size in a direction at which the choice is the one at the start and is told from the rival. */
    private Optional<Integer> decided(final List<Answer> sweep, final int start, final int step, final String rival) {
        for (int i = start; i >= 0 && i < sweep.size() && name(sweep.get(i)).equals(name(sweep.get(start))); i += step) {
            final var answer = sweep.get(i);
            if (time(answer.group(), rival).isPresent() && answer.tiedIds().stream().noneMatch(id -> run.entry(id).configuration().collective().toString().equals(rival))) {
                return Optional.of(answer.group().bytes());
            }
        }
        return Optional.empty();
    }

    /**
     * Where the times of two choices meet between two sizes, both lines on logarithmic scales; the geometric middle where one has no time at
     * one of them. The largest size that still belongs to the lower choice.
     */
    private int crossing(final Answer below, final Answer above) {
        return crossing(below.group().bytes(), above.group().bytes(), behind(below.group(), name(above), name(below)), behind(above.group(), name(below), name(above)));
    }

    /**
     * @param ahead log of the times of the upper choice over the lower at the lower size
     * @param after log of the times of the lower choice over the upper at the upper size
     */
    static int crossing(final int lowBytes, final int highBytes, final Optional<Double> ahead, final Optional<Double> after) {
        final var low = Math.log(lowBytes);
        final var high = Math.log(highBytes);
        final var share = ahead.isPresent() && after.isPresent() && ahead.get() + after.get() > 0 ? ahead.get() / (ahead.get() + after.get()) : 0.5;
        final var bytes = (int) Math.round(Math.exp(low + share * (high - low)) / PACK_BYTES) * PACK_BYTES;
        return Math.max(lowBytes, Math.min(bytes, highBytes - PACK_BYTES));
    }

    /** Log of how many times as long one takes as another. */
    private Optional<Double> behind(final Group group, final String slower, final String faster) {
        return time(group, slower).flatMap(s -> time(group, faster).map(f -> Math.log(s / f)));
    }

    private Optional<Double> time(final Group group, final String collective) {
        return group.entries().stream().filter(e -> e.purpose() != Entry.Purpose.FLOOR && e.purpose() != Entry.Purpose.BASELINE_COPY)
                .filter(e -> e.configuration().collective().toString().equals(collective)).flatMap(e -> Optional.ofNullable(measured.get(e.id())).stream()).map(m -> m.estimate().medianNanos()).findFirst();
    }

    private String name(final Answer answer) {
        return run.entry(answer.bestId()).configuration().collective().toString();
    }
}
