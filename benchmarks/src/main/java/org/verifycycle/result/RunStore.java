package org.verifycycle.result;

import com.fasterxml.jackson.databind.node.ArrayNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * A run's folder. What a round gave is written when it ends, to a temporary name and renamed, so that a killed run keeps what it
 * had. The layout is described in results/README.md.
 */
public final class RunStore {
    private static final String RUN = "run.json";
    private static final String SAMPLES = "samples";
    private static final String JMH = "jmh";
    private static final String JMH_MERGED = "jmh.json";
    private static final String LOGS = "logs";
    private static final DateTimeFormatter ID_TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;

    private RunStore(final Path folder) {
        this.folder = folder;
    }

    /** Name of a new run's folder: {@code <UTC time>-<host>-<commit>}. */
    public static String newId(final Instant startedAt, final Environment environment) {
        return ID_TIME.format(startedAt) + "-" + environment.host() + "-" + environment.commit().replaceAll("[^0-9A-Za-z]+", "-");
    }

    /** Makes the folder of a new run. @throws ResultException if a run is there already, or it can't be written */
    public static RunStore create(final Path folder, final Run run) {
        if (Files.exists(folder.resolve(RUN))) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, folder + " holds a run already; finish it with --resume " + folder
                    + " or choose another folder with --out DIR");
        }
        final var store = new RunStore(folder);
        store.write(run);
        return store;
    }

    /** Opens the folder of an earlier run. @throws ResultException if it is none */
    public static RunStore open(final Path folder) {
        if (!Files.isRegularFile(folder.resolve(RUN))) {
            throw new ResultException(ResultException.Kind.UNREADABLE, folder + " is not the folder of a run (it has no " + RUN
                    + "); name one below results/");
        }
        return new RunStore(folder);
    }

    public Path folder() {
        return folder;
    }

    /** @throws ResultException by file and field, if it is not understood */
    public Run read() {
        final var file = folder.resolve(RUN);
        try {
            return RunJson.read(Files.readAllBytes(file), file.toString());
        } catch (final NoSuchFileException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, file + " is missing", e);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, file + " can't be read: " + IoReason.of(e), e);
        }
    }

    public void write(final Run run) {
        AtomicFiles.write(folder.resolve(RUN), RunJson.write(run));
    }

    /** Stores a round's samples. @return their path below the folder, for {@link RoundResult#samplesFile} */
    public String writeSamples(final String entryId, final int round, final Samples samples) {
        final var path = samplesPath(entryId, round);
        SamplesFile.write(folder.resolve(path), samples);
        return path;
    }

    static String samplesPath(final String entryId, final int round) {
        return SAMPLES + "/" + entryId + "-r" + round + ".vcs";
    }

    /** @throws ResultException if the file is missing, damaged, or holds another number of cycles than the run says */
    public Samples readSamples(final RoundResult round) {
        final var file = folder.resolve(round.samplesFile().orElseThrow()).normalize();
        if (!file.startsWith(folder.normalize())) {
            throw new ResultException(ResultException.Kind.UNREADABLE, folder.resolve(RUN) + ": samplesFile '" + file + "' lies outside the run");
        }
        final var samples = SamplesFile.read(file);
        if (samples.cycles() != round.cycles()) {
            throw new ResultException(ResultException.Kind.UNREADABLE, file + " holds " + samples.cycles() + " cycles, " + RUN + " says " + round.cycles());
        }
        return samples;
    }

    /** Keeps what JMH itself said of a round, for {@link #mergeJmh}. @param json an array, as JMH writes it */
    public void writeJmh(final String entryId, final int round, final String json) {
        AtomicFiles.write(jmhPart(entryId, round), json.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes back what JMH said of an entry's rounds: a wrong result has no time anywhere. */
    public void dropJmh(final Entry entry) {
        for (final var round : entry.rounds()) {
            final var part = jmhPart(entry.id(), round.round());
            try {
                Files.deleteIfExists(part);
            } catch (final IOException e) {
                throw new ResultException(ResultException.Kind.UNWRITABLE, "can't delete " + part + ": " + IoReason.of(e), e);
            }
        }
    }

    /**
     * Makes {@code jmh.json}, which JMH viewers read, of what there is of the run's rounds that have a time, in the order they ran. Once,
     * not after every round: rewriting what has grown would take longer than a round before a run has a few thousand of them. Where
     * rounds have no files of their own, as those of published runs, what is there stays.
     *
     * @throws ResultException if a round's file is damaged, or the folder can't be written
     */
    public void mergeJmh(final Run run) {
        if (!Files.isDirectory(folder.resolve(JMH))) {
            return;
        }
        final var parts = run.entries().stream().filter(entry -> !run.wrong(entry.configuration()))
                .flatMap(entry -> entry.rounds().stream().filter(round -> round.status() == RoundResult.Status.OK).map(round -> Map.entry(round.startedAt(), jmhPart(entry.id(), round.round()))))
                .sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue).filter(Files::exists).toList();
        final var all = new ByteArrayOutputStream();
        try (var merged = RunJson.mapper().writer().writeValuesAsArray(all)) {
            for (final var part : parts) {
                merged.writeAll(jmhResults(part));
            }
        } catch (final IOException e) {
            throw new IllegalStateException("JSON that was read can be written", e);
        }
        AtomicFiles.write(folder.resolve(JMH_MERGED), all.toByteArray());
    }

    private static ArrayNode jmhResults(final Path part) {
        try {
            if (RunJson.mapper().readTree(Files.readAllBytes(part)) instanceof ArrayNode results) {
                return results;
            }
        } catch (final IOException e) {
            throw damaged(part, e);
        }
        throw damaged(part, null);
    }

    private static ResultException damaged(final Path part, final IOException cause) {
        return new ResultException(ResultException.Kind.UNREADABLE, part + " is not what JMH wrote; delete it and report again", cause);
    }

    private Path jmhPart(final String entryId, final int round) {
        return folder.resolve(JMH).resolve(entryId + "-r" + round + ".json");
    }

    /** Where what a round printed is kept. */
    public Path log(final String entryId, final int round) {
        final var logs = folder.resolve(LOGS);
        try {
            Files.createDirectories(logs);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNWRITABLE, "can't make " + logs + ": " + IoReason.of(e), e);
        }
        return logs.resolve(entryId + "-r" + round + ".log");
    }
}
