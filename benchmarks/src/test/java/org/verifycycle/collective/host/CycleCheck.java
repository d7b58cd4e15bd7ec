package org.verifycycle.collective.host;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.PreparedCycle;

/**
 * Runs cycles on one rank and checks them: new payload every round and for every buffer pair, outputs poisoned before,
 * every element against its operands, the bits against the other ranks'.
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

    /** One cycle with this payload. @throws AssertionError naming the first wrong element */
    void round(final Payload payload) {
        salt += cycle.bufferSets();
        for (var set = 0; set < cycle.bufferSets(); set++) {
            cycle.setInput(set, payload.input(group.rank(), salt + set, length, dtype));
            cycle.poisonOutput(set);
        }
        cycle.run();
        for (var set = 0; set < cycle.bufferSets(); set++) {
            check(payload, set);
        }
    }

    private void check(final Payload payload, final int set) {
        final var output = new float[length];
        cycle.getOutput(set, output);
        final var inputs = new float[group.world()][];
        for (var rank = 0; rank < inputs.length; rank++) {
            inputs[rank] = payload.input(rank, salt + set, length, dtype);
        }
        final var operands = new float[inputs.length];
        var bits = 1L;
        for (var i = 0; i < length; i++) {
            for (var rank = 0; rank < inputs.length; rank++) {
                operands[rank] = inputs[rank][i];
            }
            if (!payload.accepts(operands, output[i], dtype)) {
                throw new AssertionError("rank " + group.rank() + " of " + group.world() + ", " + payload + ", pair " + set + ", element "
                        + i + " of " + length + ": sum of " + java.util.Arrays.toString(operands) + " is not " + output[i]);
            }
            bits = bits * 31 + Float.floatToIntBits(output[i]);
        }
        if (!group.same(bits)) {
            throw new AssertionError("rank " + group.rank() + ", " + payload + ", pair " + set + ": the ranks' bits differ");
        }
    }
}
