package org.verifycycle.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.rank.RankProcess;
import org.verifycycle.result.RoundResult.Status;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** What really killing processes does to a run of the real program. */
@Timeout(300)
class FaultsIT {
    private static final String FORK = "org.openjdk.jmh.runner.ForkedMain";
    private static final long END_SECONDS = 5;

    @TempDir
    private Path folder;
    private Path shared;
    private Path out;

    @BeforeEach
    void folders() throws IOException {
        shared = Files.createDirectory(folder.resolve("shm"));
        out = folder.resolve("run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.verifycycle.rank.RankProcess", FORK})
    void killingARankOrTheForkFailsThatConfigurationAndTheRunGoesOn(final String victim) throws Exception {
        try (var program = start("--rounds", "1", "--collective", "faulty/slow", "--collective", "faulty/none")) {
            // Of the slow one: its cycles take long enough to be hit.
            final var slow = program.awaitDescendant(RankProcess.class.getName());
            final var target = program.awaitDescendant(victim);
            Thread.sleep(300);
            final var ranks = program.handle().descendants().toList();
            Launched.signal(target.pid(), "KILL");
            assertThat(slow).isNotNull();
            awaitEnd(ranks);
            assertThat(program.exit()).as(program.output()).isEqualTo(6);
        }
        final var run = stored();
        assertThat(run.finishedAt()).isPresent();
        assertThat(statuses(run)).contains(Status.FAILED, Status.OK);
        assertThat(run.entries().stream().flatMap(e -> e.rounds().stream()).filter(r -> r.status() == Status.FAILED)).allMatch(r -> r.error().isPresent());
        assertNothingShared();
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "INT", "TERM"})
    void endingTheLauncherEndsEverythingAndResumeFinishesTheRun(final String signal) throws Exception {
        try (var program = start("--rounds", "2", "--collective", "faulty/slow")) {
            program.awaitOutput("[1/");
            program.awaitDescendant(RankProcess.class.getName());
            final var all = new ArrayList<>(program.handle().descendants().toList());
            all.add(program.handle());
            Launched.signal(program.pid(), signal);
            awaitEnd(all);
            if (!signal.equals("KILL")) {
                assertThat(program.output()).contains("run --resume " + out + " --shm " + shared);
            }
        }
        assertNothingShared();
        final var before = stored();
        assertThat(statuses(before)).isNotEmpty().containsOnly(Status.OK);
        assertThat(before.finishedAt()).isEmpty();
        try (var again = Launched.start(folder, "run", "--resume", out.toString(), "--shm", shared.toString())) {
            assertThat(again.exit()).as(again.output()).isZero();
        }
        final var after = stored();
        assertThat(after.finishedAt()).isPresent();
        assertThat(after.entries()).allMatch(e -> e.rounds().size() == 2);
        assertThat(after.entries().stream().flatMap(e -> e.rounds().stream()).toList())
                .containsAll(before.entries().stream().flatMap(e -> e.rounds().stream()).toList());
        assertThat(jmhResults()).isEqualTo(roundsOf(after));
    }

    private int jmhResults() throws IOException {
        return new ObjectMapper().readTree(out.resolve("jmh.json").toFile()).size();
    }

    private static int roundsOf(final Run run) {
        return run.entries().stream().mapToInt(e -> e.rounds().size()).sum();
    }

    /** When that process has just been started; while its ranks start or run; while it writes the archive or the first fork starts. */
    @ParameterizedTest
    @CsvSource({"KILL, 0", "KILL, 600", "KILL, 1500", "TERM, 0", "TERM, 600", "TERM, 1500", "INT, 0", "INT, 600", "INT, 1500"})
    void endingTheLauncherWhileItMakesTheClassArchiveLeavesNothing(final String signal, final long millis) throws Exception {
        try (var program = Launched.fromTheJarAlone(folder, "run", "--collective", "host/flag-exchange", "--world", "2", "--rounds", "1", "--out", out.toString(), "--shm", shared.toString())) {
            program.awaitDescendant("-XX:ArchiveClassesAtExit");
            Thread.sleep(millis);
            // Ctrl-C reaches them all.
            Launched.signal(signal.equals("INT") ? -program.pid() : program.pid(), signal);
            awaitEnd(List.of(program.handle()));
            final var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
            while (runningWith(folder) && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            assertThat(runningWith(folder)).isFalse();
        }
        assertNothingShared();
    }

    private static boolean runningWith(final Path folder) {
        return ProcessHandle.allProcesses().anyMatch(p -> p.isAlive() && p.info().commandLine().orElse("").contains(folder.toString()));
    }

    @Test
    void aBrokenAlgorithmEndsWithExitTwoAndNoTime() throws Exception {
        try (var program = start("--rounds", "2", "--collective", "faulty/wrong-later")) {
            assertThat(program.exit()).as(program.output()).isEqualTo(2);
            assertThat(program.output()).contains("WRONG").contains("wrong result of faulty/wrong-later");
            assertThat(program.output().lines().filter(l -> l.contains("faulty/wrong-later") && l.contains("us/call"))).isEmpty();
        }
        final var wrong = stored().entries().stream().filter(e -> e.configuration().collective().backend().equals("faulty")).toList();
        assertThat(wrong).hasSize(1).allMatch(e -> e.estimate().isEmpty() && e.measured().isEmpty());
        assertThat(Files.readString(out.resolve("report.md")).lines().filter(l -> l.startsWith("| faulty/wrong-later"))).noneMatch(l -> l.matches(".*\\d (us|ms).*") || l.contains(" [") || l.matches("\\| faulty.wrong-later \\| \\d.*"));
    }

    @Test
    void aConfigurationThatWasWrongOnceShowsNoTimeLater() throws Exception {
        try (var program = start("--rounds", "3", "--collective", "faulty/wrong-once")) {
            assertThat(program.exit()).as(program.output()).isEqualTo(2);
            assertThat(program.output().lines().filter(l -> l.contains("faulty/wrong-once") && l.contains("us/call"))).isEmpty();
        }
        assertThat(Files.readString(out.resolve("jmh.json"))).doesNotContain("faulty/wrong-once");
    }

    /** A terminal's Ctrl-C reaches the launcher, the fork and the ranks at once, at whatever they are doing. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void ctrlCLeavesNothingWheneverItComes(final int tenths) throws Exception {
        try (var program = Launched.inAGroupOfItsOwn(folder, "run", "--calls", "3", "--bytes", "256", "--warmup", "20ms", "--measure", "60ms",
                "--out", out.toString(), "--shm", shared.toString(), "--rounds", "2", "--collective", "faulty/slow")) {
            program.awaitDescendant(FORK);
            // From here on the fork makes the shared file and starts the ranks.
            Thread.sleep(150L + 100L * tenths);
            final var all = new ArrayList<>(program.handle().descendants().toList());
            all.add(program.handle());
            Launched.signal(-program.pid(), "INT");
            awaitEnd(all);
        }
        assertNothingShared();
        assertThat(statuses(stored())).doesNotContain(Status.FAILED);
    }

    @Test
    void aRankThatEndsByItselfIsNamed() throws Exception {
        try (var program = start("--rounds", "1", "--collective", "faulty/dies")) {
            assertThat(program.exit()).as(program.output()).isEqualTo(6);
            assertThat(program.output()).contains("rank 1").contains("status 9");
        }
        assertNothingShared();
    }

    @Test
    void aSecondRunOnTheMachineIsRefused() throws Exception {
        try (var first = start("--rounds", "1", "--collective", "faulty/slow")) {
            first.awaitDescendant(FORK);
            try (var second = Launched.start(folder, "run", "--rounds", "1", "--out", folder.resolve("second").toString())) {
                assertThat(second.exit()).isEqualTo(5);
                assertThat(second.output()).contains("another benchmark runs on this machine").doesNotContain("\tat ");
            }
            assertThat(first.exit()).as(first.output()).isZero();
        }
        assertThat(folder.resolve("second")).doesNotExist();
    }

    private Launched start(final String... more) throws IOException {
        final var args = new ArrayList<>(List.of("run", "--calls", "3", "--bytes", "256", "--warmup", "20ms", "--measure", "60ms",
                "--out", out.toString(), "--shm", shared.toString()));
        args.addAll(Arrays.asList(more));
        return Launched.start(folder, args.toArray(String[]::new));
    }

    private Run stored() {
        return RunStore.open(out).read();
    }

    private static List<Status> statuses(final Run run) {
        return run.entries().stream().flatMap(e -> e.rounds().stream()).map(r -> r.status()).toList();
    }

    private static void awaitEnd(final List<ProcessHandle> processes) {
        processes.forEach(p -> p.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join());
    }

    private void assertNothingShared() throws IOException {
        try (var left = Files.list(shared)) {
            assertThat(left).isEmpty();
        }
    }
}
