package org.verifycycle.chart;

import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Run;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One style per collective for all charts of a run, but see {@link #ofRow}; well-known algorithms look the same in every run. */
final class SeriesStyles {
    /** Okabe and Ito's palette (2008), told apart by colour-blind readers; without its yellow, which vanishes on white. */
    static final List<Color> COLORS = List.of(new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0x000000),
            new Color(0xE69F00), new Color(0x56B4E9), new Color(0xCC79A7));
    /** The place of black, which only one collective of a run has: the baseline, if it is there without settings. */
    private static final int BLACK = 3;
    /** Places in {@link #COLORS}. */
    private static final Map<String, Integer> KNOWN = Map.of("one-shot-pull", 0, "one-shot-ll", 1, "one-shot-sentinel", 2, "ring", BLACK,
            "default", BLACK, "two-shot-ll", 4, "two-shot-pull", 5, "two-shot-sentinel", 6);
    private static final List<Marker> MARKERS = List.of(SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_UP, SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.CROSS);
    private static final float[][] DASHES = {{}, {7, 3}, {2, 2.5f}, {8, 3, 2, 3}};
    /** Colours of rows by backend, where there are more collectives than colours; the baseline's is black. */
    private static final Map<String, Color> BACKENDS = Map.of("ipc", COLORS.get(0), "nccl", COLORS.get(4), "host", COLORS.get(2));
    private static final Color BASELINE = COLORS.get(BLACK);
    static final SeriesStyle FLOOR = new SeriesStyle(new Color(0x8A8A8A), stroke(2.2f, 1, 3), SeriesMarkers.NONE);

    private final Map<CollectiveSpec, SeriesStyle> styles = new HashMap<>();
    private final Set<CollectiveSpec> baselines;

    SeriesStyles(final Run run) {
        baselines = run.entries().stream().filter(e -> e.purpose() == Entry.Purpose.BASELINE).map(e -> e.configuration().collective()).collect(Collectors.toSet());
        final var specs = run.entries().stream().filter(e -> e.purpose() != Entry.Purpose.FLOOR)
                .map(e -> e.configuration().collective()).distinct().toList();
        final var taken = new HashSet<Integer>();
        for (final var spec : specs) {
            final var known = KNOWN.get(spec.algorithm());
            if (known != null && spec.settings().isEmpty() && taken.add(known)) {
                styles.put(spec, style(known));
            }
        }
        var next = 0;
        for (final var spec : specs) {
            if (!styles.containsKey(spec)) {
                while (next % COLORS.size() == BLACK && taken.contains(BLACK) || !taken.add(next)) {
                    next++;
                }
                styles.put(spec, style(next));
            }
        }
    }

    SeriesStyle of(final Entry entry) {
        return styles.getOrDefault(entry.configuration().collective(), FLOOR);
    }

    /**
     * Of a bar or point in a row of its own, which needs no colour to be told apart: the collective's, as in charts with lines, while
     * every one has a colour to itself; with more of them one colour a backend, since a colour seen twice would tie what is not tied.
     */
    SeriesStyle ofRow(final Entry entry) {
        final var own = of(entry);
        if (styles.size() <= COLORS.size()) {
            return own;
        }
        final var backend = BACKENDS.getOrDefault(entry.configuration().collective().backend(), COLORS.get(6));
        return new SeriesStyle(baselines.contains(entry.configuration().collective()) ? BASELINE : backend, own.stroke(), own.marker());
    }

    /** Of what is in no run, by its place. */
    static SeriesStyle ofPlace(final int place) {
        return style(place);
    }

    /** Lengths without a common divisor: colour, marker and dash together repeat after 84 collectives only. */
    private static SeriesStyle style(final int slot) {
        return new SeriesStyle(COLORS.get(slot % COLORS.size()), stroke(1.8f, DASHES[slot % DASHES.length]), MARKERS.get(slot % MARKERS.size()));
    }

    private static BasicStroke stroke(final float width, final float... dash) {
        return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash.length == 0 ? null : dash, 0);
    }
}
