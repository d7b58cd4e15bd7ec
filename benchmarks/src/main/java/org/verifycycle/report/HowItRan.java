package org.verifycycle.report;

import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.stats.RunAnalysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What collectives said of how they ran: the GPU memory they took, what a library chose. Of groups at the workload's size. */
final class HowItRan {
    private static final double BYTES_PER_MIB = 1 << 20;

    private final RunView view;

    HowItRan(final RunView view) {
        this.view = view;
    }

    List<Section> sections() {
        final var sections = new ArrayList<Section>();
        memory().ifPresent(sections::add);
        notes().ifPresent(sections::add);
        return sections;
    }

    private Optional<Section> memory() {
        final var rows = new ArrayList<List<String>>();
        for (final var group : view.atWorkload()) {
            entries(group).forEach(entry -> {
                final var taken = entry.measured().stream().flatMap(r -> r.memory().stream()).toList();
                if (!taken.isEmpty()) {
                    rows.add(List.of(RunView.name(entry), RunView.scope(group), mebibytes(taken, DeviceMemory::communicatorBytes), mebibytes(taken, DeviceMemory::buffersBytes),
                            mebibytes(taken, DeviceMemory::graphBytes)));
                }
            });
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Section("GPU memory", Section.Depth.FULL, List.of(
                new Block.Paragraph("What rank 0 took of its GPU's memory, in MiB (free before less free after; the largest of the rounds). Communicator: connections, receive slots and what "
                        + "the first call loads. Buffers: the tensors of a cycle. Graph: the captured cycle. The driver gives memory in granules, so small needs show as 0."),
                new Block.Table(List.of(Block.Column.text("collective"), Block.Column.text("configuration"), Block.Column.number("communicator"), Block.Column.number("buffers"),
                        Block.Column.number("graph")), rows))));
    }

    private static String mebibytes(final List<DeviceMemory> taken, final ToLongFunction<DeviceMemory> part) {
        return Units.number(taken.stream().mapToLong(part).max().orElseThrow() / BYTES_PER_MIB);
    }

    private Optional<Section> notes() {
        final var rows = new ArrayList<List<String>>();
        for (final var group : view.atWorkload()) {
            entries(group).forEach(entry -> {
                // Once each, with the rounds where not all say it: a library may choose anew in each.
                final var told = entry.measured().stream().map(RoundResult::notes).flatMap(List::stream).collect(Collectors.groupingBy(n -> n, LinkedHashMap::new, Collectors.counting()));
                if (!told.isEmpty()) {
                    final var rounds = entry.measured().size();
                    rows.add(List.of(RunView.name(entry), RunView.scope(group), told.entrySet().stream()
                            .map(n -> n.getKey() + (n.getValue() == rounds ? "" : " (in " + n.getValue() + " of " + rounds + " rounds)")).collect(Collectors.joining("; "))));
                }
            });
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Section("What the library did", Section.Depth.FOLDED, List.of(
                new Block.Table(List.of(Block.Column.text("collective"), Block.Column.text("configuration"), Block.Column.text("what it says")), rows))));
    }

    private static List<Entry> entries(final RunAnalysis.Group group) {
        return group.entries().stream().filter(e -> e.purpose() != Entry.Purpose.BASELINE_COPY).toList();
    }
}
