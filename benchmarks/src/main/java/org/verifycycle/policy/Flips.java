package org.verifycycle.policy;

import java.util.ArrayList;
import java.util.List;

/** Where the choice flips over the sizes. */
public final class Flips {
    private Flips() {
    }

    /**
     * Sizes with the same choice.
     *
     * @param fromBytes smallest, inclusive
     * @param toBytes   largest, inclusive
     */
    public record Range(int fromBytes, int toBytes, Path path) { }

    /** Ranges of sizes, multiples of 16 from 16 bytes to {@code mostBytes}. Every threshold in use is a multiple of 1 KiB: only sizes at or beside one can flip. */
    public static List<Range> of(final Question q, final int mostBytes) {
        final var ranges = new ArrayList<Range>();
        int previous = 0;
        for (int kib = 1; kib <= mostBytes >> 10; kib++) {
            for (final int bytes : new int[] {(kib << 10) - 16, kib << 10}) {
                add(ranges, bytes, previous, Policy.decide(q.withBytes(bytes)).path());
                previous = bytes;
            }
        }
        return ranges;
    }

    /** The size just above the previous one begins a new range: thresholds are inclusive on one side or the other. */
    private static void add(final List<Range> ranges, final int bytes, final int previous, final Path path) {
        final var last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
        if (last != null && last.path() == path) {
            ranges.set(ranges.size() - 1, new Range(last.fromBytes(), bytes, path));
        } else {
            ranges.add(new Range(previous + 16, bytes, path));
        }
    }
}
