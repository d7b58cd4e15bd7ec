package org.verifycycle.stats;

import org.verifycycle.collective.Skew;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Workload;
import org.verifycycle.stats.RunAnalysis.Answer;
import org.verifycycle.stats.RunAnalysis.Group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Which collective to use at the workload's size, in each world of a run. */
final class Answers {
    /** Marks of worlds that the machine can run but is not made for: the run is mainly about another, if there is one. */
    private static final Set<String> ASIDE = Set.of(Entry.OVERSUBSCRIBED, Entry.SHARED_GPU);

    private Answers() { }

    /**
     * One answer for each group at the workload's size, or in worlds without one, at the size nearest to it by ratio. The main
     * world comes first, then the others from small to large; within a world, groups most like the workload come first. Groups with
     * an injected late rank answer another question: they are passed over, unless the run has no other.
     */
    static List<Answer> of(final Workload workload, final List<Group> groups, final Map<String, Measured> measured) {
        final var byWorld = new TreeMap<Integer, List<Answer>>();
        final var plain = groups.stream().filter(g -> g.skewNanos() == Skew.NONE).toList();
        for (final var group : plain.isEmpty() ? groups : plain) {
            answer(group, measured).ifPresent(a -> byWorld.computeIfAbsent(group.world(), w -> new ArrayList<>()).add(a));
        }
        byWorld.replaceAll((world, answers) -> atSize(workload, answers));
        final var main = mainWorld(byWorld);
        return byWorld.values().stream().flatMap(List::stream)
                .sorted(Comparator.comparing(a -> a.group().world() != main.orElse(-1))).toList();
    }

    private static List<Answer> atSize(final Workload workload, final List<Answer> answers) {
        final int nearest = NearestSize.to(workload.bytes(), answers.stream().map(a -> a.group().bytes()).toList()).orElseThrow();
        return answers.stream().filter(a -> a.group().bytes() == nearest)
                .sorted(Comparator.comparing((Answer a) -> a.group().calls() != workload.calls())
                        .thenComparing(a -> a.group().dtype() != workload.dtype())
                        .thenComparing(a -> a.group().marks().size()))
                .toList();
    }

    /** The largest world whose first answer bears no mark of {@link #ASIDE}, else the smallest. */
    private static OptionalInt mainWorld(final TreeMap<Integer, List<Answer>> byWorld) {
        final var proper = byWorld.entrySet().stream()
                .filter(e -> e.getValue().get(0).group().marks().stream().noneMatch(ASIDE::contains))
                .mapToInt(Map.Entry::getKey).max();
        return proper.isPresent() || byWorld.isEmpty() ? proper : OptionalInt.of(byWorld.firstKey());
    }

    static Optional<Answer> answer(final Group group, final Map<String, Measured> measured) {
        final var eligible = group.entries().stream().map(e -> measured.get(e.id())).filter(m -> m != null)
                .filter(m -> m.entry().purpose() == Entry.Purpose.CANDIDATE || m.entry().purpose() == Entry.Purpose.BASELINE).toList();
        if (eligible.isEmpty()) {
            return Optional.empty();
        }
        final var best = eligible.stream().filter(m -> !failed(m)).findFirst().orElse(eligible.get(0));
        final var at = eligible.indexOf(best);
        final var rivals = eligible.subList(at + 1, eligible.size());
        final var tied = rivals.stream().filter(rival -> tied(rival, best, group, rivals.size())).map(m -> m.entry().id()).toList();
        return Optional.of(new Answer(group, best.entry().id(), tied, eligible.subList(0, at).stream().map(m -> m.entry().id()).toList(),
                group.comparison(best.entry().id())));
    }

    /** Whether a round of it failed: its times are of the rounds that went well, and who uses it meets the others. */
    private static boolean failed(final Measured measured) {
        return measured.entry().rounds().stream().anyMatch(r -> r.status() == RoundResult.Status.FAILED);
    }

    /**
     * Whether a rival can't be told from the fastest. With the baseline the group's comparison has said so already; for others
     * the interval of rival over best, at level 1 - 2 x 0.05 / rivals, must lie above the margin. Only its lower end matters, so
     * that is one-sided at 0.05 / rivals: with at least 95 % confidence the truly fastest, up to the margin, is the best or one
     * of the tied, although the best was picked by looking (Hsu, Annals of Statistics 9(5), 1981: subset selection). A noise floor
     * above the practical margin makes more of them tied: that claims less, as it does for the baseline.
     */
    private static boolean tied(final Measured rival, final Measured best, final Group group, final int rivals) {
        final var margin = Margin.of(group.noiseFloor());
        if (group.baselineId().filter(rival.entry().id()::equals).isPresent()) {
            return group.comparison(best.entry().id()).map(c -> c.verdict() != Verdict.FASTER).orElse(true);
        }
        final double ratio = rival.estimate().medianNanos() / best.estimate().medianNanos();
        final var interval = LogRatio.of(rival, best, true)
                .map(t -> Family.interval(t, Math.max(0, 1 - 2 * (1 - Analysis.LEVEL) / rivals), ratio));
        return margin.verdict(interval) != Verdict.SLOWER;
    }
}
