package org.verifycycle.result;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RunStoreTest {
    private static final String JMH_RESULT = "[{\"benchmark\": \"b\", \"primaryMetric\": {\"score\": %s, \"scoreError\": \"NaN\"}}]";

    @TempDir
    private Path temporary;

    @Test
    void everyRoundIsOnDiskBeforeTheNext() throws IOException {
        final var folder = temporary.resolve("a/b/run");
        final var store = RunStore.create(folder, Runs.fresh());
        assertThat(RunStore.open(folder).read()).isEqualTo(Runs.fresh());
        final var samples = Runs.noise(100, true);
        final var run = measured(store, "c01", 1, samples);
        assertThat(RunStore.open(folder).read()).isEqualTo(run);
        assertThat(store.readSamples(run.entry("c01").rounds().get(0))).isEqualTo(samples);
        assertThat(names(folder)).containsExactlyInAnyOrder("run.json", "samples");
        assertThat(names(folder.resolve("samples"))).containsExactly("c01-r1.vcs");
    }

    @Test
    void foreignFoldersAreToldFromRuns() throws IOException {
        final var file = Files.writeString(temporary.resolve("file"), "x");
        for (final var folder : new Path[]{temporary, file, temporary.resolve("none")}) {
            assertThatThrownBy(() -> RunStore.open(folder)).isInstanceOf(ResultException.class)
                    .hasMessage(folder + " is not the folder of a run (it has no run.json); name one below results/");
        }
        assertThatThrownBy(() -> RunStore.create(file.resolve("run"), Runs.fresh())).isInstanceOf(ResultException.class)
                .hasMessageContaining("can't write " + file.resolve("run/run.json"));
    }

    @Test
    void aRunIsNotOverwritten() {
        RunStore.create(temporary, Runs.fresh());
        assertThatThrownBy(() -> RunStore.create(temporary, Runs.full())).isInstanceOf(ResultException.class)
                .hasMessage(temporary + " holds a run already; finish it with --resume " + temporary + " or choose another folder with --out DIR");
        assertThat(RunStore.open(temporary).read()).isEqualTo(Runs.fresh());
    }

    @Test
    void samplesThatDontMatchTheRunAreRefused() throws IOException {
        final var store = RunStore.create(temporary, Runs.fresh());
        final var round = measured(store, "c01", 1, Runs.noise(10, false)).entry("c01").rounds().get(0);
        final var file = temporary.resolve("samples/c01-r1.vcs");
        SamplesFile.write(file, Runs.noise(9, false));
        assertThatThrownBy(() -> store.readSamples(round)).isInstanceOf(ResultException.class).hasMessage(file + " holds 9 cycles, run.json says 10");
        Files.delete(file);
        assertThatThrownBy(() -> store.readSamples(round)).isInstanceOf(ResultException.class).hasMessageContaining(file + " is missing");
    }

    @Test
    void whatWouldNotReadBackIsNotStored() {
        final var store = RunStore.create(temporary, Runs.fresh());
        final var nan = new Estimate(Double.NaN, Optional.empty(), 1, 1, 1, 1, 1, 1, 1, 0);
        assertThatThrownBy(() -> store.write(Runs.fresh().with(Runs.fresh().entry("c01").with(Optional.of(nan))))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("entries[0].estimate.medianNanos");
        assertThat(store.read()).isEqualTo(Runs.fresh());
    }

    @Test
    void aFullDiskLosesNothingFinished() throws Exception {
        try (var disk = TinyFileSystem.mount(temporary, 96)) {
            final var folder = temporary.resolve("run");
            final var store = RunStore.create(folder, Runs.fresh());
            final var before = measured(store, "c01", 1, Runs.noise(100, false));
            disk.fill();
            assertThatThrownBy(() -> measured(store, "c02", 1, Runs.noise(5_000, false))).isInstanceOf(ResultException.class)
                    .hasMessageMatching("can't write .*c02-r1.vcs \\(No space left on device\\); .* What was written before is kept.");
            assertThatThrownBy(() -> store.write(Runs.full())).isInstanceOf(ResultException.class)
                    .hasMessageMatching("can't write .*run.json \\(No space left on device\\); .* What was written before is kept.");
            assertThat(store.read()).isEqualTo(before);
            store.readSamples(before.entry("c01").rounds().get(0));
            assertThat(names(folder.resolve("samples"))).containsExactly("c01-r1.vcs");
            disk.grow(1024);
            assertThat(measured(store, "c02", 1, Runs.noise(5_000, false)).entry("c02").measured()).hasSize(1);
        }
    }

    @Test
    void aReadOnlyFolderIsReadButNotWritten() throws Exception {
        try (var disk = TinyFileSystem.mount(temporary, 96)) {
            final var folder = temporary.resolve("run");
            final var store = RunStore.create(folder, Runs.fresh());
            disk.makeReadOnly();
            assertThat(RunStore.open(folder).read()).isEqualTo(Runs.fresh());
            assertThatThrownBy(() -> store.write(Runs.full())).isInstanceOf(ResultException.class).hasMessageContaining("Read-only file system");
            assertThatThrownBy(() -> store.log("c01", 1)).isInstanceOf(ResultException.class).hasMessageContaining("Read-only file system");
            assertThatThrownBy(() -> RunStore.create(temporary.resolve("other"), Runs.fresh())).isInstanceOf(ResultException.class)
                    .hasMessageContaining("Read-only file system");
        }
    }

    @Test
    void aRunsNameIsItsTimeHostAndCommit() {
        assertThat(RunStore.newId(Runs.AT, Runs.fresh().environment())).isEqualTo("20260131T120000Z-node7-a1b2c3d-dirty");
    }

    @Test
    void jmhResultsOfAllRoundsAreOneArrayInTheOrderTheyRan() throws IOException {
        final var store = RunStore.create(temporary, Runs.fresh());
        final var run = ran(ran(ran(Runs.fresh(), "c02", 1, 0), "c01", 1, 1), "c02", 2, 2);
        store.writeJmh("c02", 2, JMH_RESULT.formatted(3.5));
        store.writeJmh("c01", 1, JMH_RESULT.formatted(2.5));
        store.writeJmh("c02", 1, JMH_RESULT.formatted(1.5));
        store.mergeJmh(run);
        assertThat(scores(store)).containsExactly(1.5, 2.5, 3.5);
        store.writeJmh("c01", 1, "[{");
        assertThatThrownBy(() -> store.mergeJmh(run)).isInstanceOf(ResultException.class).hasMessageContaining("c01-r1.json is not what JMH wrote");
        store.writeJmh("c01", 1, "{}");
        assertThatThrownBy(() -> store.mergeJmh(run)).isInstanceOf(ResultException.class).hasMessageContaining("c01-r1.json is not what JMH wrote; delete it and report again");
        assertThat(scores(store)).as("what was merged before").hasSize(3);
    }

    @Test
    void whatJmhSaidOfAnEntryThatTurnedOutWrongIsTakenOut() throws IOException {
        final var store = RunStore.create(temporary, Runs.fresh());
        final var run = ran(ran(Runs.fresh(), "c01", 1, 0), "c02", 1, 1);
        store.writeJmh("c01", 1, JMH_RESULT.formatted(1.5));
        store.writeJmh("c02", 1, JMH_RESULT.formatted(2.5));
        store.mergeJmh(run);
        store.dropJmh(run.entry("c01"));
        store.mergeJmh(run);
        assertThat(scores(store)).containsExactly(2.5);
        store.dropJmh(run.entry("c02"));
        store.mergeJmh(run);
        assertThat(scores(store)).isEmpty();
    }

    /** The A/A copy is the same configuration. */
    @Test
    void onlyRoundsWithATimeAreMerged() throws IOException {
        final var fresh = Runs.fresh();
        final var copy = new Entry("c03", fresh.entry("c01").configuration(), Entry.Purpose.BASELINE_COPY, List.of(), List.of(), Optional.empty());
        final var three = new Run(fresh.schema(), fresh.id(), fresh.startedAt(), fresh.finishedAt(), fresh.command(), fresh.workload(), fresh.plan(), fresh.environment(),
                Stream.concat(fresh.entries().stream(), Stream.of(copy)).toList(), fresh.leftOut());
        final var store = RunStore.create(temporary, three);
        List.of("c01", "c02", "c03").forEach(id -> store.writeJmh(id, 1, JMH_RESULT.formatted(id.substring(2) + ".5")));
        final var allOk = ran(ran(ran(three, "c01", 1, 0), "c02", 1, 1), "c03", 1, 2);
        store.mergeJmh(allOk);
        assertThat(scores(store)).containsExactly(1.5, 2.5, 3.5);
        store.mergeJmh(allOk.with(ended(allOk.entry("c02"), RoundResult.Status.FAILED)));
        assertThat(scores(store)).as("a round that failed").containsExactly(1.5, 3.5);
        store.mergeJmh(allOk.with(ended(allOk.entry("c03"), RoundResult.Status.WRONG)));
        assertThat(scores(store)).as("a configuration that was wrong").containsExactly(2.5);
    }

    private static Entry ended(final Entry entry, final RoundResult.Status status) {
        return new Entry(entry.id(), entry.configuration(), entry.purpose(), entry.marks(),
                List.of(new RoundResult(1, 0, status, Optional.of("why"), Runs.AT, 1, 0, Optional.empty())), Optional.empty());
    }

    @Test
    void whereJmhSaidNothingThereIsNoFileOfItAndAnEarlierOneStays() throws IOException {
        final var store = RunStore.create(temporary, Runs.fresh());
        store.mergeJmh(Runs.fresh());
        assertThat(temporary.resolve("jmh.json")).doesNotExist();
        Files.writeString(temporary.resolve("jmh.json"), JMH_RESULT.formatted(1.5));
        store.mergeJmh(Runs.fresh());
        assertThat(scores(store)).containsExactly(1.5);
    }

    private static List<Double> scores(final RunStore store) throws IOException {
        final var scores = new ArrayList<Double>();
        RunJson.mapper().readTree(Files.readAllBytes(store.folder().resolve("jmh.json"))).forEach(result -> scores.add(result.at("/primaryMetric/score").asDouble()));
        return scores;
    }

    private static Run ran(final Run run, final String entryId, final int round, final int secondsLater) {
        return run.with(run.entry(entryId).with(new RoundResult(round, 0, RoundResult.Status.OK, Optional.empty(), Runs.AT.plusSeconds(secondsLater), 1, 0, Optional.empty())));
    }

    private static Run measured(final RunStore store, final String entryId, final int round, final Samples samples) {
        final var file = store.writeSamples(entryId, round, samples);
        final var run = store.read();
        final var result = new RoundResult(round, 0, RoundResult.Status.OK, Optional.empty(), Runs.AT, 1, samples.cycles(), Optional.of(file));
        store.write(run.with(run.entry(entryId).with(result)));
        return store.read();
    }

    private static Set<String> names(final Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
        }
    }
}
