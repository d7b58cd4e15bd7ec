package org.verifycycle.collective.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.PreparedCycle;

/**
 * A rank in a process of its own, started by {@link ProcessRanks}: {@code file rank world} checks every algorithm and
 * dtype; followed by {@code spec bytes dtype calls cycles}, it times one.
 */
final class ProcessRank {
    private ProcessRank() {
    }

    public static void main(final String[] args) throws IOException {
        final var rank = Integer.parseInt(args[1]);
        final var world = Integer.parseInt(args[2]);
        try (var file = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final var memory = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
            try {
                if (args.length == 3) {
                    checkAll(rank, world, memory);
                } else {
                    time(rank, ProcessRanks.configuration(world, args, 3), Integer.parseInt(args[7]), memory);
                }
            } catch (final RuntimeException | Error e) {
                GroupControl.end(memory);
                throw e;
            }
        }
    }

    private static void checkAll(final int rank, final int world, final ByteBuffer memory) {
        final var configurations = ProcessRanks.checked(world);
        for (var i = 0; i < configurations.size(); i++) {
            final var configuration = configurations.get(i);
            final var group = new GroupControl(rank, world, memory.slice(i * ProcessRanks.CHECK_BYTES, ProcessRanks.CHECK_BYTES));
            try (var communicator = new HostBackend().collective(configuration.collective()).open(group, configuration);
                    var cycle = communicator.prepare()) {
                final var check = new CycleCheck(group, cycle, configuration.elements(), configuration.dtype());
                for (var round = 0; round < 2 * Payload.values().length; round++) {
                    check.round(Payload.values()[round % Payload.values().length]);
                }
            }
        }
    }

    private static void time(final int rank, final Configuration configuration, final int cycles, final ByteBuffer memory) {
        final var world = configuration.world();
        final var samples = memory.slice(memory.capacity() - ProcessRanks.samplesBytes(world, cycles) + rank * cycles * 16, cycles * 16)
                .order(ByteOrder.nativeOrder()).asLongBuffer();
        final var group = new GroupControl(rank, world, memory);
        final var collective = new HostBackend().collective(configuration.collective());
        try (var communicator = collective.open(group, configuration); var cycle = communicator.prepare()) {
            time(group, cycle, configuration, collective.role() == Role.ALL_REDUCE, cycles, samples);
        }
    }

    private static void time(final GroupControl group, final PreparedCycle cycle, final Configuration configuration, final boolean checked,
            final int cycles, final LongBuffer samples) {
        final var check = new CycleCheck(group, cycle, configuration.elements(), configuration.dtype());
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
