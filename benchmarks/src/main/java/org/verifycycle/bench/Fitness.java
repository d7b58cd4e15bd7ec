package org.verifycycle.bench;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.SharedMemory;
import org.verifycycle.rank.RankGroup;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Environment;
import org.verifycycle.result.EnvironmentCollector;
import org.verifycycle.result.Run;

import java.util.List;
import java.util.stream.Stream;

/** Whether this machine, as it is now, can be measured on. */
public final class Fitness {
    private Fitness() {
    }

    /**
     * Rounds of one run are compared with one another.
     *
     * @throws EnvironmentUnfitException if a run was begun on something else, saying what differs
     */
    public static void requireSame(final Run run, final Environment now) {
        final var backends = run.entries().stream().map(entry -> entry.configuration().collective().backend()).distinct().map(Collectives.installed()::backend).toList();
        final var ofLibraries = backends.stream().flatMap(backend -> backend.bindingFacts().stream()).toList();
        final var ofGpus = backends.stream().anyMatch(backend -> backend.device() == Backend.Device.GPU) ? Gpus.BINDING_FACTS : List.<String>of();
        final var differences = EnvironmentCollector.differences(run.environment(), now, Stream.concat(ofGpus.stream(), ofLibraries.stream()).toList());
        if (!differences.isEmpty()) {
            final var onlyLibraries = differences.stream().allMatch(difference -> ofLibraries.stream().anyMatch(fact -> difference.startsWith(fact + " was ")));
            throw new EnvironmentUnfitException("this is not what the run was begun with (" + String.join("; ", differences) + "): its rounds could not be compared; "
                    + (onlyLibraries ? "give the library it was begun with (--nccl FILE)" : "start a new run"));
        }
    }

    /** @throws EnvironmentUnfitException if the largest configuration's ranks would not find room for what they share */
    public static void requireSharedMemory(final List<Entry> entries, final SharedMemory shared) {
        final var installed = Collectives.installed();
        final var needed = entries.stream().map(Entry::configuration).mapToLong(c -> sharedBytes(c, installed)).max().orElse(0);
        if (shared.freeBytes() >= 0 && shared.freeBytes() < needed) {
            throw new EnvironmentUnfitException("no space in shared memory: the plan needs %,d KiB in %s, %,d KiB are free; make room there or choose another folder with --shm DIR"
                    .formatted(needed >> 10, shared.folder(), shared.freeBytes() >> 10));
        }
    }

    private static long sharedBytes(final Configuration configuration, final Collectives installed) {
        return RankGroup.sharedBytes(configuration, installed.find(configuration.collective()));
    }
}
