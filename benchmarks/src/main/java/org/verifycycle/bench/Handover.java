package org.verifycycle.bench;

import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.device.SharedMemory;
import org.verifycycle.rank.RankGroup;
import org.verifycycle.rank.RankGroupException;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.Samples;
import org.verifycycle.result.SamplesFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.LongStream;

/**
 * What a JMH fork and the launcher that started it tell each other: system properties down, files in a folder up. JMH's own
 * results carry neither raw samples nor the reason of a failure. Without such a folder (plain JMH use) nothing is written.
 */
final class Handover {
    static final String FOLDER_PROPERTY = "verifycycle.handover";
    static final String LAUNCHER_PROPERTY = "verifycycle.launcher";
    static final String SHARED_PROPERTY = "verifycycle.shm";
    private static final String FORK_CLASS = "org.openjdk.jmh.runner.ForkedMain";
    private static final String OUTCOME = "outcome.properties";
    private static final String SAMPLES = "samples.vcs";
    private static final String STATUS = "status";
    private static final String ERROR = "error";
    private static final String NOTES = "notes";
    private static final String DECLINED = "DECLINED";
    private static final String MEMORY = "memory.";

    private final Optional<Path> folder;
    private final List<RankGroup.Harvest> harvests = new ArrayList<>();
    private List<String> notes = List.of();
    private Optional<DeviceMemory> memory = Optional.empty();

    Handover(final Optional<Path> folder) {
        this.folder = folder;
    }

    static Handover fromProperties() {
        return new Handover(Optional.ofNullable(System.getProperty(FOLDER_PROPERTY)).map(Path::of));
    }

    Path sharedFolder() {
        return SharedMemory.choose(Optional.ofNullable(System.getProperty(SHARED_PROPERTY)).map(Path::of)).folder();
    }

    /**
     * The process that a fork must not outlive: the one named in the property, else the JMH host. Without a fork
     * ({@code -f 0}) there is none: the parent is the user's shell.
     *
     * @throws RankGroupException if it is gone already
     */
    Optional<ProcessHandle> launcher() {
        final var pid = Long.getLong(LAUNCHER_PROPERTY);
        if (pid == null) {
            return System.getProperty("sun.java.command", "").startsWith(FORK_CLASS) ? ProcessHandle.current().parent() : Optional.empty();
        }
        return Optional.of(ProcessHandle.of(pid).orElseThrow(() -> new RankGroupException("the launcher is gone")));
    }

    void add(final RankGroup.Harvest harvest) {
        harvests.add(harvest);
    }

    /** What rank 0's collective says of how it runs. */
    void notes(final List<String> told) {
        notes = told;
    }

    /** What rank 0 takes of its device's memory. */
    void memory(final Optional<DeviceMemory> taken) {
        memory = taken;
    }

    /** Writes the samples, then that all went well; or that there are more than could be recorded. */
    void succeed() {
        final var unrecorded = harvests.stream().mapToInt(RankGroup.Harvest::unrecorded).sum();
        if (unrecorded > 0) {
            fail(Status.FAILED, "%,d cycles were more than there is room for (%,d an iteration); give a shorter --measure or more --calls"
                    .formatted(unrecorded, RankGroup.SAMPLE_CAPACITY));
            return;
        }
        folder.ifPresent(to -> {
            SamplesFile.write(to.resolve(SAMPLES), samples());
            write(to, Status.OK.name(), Optional.empty());
        });
    }

    /** The first failure told stays: what follows from it is noise. */
    void fail(final Status status, final String error) {
        writeFirst(status.name(), error);
    }

    /** A library does not do what was asked of it: no failure, and nothing to measure. */
    void decline(final String reason) {
        writeFirst(DECLINED, reason);
    }

    private void writeFirst(final String status, final String error) {
        folder.filter(to -> !Files.exists(to.resolve(OUTCOME))).ifPresent(to -> write(to, status, Optional.of(error)));
    }

    private Samples samples() {
        final var device = harvests.stream().allMatch(h -> h.deviceNanos().isPresent()) && !harvests.isEmpty();
        return new Samples(
                harvests.stream().flatMapToLong(h -> LongStream.of(h.groupNanos())).toArray(),
                harvests.stream().flatMapToLong(h -> LongStream.of(h.skewNanos())).toArray(),
                device ? Optional.of(harvests.stream().flatMapToLong(h -> LongStream.of(h.deviceNanos().orElseThrow())).toArray()) : Optional.empty());
    }

    private void write(final Path to, final String status, final Optional<String> error) {
        final var outcome = new Properties();
        outcome.setProperty(STATUS, status);
        error.ifPresent(e -> outcome.setProperty(ERROR, e));
        outcome.setProperty(NOTES, String.join("\n", notes));
        memory.ifPresent(m -> DeviceMemory.FIELDS.forEach((field, bytes) -> outcome.setProperty(MEMORY + field, Long.toString(bytes.applyAsLong(m)))));
        final var temporary = to.resolve(OUTCOME + ".tmp");
        try (var out = Files.newBufferedWriter(temporary)) {
            outcome.store(out, null);
        } catch (final IOException e) {
            throw new UncheckedIOException("can't write " + temporary, e);
        }
        try {
            Files.move(temporary, to.resolve(OUTCOME));
        } catch (final IOException e) {
            throw new UncheckedIOException("can't write " + to.resolve(OUTCOME), e);
        }
    }

    /**
     * What a fork left in a folder.
     *
     * @param declined why a library did not do what was asked of it: then nothing else counts
     * @param samples  where it is OK
     * @param notes    see {@link RoundResult#notes}
     * @param memory   see {@link RoundResult#memory}
     */
    record Outcome(Status status, Optional<String> declined, Optional<String> error, Optional<Samples> samples, List<String> notes, Optional<DeviceMemory> memory) {
        static Outcome failed(final String error) {
            return new Outcome(Status.FAILED, Optional.empty(), Optional.of(error), Optional.empty(), List.of(), Optional.empty());
        }

        private static Outcome declined(final String reason) {
            return new Outcome(Status.FAILED, Optional.of(reason), Optional.of(reason), Optional.empty(), List.of(), Optional.empty());
        }
    }

    /**
     * Reads what a fork has handed over; a fork that said nothing has failed.
     *
     * @param ifSilent what to say of it then
     */
    static Outcome read(final Path folder, final String ifSilent) throws IOException {
        final var file = folder.resolve(OUTCOME);
        if (!Files.exists(file)) {
            return Outcome.failed(ifSilent);
        }
        final var outcome = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            outcome.load(in);
        }
        if (outcome.getProperty(STATUS).equals(DECLINED)) {
            return Outcome.declined(outcome.getProperty(ERROR));
        }
        final var status = Status.valueOf(outcome.getProperty(STATUS));
        return new Outcome(status, Optional.empty(), Optional.ofNullable(outcome.getProperty(ERROR)),
                status == Status.OK ? Optional.of(SamplesFile.read(folder.resolve(SAMPLES))) : Optional.empty(),
                outcome.getProperty(NOTES, "").lines().toList(), memory(outcome));
    }

    private static Optional<DeviceMemory> memory(final Properties outcome) {
        return DeviceMemory.FIELDS.keySet().stream().allMatch(field -> outcome.containsKey(MEMORY + field))
                ? Optional.of(DeviceMemory.of(field -> Long.parseLong(outcome.getProperty(MEMORY + field)))) : Optional.empty();
    }
}
