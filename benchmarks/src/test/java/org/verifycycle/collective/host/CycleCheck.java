package org.verifycycle.collective.host;

import java.util.Arrays;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.PreparedCycle;

/**
 * Runs cycles on one rank and checks them: new payload every round and for every buffer pair, outputs poisoned before,
 * the sums against their operands, the bits against the other ranks'.
 */
final class CycleCheck {
    private final GroupControl group;
    private final PreparedCycle cycle;
    private final int length;
    private final Dtype dtype;
    private long salt;

    CycleCheck(final GroupControl group, final PreparedCycle cycle, final int length, final Dtype dtype) {
        this.group = group;
        this.cycle = cycle;
        this.length = length;
        this.dtype = dtype;
    }

    /** As {@link #round(Payload)}, with payload that depends on the number. */
    void round(final int number, final Payload payload) {
        salt = (long) number * cycle.bufferSets();
        round(payload);
    }

    /** One cycle with this payload. @throws AssertionError naming the first wrong element */
    void round(final Payload payload) {
        salt += cycle.bufferSets();
        final var values = new float[length];
        for (var set = 0; set < cycle.bufferSets(); set++) {
            for (var i = 0; i < length; i++) {
                values[i] = payload.input(group.rank(), salt + set, i, dtype);
            }
            cycle.setInput(set, values);
            cycle.poisonOutput(set);
        }
        cycle.run();
        var bits = 1L;
        for (var set = 0; set < cycle.bufferSets(); set++) {
            bits = bits * 31 + check(payload, set);
        }
        if (!group.same(bits)) {
            throw new AssertionError(dtype.id() + ", rank " + group.rank() + ", " + payload + ": the ranks' bits differ");
        }
    }

    /** Checks a pair's output; returns a hash of its bits. */
    private long check(final Payload payload, final int set) {
        final var output = new float[length];
        final var operands = new float[group.world()];
        cycle.getOutput(set, output);
        // Each rank checks its stripe of elements: with the ranks' bits equal, that is all of them.
        for (var i = group.rank(); i < length; i += group.world()) {
            for (var rank = 0; rank < group.world(); rank++) {
                operands[rank] = payload.input(rank, salt + set, i, dtype);
            }
            if (!payload.accepts(operands, output[i], dtype)) {
                throw new AssertionError(dtype.id() + ", rank " + group.rank() + " of " + group.world() + ", " + payload + ", pair " + set + ", element "
                        + i + " of " + length + ": sum of " + Arrays.toString(operands) + " is not " + output[i] + " (allowed: a float32 sum, rounded to " + dtype.id() + " once)");
            }
        }
        var bits = 1L;
        for (final var value : output) {
            bits = bits * 31 + Float.floatToIntBits(value);
        }
        return bits;
    }
}
