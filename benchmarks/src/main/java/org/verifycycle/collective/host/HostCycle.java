package org.verifycycle.collective.host;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.verifycycle.collective.HostSpin;
import org.verifycycle.collective.PreparedCycle;

/**
 * A verify cycle of one rank: private heap buffers, as a caller of MPI would have, and the calls one after the other.
 *
 * @param <A> the array that holds a tensor
 */
final class HostCycle<A> implements PreparedCycle {
    private final AllReduce<A> allReduce;
    private final Elements<A> elements;
    private final int length;
    private final int calls;
    private final List<String> notes;
    private final A[] inputs;
    private final A[] outputs;
    private final HostSpin spin = new HostSpin();

    HostCycle(final AllReduce<A> allReduce, final Elements<A> elements, final HostShape shape, final int calls, final List<String> notes) {
        this.allReduce = allReduce;
        this.elements = elements;
        this.length = shape.elements(shape.bytes());
        this.calls = calls;
        this.notes = notes;
        final var sets = PreparedCycle.bufferSetsFor(shape.bytes());
        inputs = elements.table(sets);
        outputs = elements.table(sets);
        for (var set = 0; set < sets; set++) {
            inputs[set] = elements.allocate(length);
            outputs[set] = elements.allocate(length);
        }
    }

    @Override
    public void run() {
        for (var call = 0; call < calls; call++) {
            final var set = call % inputs.length;
            allReduce.call(inputs[set], outputs[set]);
        }
    }

    /** Empty: the processor's clock is the host's. */
    @Override
    public OptionalLong deviceNanos() {
        return OptionalLong.empty();
    }

    @Override
    public void delay(final int nanos) {
        spin.run(nanos);
    }

    @Override
    public long delayedNanos() {
        return spin.nanos();
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public int bufferSets() {
        return inputs.length;
    }

    @Override
    public void setInput(final int set, final float[] values) {
        elements.round(requireLength(values), inputs[set], length);
    }

    @Override
    public void poisonOutput(final int set) {
        final var poison = new float[length];
        Arrays.fill(poison, Float.NaN);
        elements.round(poison, outputs[set], length);
    }

    @Override
    public void getOutput(final int set, final float[] values) {
        elements.widen(outputs[set], requireLength(values), length);
    }

    private float[] requireLength(final float[] values) {
        if (values.length != length) {
            throw new IllegalArgumentException(values.length + " values for a tensor of " + length + " elements");
        }
        return values;
    }

    @Override
    public void close() {
        // Nothing to free.
    }
}
