package org.verifycycle.faulty;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.HostSpin;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All-reduce by two barriers a call: write own slot, barrier, sum all slots, barrier.
 * Region: one 128-byte line with a counter per rank, then one slot of {@code bytes} per rank.
 */
final class FaultyCycle implements PreparedCycle {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int LINE_BYTES = 128;
    private static final int CYCLES_BEFORE_FAULT = 6;

    private final RankContext context;
    private final Configuration configuration;
    private final FaultyBackend.Fault fault;
    private final ByteBuffer shared;
    private final Backoff backoff;
    private final float[][] inputs;
    private final float[][] outputs;
    private final HostSpin spin = new HostSpin();
    private long barriers;
    private int cycles;
    private boolean fresh;

    FaultyCycle(final RankContext context, final Configuration configuration, final FaultyBackend.Fault fault) {
        this.context = context;
        this.configuration = configuration;
        this.fault = fault;
        shared = context.shared();
        backoff = new Backoff(context);
        inputs = new float[bufferSets()][configuration.elements()];
        outputs = new float[bufferSets()][configuration.elements()];
    }

    static long sharedBytes(final Configuration c) {
        return (long) c.world() * (LINE_BYTES + c.bytes());
    }

    @Override
    public void run() {
        cycles++;
        if (fault == FaultyBackend.Fault.LAZY && !fresh) {
            return;
        }
        fresh = false;
        if (fault == FaultyBackend.Fault.LAZY_LATER && cycles > CYCLES_BEFORE_FAULT) {
            return;
        }
        if (fault == FaultyBackend.Fault.RANK_0_THROWS && context.rank() == 0 && cycles > CYCLES_BEFORE_FAULT) {
            throw new IllegalStateException("rank 0's device failed");
        }
        for (int call = 0; call < configuration.calls(); call++) {
            call(call % bufferSets());
        }
    }

    @Override
    public Optional<String> lost() {
        return fault == FaultyBackend.Fault.LOSES_CALLS ? Optional.of("the device has counted 5 calls of 10") : Optional.empty();
    }

    @Override
    public void delay(final int nanos) {
        spin.run(nanos);
    }

    @Override
    public long delayedNanos() {
        return spin.nanos();
    }

    private void call(final int set) {
        final var first = context.rank() == 1;
        if (fault == FaultyBackend.Fault.NO_OP) {
            barrier();
            return;
        }
        if (cycles > CYCLES_BEFORE_FAULT && first && fault == FaultyBackend.Fault.DIES) {
            Runtime.getRuntime().halt(9);
        }
        if (cycles > CYCLES_BEFORE_FAULT && first && fault == FaultyBackend.Fault.THROWS_AN_ERROR) {
            throw new InternalError("rank 1 was told to throw an error");
        }
        while (cycles > CYCLES_BEFORE_FAULT && first && fault == FaultyBackend.Fault.HANGS) {
            Thread.onSpinWait();
        }
        if (fault == FaultyBackend.Fault.SLOW) {
            pause();
        }
        final var mine = fault == FaultyBackend.Fault.STALE_INPUT && first && set == 1 ? inputs[0] : inputs[set];
        for (int i = 0; i < mine.length; i++) {
            shared.putFloat(slot(context.rank()) + 4 * i, mine[i]);
        }
        barrier();
        final var out = outputs[set];
        Arrays.fill(out, 0);
        for (int r = 0; r < context.world(); r++) {
            for (int i = 0; i < out.length; i++) {
                out[i] += shared.getFloat(slot(r) + 4 * i);
            }
        }
        barrier();
        final var late = fault == FaultyBackend.Fault.WRONG_LATER && cycles > CYCLES_BEFORE_FAULT;
        if (fault == FaultyBackend.Fault.WRONG_SUM || late || wrongOnce() || (fault == FaultyBackend.Fault.RANK_DIFFERS && first)) {
            out[out.length - 1] = Math.nextUp(out[out.length - 1]);
        }
    }

    /** In the first process group only that finds no mark in the folder for temporary files. */
    private boolean wrongOnce() {
        if (fault != FaultyBackend.Fault.WRONG_ONCE || context.rank() != 0 || cycles > 1) {
            return false;
        }
        try {
            return new java.io.File(System.getProperty("java.io.tmpdir"), "wrong-once").createNewFile();
        } catch (final java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void barrier() {
        LONG.setRelease(shared, LINE_BYTES * context.rank(), ++barriers);
        for (int r = 0; r < context.world(); r++) {
            backoff.reset();
            while ((long) LONG.getAcquire(shared, LINE_BYTES * r) < barriers) {
                backoff.idle();
            }
        }
    }

    private int slot(final int rank) {
        return LINE_BYTES * context.world() + configuration.bytes() * rank;
    }

    @Override
    public OptionalLong deviceNanos() {
        return OptionalLong.empty();
    }

    @Override
    public int bufferSets() {
        return PreparedCycle.bufferSetsFor(configuration.bytes());
    }

    @Override
    public void setInput(final int set, final float[] values) {
        fresh = true;
        System.arraycopy(values, 0, inputs[set], 0, values.length);
    }

    @Override
    public void poisonOutput(final int set) {
        Arrays.fill(outputs[set], Float.NaN);
    }

    @Override
    public void getOutput(final int set, final float[] values) {
        System.arraycopy(outputs[set], 0, values, 0, values.length);
    }

    @Override
    public void close() {
        // Heap buffers only.
    }
}
