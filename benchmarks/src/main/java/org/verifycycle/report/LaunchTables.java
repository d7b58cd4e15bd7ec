package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.Quantiles;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The same calls started in several ways, side by side: each way is somebody's definition of latency. */
final class LaunchTables {
    private static final String NONE = "-";

    private final RunView view;
    private final Function<RoundResult, Samples> samples;

    LaunchTables(final RunView view, final Function<RoundResult, Samples> samples) {
        this.view = view;
        this.samples = samples;
    }

    /** One section, where the run has more than one launch of something. */
    Optional<Section> section() {
        final Map<String, List<RunAnalysis.Group>> alike = new LinkedHashMap<>();
        view.groups().stream().filter(g -> !view.timed(g).isEmpty()).forEach(g -> alike.computeIfAbsent(scope(g), s -> new ArrayList<>()).add(g));
        final var several = alike.entrySet().stream().filter(e -> e.getValue().stream().map(RunAnalysis.Group::launch).distinct().count() > 1).toList();
        if (several.isEmpty()) {
            return Optional.empty();
        }
        final var blocks = new ArrayList<Block>();
        final var launches = new TreeSet<Launch>();
        several.forEach(e -> {
            blocks.add(new Block.Paragraph(Units.sentence(e.getKey())));
            blocks.add(table(e.getValue()));
            e.getValue().forEach(g -> launches.add(g.launch()));
        });
        blocks.add(new Block.Paragraph("us per call. host: group time of the cycle (last rank's end - last rank's start) / calls; device: the slowest rank's time between events on its stream / calls, "
                + "median over rounds of each round's median."));
        launches.forEach(launch -> blocks.add(new Block.Paragraph(launch.id() + ": " + definition(launch))));
        return Optional.of(new Section("The same calls, timed in several ways", Section.Depth.BRIEF, blocks));
    }

    /** Whose number this is: nccl-tests src/common.cu, vLLM benchmarks/kernels/benchmark_device_communicators.py, OSU c/mpi/collective. */
    static String definition(final Launch launch) {
        return switch (launch) {
            case GRAPH -> "all calls in one CUDA graph, replayed once: what a serving engine's decode step does. nccl-tests -G and vLLM's benchmark_device_communicators time this too, "
                    + "their graphs of 20 and 10 calls.";
            case EAGER -> "all calls started one after the other, none waited for: all_reduce_perf of nccl-tests without -G. Below some us the host's time to start a call is what is measured.";
            case BARRIERED -> "every call waited for, and all ranks met, before the next. host: all_reduce_perf -z 1 of nccl-tests, which has the barrier in it too; osu_allreduce takes the same steps "
                    + "and leaves the barrier out of its time. device: events around each call, as profilers show it.";
        };
    }

    private Block.Table table(final List<RunAnalysis.Group> groups) {
        final var columns = new ArrayList<Block.Column>();
        columns.add(Block.Column.text("collective"));
        groups.forEach(g -> {
            columns.add(Block.Column.number(g.launch().id() + " host"));
            columns.add(Block.Column.number(g.launch().id() + " device"));
        });
        final Set<String> names = new LinkedHashSet<>();
        groups.forEach(g -> view.timed(g).stream().filter(LaunchTables::shown).forEach(e -> names.add(RunView.name(e))));
        final var rows = new ArrayList<List<String>>();
        names.forEach(name -> {
            final var row = new ArrayList<String>(List.of(name));
            groups.forEach(g -> {
                final var entry = view.timed(g).stream().filter(LaunchTables::shown).filter(e -> RunView.name(e).equals(name)).findFirst();
                row.add(entry.flatMap(view::time).map(t -> Units.number(AnswerText.perCall(t, g), t.interval().map(i -> AnswerText.micros(i, g)))).orElse(NONE));
                final var device = entry.map(this::deviceNanos).orElse(OptionalDouble.empty());
                row.add(device.isPresent() ? Units.number(Units.Time.US.of(device.getAsDouble()) / g.calls()) : NONE);
            });
            rows.add(row);
        });
        return new Block.Table(columns, rows);
    }

    /** Median over rounds of the median of a round's cycles. */
    private OptionalDouble deviceNanos(final Entry entry) {
        final var medians = entry.measured().stream().map(samples).flatMap(s -> s.deviceNanos().stream()).filter(d -> d.length > 0)
                .mapToDouble(d -> Quantiles.of(d).at(0.5)).toArray();
        return medians.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(new Quantiles(medians).at(0.5));
    }

    private static boolean shown(final Entry entry) {
        return entry.purpose() != Entry.Purpose.BASELINE_COPY;
    }

    private static String scope(final RunAnalysis.Group group) {
        return RunView.scope(group).replace(", " + group.launch().id() + ",", ",");
    }
}
