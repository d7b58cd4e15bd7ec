package org.verifycycle.stats;

import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The best that the baseline's own library gave with any settings: what others have to beat, since a library left untuned is no
 * rival. It was picked by looking at the times, which flatters it and so makes what is claimed over it smaller.
 *
 * @param entryId     fastest of the baseline's backend without a failed round; may be the baseline itself
 * @param settings    how many of the library's entries have times
 * @param comparisons of every candidate of another backend with it, corrected together (Holm)
 */
public record Tuned(String entryId, int settings, List<Comparison> comparisons) {
    public Tuned {
        comparisons = List.copyOf(comparisons);
    }

    /**
     * Of one group.
     *
     * @param measured fastest first
     * @return empty where the baseline is all there is of its library, or all there is
     */
    static Optional<Tuned> of(final Measured baseline, final List<Measured> measured, final Margin margin) {
        final var own = new ArrayList<Measured>();
        final var others = new ArrayList<Measured>();
        for (final var m : measured) {
            if (m.entry().purpose() == Entry.Purpose.CANDIDATE || m == baseline) {
                (backend(m).equals(backend(baseline)) ? own : others).add(m);
            }
        }
        if (own.size() < 2 || others.isEmpty()) {
            return Optional.empty();
        }
        final var best = own.stream().filter(m -> m.entry().rounds().stream().noneMatch(r -> r.status() == RoundResult.Status.FAILED)).findFirst().orElse(own.get(0));
        return Optional.of(new Tuned(best.entry().id(), own.size(), Family.compare(others, best, margin, true)));
    }

    /** With the entry of that id. */
    public Optional<Comparison> comparison(final String otherId) {
        return comparisons.stream().filter(c -> c.entryId().equals(otherId)).findFirst();
    }

    private static String backend(final Measured measured) {
        return measured.entry().configuration().collective().backend();
    }
}
