package org.verifycycle.collective.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.verifycycle.collective.RankAbortedException;
import org.verifycycle.collective.RankContext;

/**
 * A small stand-in for the rank processes' control block, so that these tests need nothing but this package: a barrier, one
 * long per rank to compare, and a word that ends the group.
 *
 * <pre>
 *   page 0   one 128-byte line a rank: its barrier count; line 16: 1 when the group is to end
 *   page 1   one 128-byte line a rank: the value it shows
 *   page 2   the collective's memory
 * </pre>
 */
final class GroupControl implements RankContext {
    static final int SHARED_OFFSET = 8192;
    private static final int ABORT_OFFSET = 16 * 128;
    private static final int VALUES_OFFSET = 4096;

    private final int rank;
    private final int world;
    private final ByteBuffer memory;
    private final HostRegion region;
    private long barriers;

    GroupControl(final int rank, final int world, final ByteBuffer memory) {
        this.rank = rank;
        this.world = world;
        this.memory = memory;
        region = new HostRegion(new Whole(), false);
    }

    static void end(final ByteBuffer memory) {
        new GroupControl(0, 1, memory).region.raise(ABORT_OFFSET, 1);
    }

    @Override
    public void barrier() {
        barriers++;
        region.raise(rank * 128, barriers);
        for (var peer = 0; peer < world; peer++) {
            region.await(peer * 128, barriers);
        }
    }

    /** Whether all ranks show the same value. */
    boolean same(final long value) {
        region.raise(VALUES_OFFSET + rank * 128, value);
        barrier();
        var same = true;
        for (var peer = 0; peer < world; peer++) {
            same &= memory.duplicate().order(ByteOrder.nativeOrder()).getLong(VALUES_OFFSET + peer * 128) == value;
        }
        barrier();
        return same;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int world() {
        return world;
    }

    @Override
    public ByteBuffer shared() {
        return memory.slice(SHARED_OFFSET, memory.capacity() - SHARED_OFFSET);
    }

    @Override
    public byte[][] exchange(final byte[] mine) {
        throw new UnsupportedOperationException("the host backend exchanges nothing");
    }

    @Override
    public void checkAlive() {
        if (memory.duplicate().order(ByteOrder.nativeOrder()).getLong(ABORT_OFFSET) != 0) {
            throw new RankAbortedException("rank " + rank + ": the group was told to end");
        }
    }

    /** The same group, seen with its control block. */
    private final class Whole implements RankContext {
        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int world() {
            return world;
        }

        @Override
        public ByteBuffer shared() {
            return memory;
        }

        @Override
        public byte[][] exchange(final byte[] mine) {
            return GroupControl.this.exchange(mine);
        }

        @Override
        public void checkAlive() {
            GroupControl.this.checkAlive();
        }
    }
}
