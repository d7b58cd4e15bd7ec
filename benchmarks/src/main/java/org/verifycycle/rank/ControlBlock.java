package org.verifycycle.rank;

import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.RankAbortedException;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;

import static org.verifycycle.rank.ControlBlockDescriptor.*;

/**
 * A rank's view of the shared file, laid out by {@link ControlBlockDescriptor}.
 *
 * <p>Flags are read with acquire and written with release. The Java memory model promises nothing across processes; what
 * holds is that HotSpot emits for these accesses what a C11 compiler emits, on pages that are coherent.
 */
final class ControlBlock {
    private static final long REASON_NANOS = 200_000_000L;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int OPEN = 0;
    private static final int ABORTED = 1;
    private static final int BEING_ABORTED = 2;
    private static final int DECLINED = 3;

    /** What rank 0 asks the others for with the next epoch. */
    enum Command { CYCLE, CHECK, POISON, LEFT, END }

    /** How far a rank has come. */
    enum Phase { STARTING, MAPPED, READY, ENDED }

    private final ByteBuffer block;
    private final ByteBuffer data;
    private final int world;
    private final int sampleCapacity;

    private ControlBlock(final ByteBuffer block, final ByteBuffer data, final int world, final int sampleCapacity) {
        this.block = block;
        this.data = data;
        this.world = world;
        this.sampleCapacity = sampleCapacity;
    }

    /** Writes the header of a fresh, zeroed file of the right size and maps it. */
    static ControlBlock create(final FileChannel file, final int world, final int sampleCapacity, final long dataBytes) throws IOException {
        final var header = map(file, 0, dataOffset(world, sampleCapacity));
        header.putInt(VERSION_OFFSET, VERSION);
        header.putInt(WORLD_OFFSET, world);
        header.putInt(SAMPLE_CAPACITY_OFFSET, sampleCapacity);
        header.putLong(DATA_BYTES_OFFSET, dataBytes);
        LONG.setRelease(header, MAGIC_OFFSET, MAGIC);
        return new ControlBlock(header, map(file, header.capacity(), dataBytes), world, sampleCapacity);
    }

    /** Maps a file that {@link #create} made. @throws IOException if it is not one, or of another version */
    static ControlBlock open(final FileChannel file) throws IOException {
        final var header = map(file, 0, RANKS_OFFSET);
        if ((long) LONG.getAcquire(header, MAGIC_OFFSET) != MAGIC || header.getInt(VERSION_OFFSET) != VERSION) {
            throw new IOException("not a control block of version " + VERSION);
        }
        final var world = header.getInt(WORLD_OFFSET);
        final var capacity = header.getInt(SAMPLE_CAPACITY_OFFSET);
        final var offset = dataOffset(world, capacity);
        return new ControlBlock(map(file, 0, offset), map(file, offset, header.getLong(DATA_BYTES_OFFSET)), world, capacity);
    }

    static long fileBytes(final int world, final int sampleCapacity, final long dataBytes) {
        return dataOffset(world, sampleCapacity) + dataBytes;
    }

    int world() {
        return world;
    }

    int sampleCapacity() {
        return sampleCapacity;
    }

    ByteBuffer data() {
        return data;
    }

    // --- state of the group ---

    /** Tells all ranks to end; the first reason given stays. */
    void abort(final String reason) {
        end(reason, ABORTED);
    }

    /** The same where nothing has failed: a library declines what was asked of it. */
    void decline(final String reason) {
        end(reason, DECLINED);
    }

    private void end(final String reason, final int state) {
        if (!INT.compareAndSet(block, STATE_OFFSET, OPEN, BEING_ABORTED)) {
            return;
        }
        putText(REASON_OFFSET, REASON_MAX_BYTES, reason);
        INT.setRelease(block, STATE_OFFSET, state);
    }

    boolean aborted() {
        // A rank killed while it writes the reason leaves BEING_ABORTED for ever: that is an end too.
        return (int) INT.getAcquire(block, STATE_OFFSET) != OPEN;
    }

