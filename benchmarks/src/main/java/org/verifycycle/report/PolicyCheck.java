package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.device.Fabric;
import org.verifycycle.policy.Decision;
import org.verifycycle.policy.Engine;
import org.verifycycle.policy.Links;
import org.verifycycle.policy.Path;
import org.verifycycle.policy.Policy;
import org.verifycycle.policy.Question;
import org.verifycycle.policy.Variable;
import org.verifycycle.result.Entry;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The recommendation against what SGLang and vLLM would take on this box: which of the measured collectives is of that design, and what
 * it costs more. Empty where no GPU was measured, ranks shared one, or the run does not say how its GPUs are linked (older runs).
 */
public final class PolicyCheck {
    /** Fact of a run: how many of the first GPUs have NVLink between every pair. */
    public static final String NVLINK_WORLD = "nvlinkWorld";
    private static final Pattern CAPABILITY = Pattern.compile("compute capability (\\d+)\\.(\\d)");
    private static final List<Engine> ENGINES = List.of(Engine.SGLANG, Engine.SGLANG_PUSH, Engine.VLLM);

    private final RunView view;

    /**
     * @param assumed  whether it stands on peer access that nobody has probed
     * @param measured the entry of the same design, where there is one with a time
     */
    private record Taken(Engine engine, Decision decision, boolean assumed, Optional<Entry> measured) {
        String path() {
            return decision.path().text() + (assumed ? ", assuming peer access" : "");
        }
    }

    PolicyCheck(final RunView view) {
        this.view = view;
    }

    /** Of SGLang, in the world the run is mainly about: as it is, and as it was where that differs. */
    Optional<String> sentence() {
        return view.answers().stream().findFirst().flatMap(answer -> refused(answer.group(), Engine.SGLANG_PUSH).map(why -> "What SGLang would take here is not known: " + why + ".")
                .or(() -> taken(answer, Engine.SGLANG_PUSH).map(now -> "SGLang would take " + told(answer, now, " here") + taken(answer, Engine.SGLANG).filter(t -> t.decision().path() != now.decision().path())
                        .map(before -> " Before " + Engine.PUSH_SINCE + ", or with " + Variable.SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2 + "=0, " + told(answer, before, "")).orElse(""))));
    }

