package org.verifycycle.collective;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A verify cycle ready to run on one rank.
 *
 * <p>It has {@link #bufferSets} pairs of input and output buffers; call {@code i} of a cycle reads and writes pair
 * {@code i % bufferSets()}. Consecutive calls so carry different data, and a rank that reads data of an earlier call
 * gets a wrong sum, at full speed too.
 */
public interface PreparedCycle extends AutoCloseable {
    /**
     * Pairs of buffers for a tensor of this size: four, so that neither two nor three rotating slots hide stale data; two above
     * 1 MiB, where four would take gigabytes and checks at smaller sizes have covered the slots.
     */
    static int bufferSetsFor(final int bytes) {
        return bytes <= (1 << 20) ? 4 : 2;
    }

    /** Runs one cycle; returns when this rank is done. All ranks must call it equally often. */
    void run();

    /** Nanoseconds the last cycle took by the device's own clock, where there is one; of a late rank, from when it came. */
    OptionalLong deviceNanos();

    /**
     * Makes this rank late ({@link Skew}): the calls of the next {@link #run} begin only so many nanoseconds from now. It spins where
     * the calls run: on a host it returns when the time is over, on a GPU at once, and the stream is late.
     */
    void delay(int nanos);

    /** How late the last {@link #delay} made this rank, measured where it spun; asked after the cycle. */
    long delayedNanos();

    int bufferSets();

    /** Whether outputs take the place of inputs. */
    default boolean inPlace() {
        return false;
    }

    /** Calls that were started and did not run, in words, where the device counts them; asked when no cycle runs. */
    default Optional<String> lost() {
        return Optional.empty();
    }

    /** What results should say of how it runs, a line each: what a library chose, the memory it took. */
    default List<String> notes() {
        return List.of();
    }

    /** What this rank takes of its device's memory; empty without a device, and where others take memory of it at the same time. */
    default Optional<DeviceMemory> memory() {
        return Optional.empty();
    }

    /** Sets the input of a pair; values are rounded to the dtype. */
    void setInput(int set, float[] values);

    /** Fills an output with a pattern (NaN) that no sum has. */
    void poisonOutput(int set);

    /** The output of a pair, widened to float32 bit for bit. */
    void getOutput(int set, float[] values);

    @Override
    void close();
}
