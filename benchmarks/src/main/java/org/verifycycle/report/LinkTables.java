package org.verifycycle.report;

import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Links between GPUs as tables: how they are wired, and what they did when probed. */
final class LinkTables {
    /** Pairs that are listed one by one; more become matrices. */
    private static final int LISTED = 12;

    private LinkTables() {
    }

    /** Path and peer access of every pair. */
    static Section wiring(final Gpus gpus, final Topology topology) {
        final BiFunction<Integer, Integer, String> cell = (from, to) -> (topology.link(from, to) == Topology.Link.UNKNOWN ? "unknown" : topology.link(from, to).name().replace('_', ' '))
                + (gpus.peers().contains(new Gpus.Pair(from, to)) ? "" : ", no peer access");
        final var used = IntStream.range(0, gpus.count()).boxed().flatMap(i -> IntStream.range(0, gpus.count()).filter(j -> j != i).mapToObj(j -> topology.link(i, j))).distinct().sorted()
                .filter(l -> l != Topology.Link.NVLINK && l != Topology.Link.UNKNOWN).map(l -> l.name().replace('_', ' ') + ": " + l.text()).toList();
        final var blocks = new ArrayList<Block>();
        blocks.add(matrix("from \\ to", IntStream.range(0, gpus.count()).boxed().toList(), cell));
        if (!used.isEmpty()) {
            blocks.add(new Block.Paragraph(String.join("; ", used) + "."));
        }
        return new Section("Links", Section.Depth.BRIEF, blocks);
    }

    /** What the probe measured, where it did. */
    static List<Section> probe(final Fabric fabric) {
        final var sections = new ArrayList<Section>();
        fabric.problem().ifPresent(why -> sections.add(new Section("Probe of the links", Section.Depth.BRIEF, List.of(new Block.Paragraph(why + ".")))));
        if (!fabric.pairs().isEmpty()) {
            sections.add(new Section("Probe of the links (" + fabric.millis() + " ms; stores and loads of kernels, GB/s)", Section.Depth.BRIEF,
                    fabric.pairs().size() > LISTED ? matrices(fabric.pairs()) : List.of(list(fabric.pairs()))));
        }
        if (!fabric.hosts().isEmpty()) {
            final var rows = fabric.hosts().stream().map(h -> List.of("GPU " + h.gpu(), number(h.storeGBps(), "%.1f"), number(h.loadGBps(), "%.1f"))).toList();
            sections.add(new Section("GPU and pinned host memory, GB/s", Section.Depth.BRIEF, List.of(new Block.Table(List.of(Block.Column.text(""), Block.Column.number("store"),
                    Block.Column.number("load")), rows))));
        }
        return sections;
    }

    private static Block.Table list(final List<Fabric.Pair> pairs) {
        final var rows = pairs.stream().map(p -> List.of(p.name(), number(p.flagNanos() / 1e3, "%.2f"), number(p.storeGBps(), "%.1f"), number(p.storeAllGBps(), "%.1f"),
                number(p.loadGBps(), "%.1f"), number(p.loadAllGBps(), "%.1f"), data(p), torn(p))).toList();
        return new Block.Table(List.of(Block.Column.text("pair"), Block.Column.number("flag us"), Block.Column.number("store"), Block.Column.number("store, all"), Block.Column.number("load"),
                Block.Column.number("load, all"), Block.Column.text("data"), Block.Column.text("torn stores")), rows);
    }

    /** For many GPUs: a matrix each, and a list of those pairs only of which there is something to say. */
    private static List<Block> matrices(final List<Fabric.Pair> pairs) {
        final var blocks = new ArrayList<Block>();
        final var gpus = pairs.stream().flatMap(p -> Stream.of(p.from(), p.to())).distinct().sorted().toList();
        final var odd = pairs.stream().filter(p -> p.problem().isPresent() || p.wrong() + p.torn8() + p.torn16() > 0).toList();
        blocks.add(odd.isEmpty() ? new Block.Paragraph("All " + pairs.size() + " pairs: data right, no torn stores.") : list(odd));
        blocks.add(values("flag, one way, us", gpus, pairs, p -> number(p.flagNanos() / 1e3, "%.2f")));
        blocks.add(values("store", gpus, pairs, p -> number(p.storeGBps(), "%.1f")));
        blocks.add(values("store, all", gpus, pairs, p -> number(p.storeAllGBps(), "%.1f")));
        blocks.add(values("load", gpus, pairs, p -> number(p.loadGBps(), "%.1f")));
        blocks.add(values("load, all", gpus, pairs, p -> number(p.loadAllGBps(), "%.1f")));
        return blocks;
    }

    private static Block.Table values(final String title, final List<Integer> gpus, final List<Fabric.Pair> pairs, final Function<Fabric.Pair, String> value) {
        return matrix(title, gpus, (from, to) -> pairs.stream().filter(p -> p.from() == from && p.to() == to).findFirst().map(value).orElse("-"));
    }

    private static String data(final Fabric.Pair p) {
        return p.problem().orElse(p.wrong() == 0 ? "right" : p.wrong() + " words wrong");
    }

    /** As {@link #probe}, in the files of a run's report only. */
    static List<Section> stored(final Fabric fabric) {
        return probe(fabric).stream().map(s -> new Section(s.title(), Section.Depth.FULL, s.blocks())).toList();
    }

    private static String torn(final Fabric.Pair p) {
        if (p.problem().isPresent()) {
            return "-";
        }
        return p.torn8() + p.torn16() == 0 ? "none" : "8 bytes: " + p.torn8() + ", 16 bytes: " + p.torn16();
    }

    private static String number(final double value, final String format) {
        return Optional.of(value).filter(v -> v > 0).map(v -> String.format(Locale.ROOT, format, v)).orElse("-");
    }

    private static Block.Table matrix(final String title, final List<Integer> gpus, final BiFunction<Integer, Integer, String> cell) {
        final var columns = new ArrayList<>(List.of(Block.Column.text(title)));
        gpus.forEach(g -> columns.add(Block.Column.text("GPU " + g)));
        final Function<Integer, List<String>> row = from -> {
            final var cells = new ArrayList<>(List.of("GPU " + from));
            gpus.forEach(to -> cells.add(from.equals(to) ? "" : cell.apply(from, to)));
            return cells;
        };
        return new Block.Table(columns, gpus.stream().map(row).toList());
    }
}
