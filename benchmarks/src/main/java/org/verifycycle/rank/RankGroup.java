package org.verifycycle.rank;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.RankAbortedException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Rank 0 and its children. Made, used and closed by one thread; that thread runs rank 0's part of every cycle.
 *
 * <p>Rank 0 publishes an epoch and what to do in it; every rank does it and says so. No rank ever decides alone to do
 * more or fewer cycles. A child's death, a cycle past its deadline or an error in any rank ends all of them.
 */
public final class RankGroup implements AutoCloseable {
    /** Cycles recorded between two calls of {@link #harvest}; those past it run but are not recorded, and are counted. */
    public static final int SAMPLE_CAPACITY = 1 << 16;
    private static final long START_TIMEOUT_SECONDS = 60;
    private static final long END_TIMEOUT_SECONDS = 2;
    /** For giving back memory, mappings and contexts, which the ranks do together; NCCL's takes the longest, half a second between two GPUs. */
    private static final long CLOSE_TIMEOUT_SECONDS = 20;
    private static final long CYCLE_TIMEOUT_SECONDS = 20;
    /** A cycle slower than this (bytes that all ranks move per second) is taken for one that hangs. */
    private static final long SLOWEST_BYTES_PER_SECOND = 50_000_000;

    private final Configuration configuration;
    private final SharedFile file;
    private final ControlBlock block;
    private final ChildRanks children;
    private final Watchdog watchdog;
    private final Backoff backoff;
    private final long cycleTimeoutSeconds;
    private RankWorker worker;
    /** What rank 0 waits for at the moment, if anything. */
    private volatile Optional<Awaited> awaited = Optional.empty();
    private long epoch;
    private int cycles;
    private boolean cyclesSinceCheck;
    private boolean closed;

    /** @param arrived whether a rank has done it */
    private record Awaited(String what, IntPredicate arrived, long seconds, long sinceNanos) {
        boolean overdue() {
            return System.nanoTime() - sinceNanos > TimeUnit.SECONDS.toNanos(seconds);
        }
    }

    /**
     * Starts the ranks and waits until all are ready.
     *
     * @param sharedFolder memory-backed folder for the shared file
     * @param launcher     the process whose death must end this one
     * @throws RankGroupException if a rank does not come up, with the reason
     * @throws DeclinedException  if a library declines what the configuration asks of it
     */
    public RankGroup(final Configuration configuration, final Path sharedFolder, final Optional<ProcessHandle> launcher) {
        this(configuration, sharedFolder, launcher, reason -> { });
    }

    /** @param lastWords given what would be thrown when this process has to be halted: its thread may be in native code, waiting for a rank that failed */
    public RankGroup(final Configuration configuration, final Path sharedFolder, final Optional<ProcessHandle> launcher, final Consumer<RuntimeException> lastWords) {
        this.configuration = configuration;
        final var collective = Collectives.installed().find(configuration.collective());
        final var dataBytes = collective.sharedBytes(configuration);
        cycleTimeoutSeconds = CYCLE_TIMEOUT_SECONDS
                + (long) configuration.calls() * configuration.bytes() * configuration.world() / SLOWEST_BYTES_PER_SECOND;
        file = SharedFile.create(sharedFolder, sharedBytes(configuration, collective));
        try {
            block = ControlBlock.create(file.channel(), configuration.world(), SAMPLE_CAPACITY, dataBytes);
            children = ChildRanks.start(configuration, file.path());
        } catch (final IOException e) {
            file.close();
            throw new RankGroupException("can't start the ranks: " + e, e);
        }
        backoff = new Backoff(new SharedRankContext(block, 0));
        watchdog = new Watchdog(() -> launcher.filter(p -> !p.isAlive()).map(p -> "the launcher is gone"), this::ended, reason -> {
            lastWords.accept(block.declined() ? new DeclinedException(reason) : new RankGroupException(reason));
            kill();
        });
        try {
            final IntPredicate mapped = rank -> block.phase(rank).ordinal() >= ControlBlock.Phase.MAPPED.ordinal();
            // A driver that hangs here is waited for no longer than ranks that don't start.
            awaited = Optional.of(new Awaited("to start", mapped, START_TIMEOUT_SECONDS, System.nanoTime()));
            collective.warmUp();
            await("to start", START_TIMEOUT_SECONDS, mapped);
            file.unlink();
            final IntPredicate ready = rank -> block.phase(rank) == ControlBlock.Phase.READY;
            // Opening is collective: rank 0 waits in there for the others, with the same deadline.
            awaited = Optional.of(new Awaited("to open " + configuration.collective(), ready, START_TIMEOUT_SECONDS, System.nanoTime()));
            worker = new RankWorker(block, 0, configuration);
            await("to open " + configuration.collective(), START_TIMEOUT_SECONDS, ready);
        } catch (final RankAbortedException e) {
            kill();
            throw new RankGroupException(e.getMessage(), e);
        } catch (final DeclinedException e) {
            kill();
            throw e;
        } catch (final Throwable e) {
            block.abort("rank 0: " + e.getMessage());
            kill();
            throw e;
        }
    }