    /** Waits a moment for a reason that is being written; its writer may have been killed. */
    String abortReason() {
        final var deadline = System.nanoTime() + REASON_NANOS;
        while ((int) INT.getAcquire(block, STATE_OFFSET) == BEING_ABORTED && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        final var state = (int) INT.getAcquire(block, STATE_OFFSET);
        return state == ABORTED || state == DECLINED ? getText(REASON_OFFSET) : "the group was ended";
    }

    boolean declined() {
        return (int) INT.getAcquire(block, STATE_OFFSET) == DECLINED;
    }

    void checkAlive() {
        if (aborted()) {
            final var reason = abortReason();
            throw declined() ? new DeclinedException(reason) : new RankAbortedException(reason);
        }
    }

    // --- rank 0 asks ---

    void publish(final long epoch, final Command command, final long argument) {
        block.putInt(COMMAND_OFFSET, command.ordinal());
        block.putLong(ARGUMENT_OFFSET, argument);
        LONG.setRelease(block, EPOCH_OFFSET, epoch);
    }

    long epoch() {
        return (long) LONG.getAcquire(block, EPOCH_OFFSET);
    }

    Command command() {
        return Command.values()[block.getInt(COMMAND_OFFSET)];
    }

    long argument() {
        return block.getLong(ARGUMENT_OFFSET);
    }

    // --- a rank answers ---

    void done(final int rank, final long epoch) {
        LONG.setRelease(block, rankOffset(rank) + DONE, epoch);
    }

    long done(final int rank) {
        return (long) LONG.getAcquire(block, rankOffset(rank) + DONE);
    }

    void phase(final int rank, final Phase phase) {
        INT.setRelease(block, rankOffset(rank) + PHASE, phase.ordinal());
    }

    Phase phase(final int rank) {
        return Phase.values()[(int) INT.getAcquire(block, rankOffset(rank) + PHASE)];
    }

    void pid(final int rank, final long pid) {
        LONG.setRelease(block, rankOffset(rank) + PID, pid);
    }

    /** What went wrong in a rank; published by its next {@link #done} or {@link #abort}. */
    void error(final int rank, final String message) {
        putText(rankOffset(rank) + ERROR, ERROR_MAX_BYTES, message);
    }

    /** Empty if nothing did. */
    String error(final int rank) {
        return getText(rankOffset(rank) + ERROR);
    }

    void checkHash(final int rank, final long hash) {
        block.putLong(rankOffset(rank) + CHECK_HASH, hash);
    }

    long checkHash(final int rank) {
        return block.getLong(rankOffset(rank) + CHECK_HASH);
    }

    // --- samples ---

    void sample(final int rank, final int index, final long startNanos, final long endNanos, final long deviceNanos) {
        final var offset = sampleOffset(world, sampleCapacity, rank, index);
        block.putLong(offset + SAMPLE_START, startNanos);
        block.putLong(offset + SAMPLE_END, endNanos);
        block.putLong(offset + SAMPLE_DEVICE, deviceNanos);
    }

    long sampleStart(final int rank, final int index) {
        return block.getLong(sampleOffset(world, sampleCapacity, rank, index) + SAMPLE_START);
    }

    long sampleEnd(final int rank, final int index) {
        return block.getLong(sampleOffset(world, sampleCapacity, rank, index) + SAMPLE_END);
    }

    /** Negative where there is no device clock. */
    long sampleDevice(final int rank, final int index) {
        return block.getLong(sampleOffset(world, sampleCapacity, rank, index) + SAMPLE_DEVICE);
    }

    // --- exchange ---

    /**
     * Publishes a rank's part of exchange number {@code sequence} (from 1). Two slots alternate: a rank comes to
     * {@code sequence + 2} only when all have published {@code sequence + 1}, and so have read {@code sequence}.
     */
    void exchange(final int rank, final long sequence, final byte[] bytes) {
        if (bytes.length > EXCHANGE_MAX_BYTES) {
            throw new IllegalArgumentException("an exchange takes at most " + EXCHANGE_MAX_BYTES + " bytes, not " + bytes.length);
        }
        final var slot = exchangeSlot(rank, sequence);
        block.putInt(slot, bytes.length);
        block.put(slot + 8, bytes);
        LONG.setRelease(block, rankOffset(rank) + EXCHANGED, sequence);
    }

    long exchanged(final int rank) {
        return (long) LONG.getAcquire(block, rankOffset(rank) + EXCHANGED);
    }

    byte[] exchanged(final int rank, final long sequence) {
        final var slot = exchangeSlot(rank, sequence);
        final var bytes = new byte[block.getInt(slot)];
        block.get(slot + 8, bytes);
        return bytes;
    }

    private static int exchangeSlot(final int rank, final long sequence) {
        return rankOffset(rank) + EXCHANGE_SLOTS + (int) (sequence & 1) * EXCHANGE_SLOT_BYTES;
    }

    private void putText(final int offset, final int maxBytes, final String text) {
        final var bytes = text.getBytes(StandardCharsets.UTF_8);
        final var length = Math.min(bytes.length, maxBytes);
        block.putInt(offset, length);
        block.put(offset + 4, bytes, 0, length);
    }

    private String getText(final int offset) {
        final var bytes = new byte[block.getInt(offset)];
        block.get(offset + 4, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static ByteBuffer map(final FileChannel file, final long offset, final long bytes) throws IOException {
        return file.map(MapMode.READ_WRITE, offset, bytes).order(ByteOrder.nativeOrder());
    }
}
