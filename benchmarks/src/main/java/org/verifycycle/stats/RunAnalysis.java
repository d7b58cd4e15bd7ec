package org.verifycycle.stats;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.Entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run says.
 *
 * @param estimates by entry id; entries of a configuration that was wrong, and those that never finished, are not in it
 * @param groups    comparable entries, sorted by world, dtype, launch, calls, skew, then bytes
 * @param answers   for the workload's size in each world: the recommendation, first the world the run is mainly about
 */
public record RunAnalysis(Map<String, Estimate> estimates, List<Group> groups, List<Answer> answers) {
    public RunAnalysis {
        estimates = Map.copyOf(estimates);
        groups = List.copyOf(groups);
        answers = List.copyOf(answers);
    }

    /**
     * Entries that differ in the collective only; there may be a second group of the same configuration with other marks.
     *
     * @param entries     sorted by estimate, fastest first; entries without one last
     * @param baselineId  absent where the baseline was not measured
     * @param floorNanos  estimate of the floor's cycle, the largest of several
     * @param noiseFloor  the A/A difference as a fraction of the time (0.013: 1.3 %); from this group, else the largest of those
     *                    that differ in the size only; empty where none of these measured its baseline twice
     * @param comparisons of every candidate with an estimate, in the order of {@code entries}
     * @param tuned       the best of the baseline's own library, where the run has more of it and something else to compare
     */
    public record Group(int world, int bytes, Dtype dtype, Launch launch, int calls, List<Entry> entries, Optional<String> baselineId,
                        OptionalDouble floorNanos, OptionalDouble noiseFloor, List<Comparison> comparisons, Optional<Tuned> tuned) {
        public Group {
            entries = List.copyOf(entries);
            comparisons = List.copyOf(comparisons);
        }

        /** How late one rank was made to come to every cycle; 0 for none. */
        public int skewNanos() {
            return entries.get(0).configuration().skewNanos();
        }

        /** What all entries of the group are marked with. */
        public List<String> marks() {
            return entries.get(0).marks();
        }

        public Optional<Comparison> comparison(final String entryId) {
            return comparisons.stream().filter(c -> c.entryId().equals(entryId)).findFirst();
        }
    }

    /**
     * The recommendation for one group.
     *
     * @param bestId       the fastest entry without a failed round; the fastest of all where every one has some
     * @param tiedIds      others that can't be told from it (their paired interval over it does not clear the margin)
     * @param passedOverIds those that came out faster and are not the best because rounds of them failed
     * @param overBaseline how it compares with the baseline; absent if it is the baseline, and where the baseline has no time
     */
    public record Answer(Group group, String bestId, List<String> tiedIds, List<String> passedOverIds, Optional<Comparison> overBaseline) {
        public Answer {
            tiedIds = List.copyOf(tiedIds);
            passedOverIds = List.copyOf(passedOverIds);
        }

        public boolean bestIsBaseline() {
            return group.baselineId().filter(bestId::equals).isPresent();
        }

        /** Whether the data bear a recommendation: the best is faster than the baseline, or is the baseline and ahead of all others. */
        public boolean decided() {
            return bestIsBaseline() ? tiedIds.isEmpty() : overBaseline.filter(c -> c.verdict() == Verdict.FASTER).isPresent();
        }
    }
}
