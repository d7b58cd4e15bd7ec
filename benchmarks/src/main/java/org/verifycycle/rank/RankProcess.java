package org.verifycycle.rank;

import org.verifycycle.collective.Backoff;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.RankAbortedException;
import org.verifycycle.collective.Skew;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Main class of ranks 1..N-1: does what rank 0 publishes until told to end, or until rank 0 is no more. */
public final class RankProcess {
    private RankProcess() {
    }

    /** The arguments {@link #main} takes. */
    static List<String> arguments(final Path file, final int rank, final Configuration c) {
        return List.of(file.toString(), Integer.toString(rank), Long.toString(ProcessHandle.current().pid()), c.collective().toString(),
                Integer.toString(c.world()), Integer.toString(c.bytes()), c.dtype().id(), c.launch().id(), Integer.toString(c.calls()), Skew.format(c.skewNanos()));
    }

    public static void main(final String[] args) throws IOException {
        final var rank = Integer.parseInt(args[1]);
        final var parent = ProcessHandle.of(Long.parseLong(args[2]));
        final var configuration = new Configuration(CollectiveSpec.parse(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]),
                Dtype.parse(args[6]), Launch.parse(args[7]), Integer.parseInt(args[8]), Skew.parse(args[9]));
        final ControlBlock block;
        try (var file = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            block = ControlBlock.open(file);
        }
        block.pid(rank, ProcessHandle.current().pid());
        block.phase(rank, ControlBlock.Phase.MAPPED);
        if (IntStream.range(1, configuration.world()).allMatch(r -> block.phase(r).ordinal() >= ControlBlock.Phase.MAPPED.ordinal())) {
            // The last one: rank 0, which does so too, may still be busy with its driver.
            Files.deleteIfExists(Path.of(args[0]));
        }
        try (var watchdog = new Watchdog(
                () -> parent.filter(ProcessHandle::isAlive).isPresent() ? Optional.empty() : Optional.of("rank 0 is gone"),
                () -> block.aborted() ? Optional.of(block.abortReason()) : Optional.empty(), reason -> { })) {
            serve(block, rank, configuration);
            // Not before it has given back what it held: until then its death must end the group, whose ranks meet once more to do that.
            block.phase(rank, ControlBlock.Phase.ENDED);
        } catch (final RankAbortedException e) {
            System.exit(Watchdog.HALT_STATUS);
        } catch (final DeclinedException e) {
            block.decline(e.getMessage());
            System.exit(Watchdog.HALT_STATUS);
        } catch (final Throwable e) {
            // Whatever it is, rank 0 must be told: this process can't tell anyone else.
            block.abort("rank " + rank + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(final ControlBlock block, final int rank, final Configuration configuration) {
        final var backoff = new Backoff(new SharedRankContext(block, rank));
        try (var worker = new RankWorker(block, rank, configuration)) {
            block.phase(rank, ControlBlock.Phase.READY);
            for (long epoch = 1; ; epoch++) {
                backoff.reset();
                while (block.epoch() < epoch) {
                    backoff.idle();
                }
                switch (block.command()) {
                    case CYCLE -> worker.cycle(block.argument());
                    case CHECK -> worker.check(block.argument());
                    case POISON -> worker.poison();
                    case LEFT -> worker.checkLeft();
                    case END -> {
                        return;
                    }
                }
                block.done(rank, epoch);
            }
        }
    }
}
