package org.verifycycle.result;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The measured choice as a server could use it; stored as {@code dispatch.json}.
 *
 * @param run     its id
 * @param devices one line per GPU
 * @param tables  one per world and whatever else differs but the size
 * @param vllmMaxBytes by compute capability and world, as vLLM's CUSTOM_ALL_REDUCE_MAX_SIZES: exclusive, below so many bytes the one-shot or the
 *                two-shot pull kernel, which vLLM has too, is faster than NCCL at every measured size; 0 where it is not even at the smallest
 */
public record Dispatch(String run, String commit, List<String> devices, List<Table> tables, SortedMap<String, SortedMap<Integer, Integer>> vllmMaxBytes) {
    public Dispatch {
        devices = List.copyOf(devices);
        tables = List.copyOf(tables);
    }

    /**
     * @param marks  what makes its numbers special
     * @param ranges from the smallest measured size to the largest, without gaps
     */
    public record Table(int world, String dtype, String launch, int calls, List<String> marks, List<Range> ranges, List<Crossover> crossovers) { }

    /**
     * Sizes at which one collective is the choice; both ends inclusive and multiples of 16.
     *
     * @param decided      whether it was told from all others at every measured size in it
     * @param undecided    those it could not be told from at some of them
     * @param measured     the measured sizes in it
     */
    public record Range(int fromBytes, int toBytes, String collective, boolean decided, List<String> undecided, List<Integer> measured) { }

    /**
     * Where the choice changes.
     *
     * @param bytes estimate, by the two times on both sides on logarithmic scales
     * @param low   largest measured size below at which {@code from} is decidedly faster than {@code to}; absent if there is none
     * @param high  smallest above at which {@code to} is decidedly faster
     */
    public record Crossover(String from, String to, int bytes, Optional<Integer> low, Optional<Integer> high) { }
}