    /** What rank 0's collective says of how it runs. */
    public List<String> notes() {
        return worker.notes();
    }

    /** What rank 0 takes of its device's memory, where that is known. */
    public Optional<DeviceMemory> memory() {
        return worker.memory();
    }

    /** Bytes of shared memory that a group takes. */
    public static long sharedBytes(final Configuration configuration, final Collective collective) {
        return ControlBlock.fileBytes(configuration.world(), SAMPLE_CAPACITY, collective.sharedBytes(configuration));
    }

    /** One verify cycle by all ranks; returns when the last rank has finished it. */
    public void cycle() {
        final var index = cycles < SAMPLE_CAPACITY ? cycles : RankWorker.UNRECORDED;
        together(ControlBlock.Command.CYCLE, index, () -> worker.cycle(index));
        cycles++;
        cyclesSinceCheck = true;
    }

    /**
     * One cycle with known inputs, checked on every rank.
     *
     * @param seed of the payload: even for integers, odd for random values
     * @throws WrongResultException naming rank, element and values
     */
    public void check(final long seed) {
        together(ControlBlock.Command.CHECK, seed, () -> worker.check(seed));
        checked("seed " + seed);
        cyclesSinceCheck = false;
    }

    /**
     * Checks what the cycles since the last {@link #check} or {@link #poison} left in the outputs; nothing if there were none.
     *
     * @throws WrongResultException naming rank, element and values
     */
    public void checkLeft() {
        if (cyclesSinceCheck) {
            together(ControlBlock.Command.LEFT, 0, worker::checkLeft);
            checked("after the timed cycles");
        }
    }

    private void checked(final String when) {
        for (int rank = 0; rank < block.world(); rank++) {
            final var error = block.error(rank);
            if (!error.isEmpty()) {
                throw new WrongResultException("wrong result of " + configuration + " on rank " + rank + ": " + error);
            }
            if (block.checkHash(rank) != block.checkHash(0)) {
                throw new WrongResultException("wrong result of " + configuration + ": rank " + rank + " and rank 0 differ in their bits (" + when + ")");
            }
        }
    }

    /**
     * The times of the cycles since the last harvest; the summary over ranks is made per cycle, here.
     */
    public Harvest harvest() {
        final var recorded = Math.min(cycles, SAMPLE_CAPACITY);
        final var group = new long[recorded];
        final var skew = new long[recorded];
        final var device = new long[recorded];
        var deviceClock = recorded > 0;
        for (int i = 0; i < recorded; i++) {
            long firstStart = Long.MAX_VALUE;
            long lastStart = Long.MIN_VALUE;
            long lastEnd = Long.MIN_VALUE;
            long slowest = -1;
            for (int rank = 0; rank < block.world(); rank++) {
                firstStart = Math.min(firstStart, block.sampleStart(rank, i));
                lastStart = Math.max(lastStart, block.sampleStart(rank, i));
                lastEnd = Math.max(lastEnd, block.sampleEnd(rank, i));
                slowest = Math.max(slowest, block.sampleDevice(rank, i));
                deviceClock &= block.sampleDevice(rank, i) >= 0;
            }
            group[i] = lastEnd - lastStart;
            skew[i] = lastStart - firstStart;
            device[i] = slowest;
        }
        final var unrecorded = cycles - recorded;
        cycles = 0;
        return new Harvest(group, skew, deviceClock ? Optional.of(device) : Optional.empty(), unrecorded);
    }