    Optional<Section> section() {
        final var rows = new ArrayList<List<String>>();
        view.answers().forEach(answer -> ENGINES.forEach(engine -> {
            refused(answer.group(), engine).ifPresentOrElse(why -> rows.add(List.of(Integer.toString(answer.group().world()), engine.id(), "not known: " + why, "-", "-")),
                    () -> taken(answer, engine).ifPresent(t -> rows.add(row(answer, t))));
        }));
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Section("What SGLang and vLLM would take here (explain says why)", Section.Depth.FULL, List.of(new Block.Table(List.of(
                Block.Column.text("ranks"), Block.Column.text("engine"), Block.Column.text("takes"), Block.Column.text("measured as"), Block.Column.text("a cycle")), rows))));
    }

    private List<String> row(final RunAnalysis.Answer answer, final Taken t) {
        return List.of(Integer.toString(answer.group().world()), t.engine().id(), t.path(), t.measured().map(RunView::name).orElse("-"), difference(answer, t));
    }

    private String told(final RunAnalysis.Answer answer, final Taken t, final String where) {
        return t.decision().path().text() + where + (t.assumed() ? ", assuming peer access" : "") + (t.decision().path() == Path.NCCL || t.measured().isEmpty() ? "" : " (our kernel of that design: " + RunView.name(t.measured().get()) + ")")
                + (t.decision().path() == Path.NOTHING ? "." : ": " + difference(answer, t) + ".");
    }

    private String difference(final RunAnalysis.Answer answer, final Taken t) {
        if (t.measured().isEmpty()) {
            return t.decision().path() == Path.NOTHING ? "no result" : "not measured";
        }
        final var id = t.measured().get().id();
        if (id.equals(answer.bestId())) {
            return "the fastest here";
        }
        if (answer.passedOverIds().contains(id)) {
            return "faster, but rounds failed";
        }
        if (answer.tiedIds().contains(id)) {
            return "can't be told from the fastest";
        }
        final var nanos = view.time(t.measured().get()).orElseThrow().medianNanos() - view.time(view.run().entry(answer.bestId())).orElseThrow().medianNanos();
        final var unit = Units.Time.forAll(List.of(Math.abs(nanos)));
        return "it loses " + Units.number(unit.of(nanos)) + " " + unit.label() + " a cycle";
    }

    private Optional<Taken> taken(final RunAnalysis.Answer answer, final Engine engine) {
        return question(answer.group(), engine).map(q -> {
            final var decision = Policy.decide(q);
            return new Taken(engine, decision, peerAccess(answer.group().world()).isEmpty() && decision.path() != Policy.decide(q.withPeerAccess(false)).path(), measured(answer.group(), decision.path()));
        });
    }

    /** The kernels of both engines before the push kernels have no dependent launch; those have. */
    private Optional<Entry> measured(final RunAnalysis.Group group, final Path path) {
        final var pdl = path == Path.ONE_SHOT_PUSH || path == Path.TWO_SHOT_PUSH;
        return path.measuredAs().isEmpty() ? Optional.empty() : view.timed(group).stream().filter(e -> e.purpose() == Entry.Purpose.CANDIDATE || e.purpose() == Entry.Purpose.BASELINE)
                .filter(e -> e.configuration().collective().path().equals(path.measuredAs()))
                .min(Comparator.comparing((Entry e) -> e.configuration().collective().settings().containsKey("pdl") != pdl)
                        .thenComparing(e -> e.configuration().collective().settings().size()));
    }

    /** Why there is no answer although the run tells its links: a value that the engine's variable can't have. */
    private Optional<String> refused(final RunAnalysis.Group group, final Engine engine) {
        try {
            question(group, engine);
            return Optional.empty();
        } catch (final IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** @throws IllegalArgumentException saying what can't be asked */
    private Optional<Question> question(final RunAnalysis.Group group, final Engine engine) {
        final var onGpus = group.entries().stream().noneMatch(e -> e.configuration().collective().backend().equals("host"));
        final var nvlinkWorld = Optional.ofNullable(view.run().environment().facts().get(NVLINK_WORLD)).filter(w -> w.matches("\\d{1,4}")).map(Integer::parseInt);
        final var capability = capability();
        if (!onGpus || group.marks().contains(Entry.SHARED_GPU) || nvlinkWorld.isEmpty() || capability.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Question(engine, group.world(), 1, group.world() <= nvlinkWorld.get() ? Links.NVLINK : Links.PCIE, peerAccess(group.world()).orElse(true), capability.getAsInt(), group.bytes(),
                group.dtype(), group.launch(), Variable.of(view.run().environment().variables(), engine)));
    }

    /** Empty unless every pair was probed or one is known to have none. */
    private Optional<Boolean> peerAccess(final int world) {
        final var pairs = view.run().fabric().stream().flatMap(f -> f.pairs().stream()).filter(p -> p.from() < world && p.to() < world).toList();
        if (pairs.stream().anyMatch(p -> p.problem().filter(why -> why.contains("no peer access")).isPresent())) {
            return Optional.of(false);
        }
        return pairs.stream().map(Fabric.Pair::name).distinct().count() == (long) world * (world - 1) ? Optional.of(true) : Optional.empty();
    }

    private OptionalInt capability() {
        return view.run().environment().devices().stream().map(CAPABILITY::matcher).filter(m -> m.find()).flatMapToInt(m -> IntStream.of(10 * Integer.parseInt(m.group(1)) + Integer.parseInt(m.group(2)))).findFirst();
    }
}
