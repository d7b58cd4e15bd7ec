package org.verifycycle.collective.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Optional;
import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.RankContext;

/**
 * Access to the shared memory of a communicator, for one rank: flags, bulk copies, LL lines.
 *
 * <p>The Java memory model says nothing about memory shared between processes. What holds is that HotSpot emits for
 * acquire and release on a direct buffer the instructions a C compiler emits for C11 atomics, and that the pages are
 * ordinary coherent memory: so everything written before a release is seen after the acquire that reads it. Both are
 * enough here, since no protocol needs a store to be ordered before a later load of its own.
 */
final class HostRegion {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer bytes;
    private final FloatBuffer floats;
    private final ShortBuffer shorts;
    private final LongBuffer longs;
    private final Backoff backoff;
    private final Optional<LibcCopy> libc;

    /** @param byLibc whether large writes are {@link LibcCopy}'s, which has to be available then */
    HostRegion(final RankContext context, final boolean byLibc) {
        bytes = context.shared().duplicate().clear().order(ByteOrder.nativeOrder());
        floats = bytes.asFloatBuffer();
        shorts = bytes.asShortBuffer();
        longs = bytes.asLongBuffer();
        backoff = new Backoff(context);
        libc = byLibc ? Optional.of(LibcCopy.into(bytes)) : Optional.empty();
    }

    /** Sets the flag at {@code offset}; all this rank read and wrote before is done for whoever sees it. */
    void raise(final int offset, final long value) {
        LONGS.setRelease(bytes, offset, value);
    }

    /** Waits until the flag at {@code offset} is at least {@code value}. */
    void await(final int offset, final long value) {
        if ((long) LONGS.getAcquire(bytes, offset) >= value) {
            return;
        }
        backoff.reset();
        do {
            backoff.idle();
        } while ((long) LONGS.getAcquire(bytes, offset) < value);
    }

    void writeFloats(final float[] source, final int from, final int offset, final int length) {
        if (libc.isPresent() && length * Float.BYTES >= LibcCopy.LEAST_BYTES) {
            libc.get().floats(source, from, offset, length);
        } else {
            floats.put(offset / Float.BYTES, source, from, length);
        }
    }

    void readFloats(final int offset, final float[] target, final int to, final int length) {
        floats.get(offset / Float.BYTES, target, to, length);
    }

    void writeShorts(final short[] source, final int from, final int offset, final int length) {
        if (libc.isPresent() && length * Short.BYTES >= LibcCopy.LEAST_BYTES) {
            libc.get().shorts(source, from, offset, length);
        } else {
            shorts.put(offset / Short.BYTES, source, from, length);
        }
    }

    void readShorts(final int offset, final short[] target, final int to, final int length) {
        shorts.get(offset / Short.BYTES, target, to, length);
    }

    /**
     * Writes LL lines. A bulk copy between aligned 8-byte arrays moves whole longs (so {@code Unsafe.copyMemory}, under
     * it, promises): a reader never sees half of one. All this rank read before is done for whoever sees a line.
     */
    void writeLines(final long[] lines, final int count, final int offset) {
        VarHandle.releaseFence();
        longs.put(offset / Long.BYTES, lines, 0, count);
    }

    /** Reads LL lines, waiting for each until it has this flag. */
    void readLines(final int offset, final int flag, final long[] lines, final int count) {
        // Lines are mostly written in order: when the last is there, one copy usually brings them all.
        if (count > 0) {
            awaitLine(offset + Long.BYTES * (count - 1), flag);
        }
        longs.get(offset / Long.BYTES, lines, 0, count);
        if (!allHave(flag, lines, count)) {
            for (var i = 0; i < count; i++) {
                lines[i] = awaitLine(offset + Long.BYTES * i, flag);
            }
        }
        VarHandle.acquireFence();
    }

    private static boolean allHave(final int flag, final long[] lines, final int count) {
        var difference = 0;
        for (var i = 0; i < count; i++) {
            difference |= (int) (lines[i] >>> 32) ^ flag;
        }
        return difference == 0;
    }

    private long awaitLine(final int offset, final int flag) {
        backoff.reset();
        while (true) {
            final var line = (long) LONGS.getAcquire(bytes, offset);
            if ((int) (line >>> 32) == flag) {
                return line;
            }
            backoff.idle();
        }
    }
}
