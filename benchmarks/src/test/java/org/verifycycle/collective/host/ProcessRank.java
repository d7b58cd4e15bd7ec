package org.verifycycle.collective.host;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.PreparedCycle;

/** A rank in a process of its own: {@code file rank world spec bytes dtype calls check|time cycles}. Started by {@link ProcessRanks}. */
final class ProcessRank {
    private ProcessRank() {
    }

    public static void main(final String[] args) throws IOException {
        final var rank = Integer.parseInt(args[1]);
        final var configuration = new Configuration(CollectiveSpec.parse(args[3]), Integer.parseInt(args[2]), Integer.parseInt(args[4]),
                Dtype.parse(args[5]), Launch.EAGER, Integer.parseInt(args[6]));
        final var cycles = Integer.parseInt(args[8]);
        final var collective = new HostBackend().collective(configuration.collective());
        try (var file = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final var memory = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
            final var group = new GroupControl(rank, configuration.world(), memory);
            try (var communicator = collective.open(group, configuration); var cycle = communicator.prepare()) {
                if (args[7].equals("check")) {
                    check(group, cycle, configuration, cycles);
                } else {
                    final var samples = memory.slice(memory.capacity() - ProcessRanks.samplesBytes(configuration.world(), cycles)
                            + rank * cycles * 16, cycles * 16).order(ByteOrder.nativeOrder()).asLongBuffer();
                    time(group, cycle, configuration, cycles, samples);
                }
            } catch (final RuntimeException | Error e) {
                GroupControl.end(memory);
                throw e;
            }
        }
    }

    private static void check(final GroupControl group, final PreparedCycle cycle, final Configuration configuration, final int cycles) {
        final var check = new CycleCheck(group, cycle, configuration.elements(), configuration.dtype());
        for (var round = 0; round < cycles; round++) {
            check.round(Payload.values()[round % Payload.values().length]);
        }
    }

    private static void time(final GroupControl group, final PreparedCycle cycle, final Configuration configuration, final int cycles,
            final LongBuffer samples) {
        final var check = new CycleCheck(group, cycle, configuration.elements(), configuration.dtype());
        final var checked = new HostBackend().collective(configuration.collective()).role() != Role.FLOOR;
        if (checked) {
            check.round(Payload.RANDOM);
        }
        // Half as many again to warm up: the compiler is done long before.
        for (var i = -cycles / 2; i < cycles; i++) {
            group.barrier();
            final var start = System.nanoTime();
            cycle.run();
            final var end = System.nanoTime();
            if (i >= 0) {
                samples.put(2 * i, start);
                samples.put(2 * i + 1, end);
            }
        }
        if (checked) {
            check.round(Payload.RANDOM);
        }
    }
}
