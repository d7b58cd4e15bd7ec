package org.verifycycle.rank;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.RankContext;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a backend sees of the control block. */
final class SharedRankContext implements RankContext {
    private static final byte[] NOTHING = {};

    private final ControlBlock block;
    private final int rank;
    private final Backoff backoff = new Backoff(this);
    private long exchanges;

    SharedRankContext(final ControlBlock block, final int rank) {
        this.block = block;
        this.rank = rank;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int world() {
        return block.world();
    }

    @Override
    public ByteBuffer shared() {
        return block.data().duplicate().order(ByteOrder.nativeOrder());
    }

    @Override
    public byte[][] exchange(final byte[] mine) {
        final var sequence = ++exchanges;
        block.exchange(rank, sequence, mine);
        final var all = new byte[block.world()][];
        for (int r = 0; r < all.length; r++) {
            await(r, sequence);
            all[r] = block.exchanged(r, sequence);
        }
        return all;
    }

    /** Leaves no garbage: it may stand in a cycle that is timed. */
    @Override
    public void barrier() {
        final var sequence = ++exchanges;
        block.exchange(rank, sequence, NOTHING);
        for (int r = 0; r < block.world(); r++) {
            await(r, sequence);
        }
    }

    private void await(final int peer, final long sequence) {
        backoff.reset();
        while (block.exchanged(peer) < sequence) {
            backoff.idle();
        }
    }

    @Override
    public void checkAlive() {
        block.checkAlive();
    }
}