    /**
     * One element per recorded cycle.
     *
     * @param groupNanos  last rank's end minus last rank's start
     * @param skewNanos   last rank's start minus first rank's start
     * @param deviceNanos the slowest rank's device time, if every rank has a device clock
     * @param unrecorded  cycles that ran but for which there was no room
     */
    public record Harvest(long[] groupNanos, long[] skewNanos, Optional<long[]> deviceNanos, int unrecorded) { }

    /** Poisons the outputs on all ranks: {@link #checkLeft} is then of the cycles after it. */
    public void poison() {
        together(ControlBlock.Command.POISON, 0, worker::poison);
        cyclesSinceCheck = false;
    }

    /** What all ranks do at once; rank 0's own failure ends the others, who may wait for it on their devices. */
    private void together(final ControlBlock.Command command, final long argument, final Runnable own) {
        publish(command, argument);
        try {
            own.run();
        } catch (final RankAbortedException e) {
            throw e;
        } catch (final Throwable e) {
            block.abort("rank 0: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            throw e;
        }
        awaitDone();
    }

    private void publish(final ControlBlock.Command command, final long argument) {
        block.checkAlive();
        final var next = ++epoch;
        awaited = Optional.of(new Awaited("for " + command.name().toLowerCase(Locale.ROOT) + " " + next, rank -> block.done(rank) >= next, cycleTimeoutSeconds, System.nanoTime()));
        block.publish(next, command, argument);
    }

    private void awaitDone() {
        spin(rank -> block.done(rank) >= epoch);
        block.done(0, epoch);
        awaited = Optional.empty();
    }

    private void await(final String what, final long seconds, final IntPredicate arrived) {
        awaited = Optional.of(new Awaited(what, arrived, seconds, System.nanoTime()));
        spin(arrived);
        awaited = Optional.empty();
    }

    private void spin(final IntPredicate arrived) {
        for (int rank = 1; rank < block.world(); rank++) {
            backoff.reset();
            while (!arrived.test(rank)) {
                backoff.idle();
            }
        }
    }

    /** Looked at by the watchdog: makes the group end when it has to. */
    private Optional<String> ended() {
        children.firstDead(rank -> block.phase(rank) != ControlBlock.Phase.ENDED).ifPresent(block::abort);
        awaited.filter(Awaited::overdue).ifPresent(late -> block.abort("waited " + late.seconds() + " s " + late.what() + ", in vain for ranks "
                + IntStream.range(0, block.world()).filter(rank -> !late.arrived().test(rank)).boxed().toList()));
        return block.aborted() ? Optional.of(block.abortReason()) : Optional.empty();
    }

    private void kill() {
        watchdog.close();
        children.kill();
        file.close();
    }

    /** Ends all ranks: asks first, then kills. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (!block.aborted()) {
                final IntPredicate ended = rank -> rank == 0 || block.phase(rank) == ControlBlock.Phase.ENDED;
                awaited = Optional.of(new Awaited("to end", ended, CLOSE_TIMEOUT_SECONDS, System.nanoTime()));
                block.publish(++epoch, ControlBlock.Command.END, 0);
                worker.close();
                spin(ended);
                awaited = Optional.empty();
                children.await(END_TIMEOUT_SECONDS);
            }
        } finally {
            // Also where rank 0 can't give its device back: no rank may outlive its group.
            kill();
        }
    }
}
