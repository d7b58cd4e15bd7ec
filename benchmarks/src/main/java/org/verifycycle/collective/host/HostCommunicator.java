package org.verifycycle.collective.host;

import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.PreparedCycle;
import org.verifycycle.collective.RankContext;

import java.util.List;

/** A rank's end of an opened host collective. It owns nothing: the shared memory is the rank process's. */
record HostCommunicator(RankContext context, HostAlgorithm algorithm, HostShape shape, HostRegionDescriptor layout, boolean byLibc, int calls)
        implements Communicator {
    private static final int FIRST_EPOCH = 1;

    @Override
    public PreparedCycle prepare() {
        return switch (shape.dtype()) {
            case FP32 -> prepare(new Fp32Elements());
            case BF16 -> prepare(new Bf16Elements());
            case FP16 -> prepare(new Fp16Elements());
        };
    }

    private <A> PreparedCycle prepare(final Elements<A> elements) {
        final var rank = new HostRank<>(context.rank(), shape, layout, new HostRegion(context, byLibc), elements, FIRST_EPOCH);
        final var notes = algorithm.copies() ? List.of("copies by " + (byLibc ? LibcCopy.whose() + "'s memcpy from 8 KiB on" : "the JVM")) : List.<String>of();
        return new HostCycle<>(algorithm.bind(rank), elements, shape, calls, notes);
    }

    @Override
    public void close() {
        // Nothing to free.
    }
}
