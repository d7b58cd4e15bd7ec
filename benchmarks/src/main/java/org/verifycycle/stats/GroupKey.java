package org.verifycycle.stats;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;

import java.util.Comparator;
import java.util.List;

/**
 * What entries must share to be compared: everything but the collective. Their marks too, whatever they are: a mark says that
 * numbers are special, and special numbers beside plain ones invite the comparison that the mark warns of.
 *
 * @param marks sorted
 */
record GroupKey(int world, Dtype dtype, Launch launch, int calls, int skewNanos, int bytes, List<String> marks) {
    /** The order of {@link RunAnalysis#groups}; of the same configuration, unmarked ones first. */
    static final Comparator<GroupKey> ORDER = Comparator.comparingInt(GroupKey::world).thenComparing(GroupKey::dtype)
            .thenComparing(GroupKey::launch).thenComparingInt(GroupKey::calls).thenComparingInt(GroupKey::skewNanos).thenComparingInt(GroupKey::bytes)
            .thenComparingInt(k -> k.marks().size()).thenComparing(k -> String.join("\n", k.marks()));

    static GroupKey of(final Entry entry) {
        final var c = entry.configuration();
        return new GroupKey(c.world(), c.dtype(), c.launch(), c.calls(), c.skewNanos(), c.bytes(), entry.marks().stream().distinct().sorted().toList());
    }

    /** Whether only the size differs, if anything. */
    boolean sameButForSize(final GroupKey other) {
        return world == other.world && dtype == other.dtype && launch == other.launch && calls == other.calls && skewNanos == other.skewNanos && marks.equals(other.marks);
    }
}
