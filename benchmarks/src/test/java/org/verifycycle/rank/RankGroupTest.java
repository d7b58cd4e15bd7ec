package org.verifycycle.rank;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.RankAbortedException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real child processes; the shared folder is a plain temporary one, so that what is left in it can be seen. */
@Timeout(60)
class RankGroupTest {
    @TempDir
    private Path shared;

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void everyRankRunsEveryCycleThatRankZeroPublishes(final int world) {
        try (var group = open("none", world)) {
            group.check(2);
            group.check(3);
            for (int i = 0; i < 100; i++) {
                group.cycle();
            }
            final var harvest = group.harvest();
            assertThat(harvest.groupNanos()).hasSize(100).doesNotContain(0);
            assertThat(harvest.skewNanos()).hasSize(100);
            assertThat(harvest.deviceNanos()).isEmpty();
            assertThat(group.harvest().groupNanos()).isEmpty();
            group.check(5);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void inEveryCycleSomeRankIsLateAndThatIsSkewAndNoGroupTime(final int world) {
        final var late = 3_000_000;
        final var configuration = new Configuration(CollectiveSpec.parse("faulty/none"), world, 240, Dtype.FP32, Launch.EAGER, 5, late);
        try (var group = new RankGroup(configuration, shared, Optional.empty())) {
            group.check(2);
            cycles(group, 30);
            final var harvest = group.harvest();
            // What a rank is late starts with its own first time stamp, which may itself be before or behind the others'.
            assertThat(LongStream.of(harvest.skewNanos()).sorted().toArray()[15]).as("median skew").isGreaterThan(late / 2);
            assertThat(LongStream.of(harvest.groupNanos()).min().orElseThrow()).as("least group time").isLessThan(late);
            group.check(3);
        }
    }

    @Test
    void nothingIsLeftInTheSharedFolderWhileRunningAndAfter() throws IOException {
        try (var group = open("none", 2)) {
            assertThat(entries(shared)).isEmpty();
            group.cycle();
        }
        assertThat(entries(shared)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"wrong-sum,element 59", "no-op,NaN", "stale-input,buffer pair 1", "rank-differs,rank 1"})
    void aWrongAlgorithmIsCaughtByTheCheck(final String algorithm, final String told) {
        try (var group = open(algorithm, 2)) {
            assertThatThrownBy(() -> group.check(2)).isInstanceOf(WrongResultException.class).hasMessageContaining("wrong result of faulty/" + algorithm)
                    .hasMessageContaining(told);
        }
    }

    @Test
    void cyclesThatDoNothingWhileTheyAreTimedAreCaughtByWhatTheyLeave() {
        try (var group = open("lazy", 2)) {
            group.check(2);
            group.check(3);
            group.checkLeft();
            cycles(group, 10);
            assertThatThrownBy(group::checkLeft).isInstanceOf(WrongResultException.class).hasMessageContaining("on rank 0: after the timed cycles element 0 of buffer pair 0 is NaN");
        }
    }

    @Test
    void cyclesThatDidSomethingOnlyBeforeTheTimedOnesAreCaughtToo() {
        try (var group = open("lazy-later", 2)) {
            group.check(2);
            cycles(group, 5);
            group.poison();
            cycles(group, 10);
            assertThatThrownBy(group::checkLeft).isInstanceOf(WrongResultException.class).hasMessageContaining("buffer pair 0 is NaN");
        }
    }

    @Test
    void aFailureOfRankZeroEndsTheOthersAtOnceAndStaysTheReason() {
        final var group = open("rank-0-throws", 2);
        final var children = ProcessHandle.current().children().filter(p -> p.info().commandLine().orElse("").contains(RankProcess.class.getName())).toList();
        assertThatThrownBy(() -> cycles(group, 100)).isInstanceOf(IllegalStateException.class).hasMessage("rank 0's device failed");
        group.close();
        children.forEach(child -> child.onExit().orTimeout(5, java.util.concurrent.TimeUnit.SECONDS).join());
    }

    @Test
    void whatRightCyclesLeaveIsRightAndCanBeCheckedAgain() {
        try (var group = open("none", 3)) {
            group.check(2);
            cycles(group, 10);
            group.checkLeft();
            group.check(3);
            cycles(group, 1);
            group.checkLeft();
        }
    }

    @Test
    void callsThatTheDeviceDidNotCountAreAWrongResult() {
        try (var group = open("loses-calls", 2)) {
            group.check(2);
            cycles(group, 1);
            assertThatThrownBy(group::checkLeft).isInstanceOf(WrongResultException.class).hasMessageContaining("after the timed cycles the device has counted 5 calls of 10");
        }
    }

    @Test
    void aRankThatDiesWhileItGivesBackWhatItHeldEndsTheGroupAndIsNamed() {
        final var group = open("dies-at-close", 2);
        group.cycle();
        assertThatThrownBy(group::close).isInstanceOf(RankAbortedException.class).hasMessageContaining("rank 1").hasMessageContaining("status 11");
    }

    @Test
    void aRankThatDiesEndsTheGroupAndIsNamed() {
        try (var group = open("dies", 2)) {
            assertThatThrownBy(() -> cycles(group, 1_000)).isInstanceOf(RankAbortedException.class).hasMessageContaining("rank 1").hasMessageContaining("status 9");
        }
    }

    @Test
    void aRankThatIsKilledEndsTheGroupAndIsNamed() {
        try (var group = open("slow", 2)) {
            group.cycle();
            final var child = ProcessHandle.current().children().filter(p -> p.info().commandLine().orElse("").contains(RankProcess.class.getName())).findFirst().orElseThrow();
            child.destroyForcibly();
            assertThatThrownBy(() -> cycles(group, 1_000)).isInstanceOf(RankAbortedException.class).hasMessageContaining("killed by signal 9");
        }
    }

    @Test
    void aRankThatCannotOpenTheCollectiveIsNamedWithItsReason() {
        assertThatThrownBy(() -> open("throws-at-open", 3)).isInstanceOf(RankGroupException.class).hasMessageContaining("rank 1 was told to fail at open");
    }

    @Test
    void anErrorInARankEndsTheGroupAndIsNamed() {
        try (var group = open("throws-an-error", 2)) {
            assertThatThrownBy(() -> cycles(group, 1_000)).isInstanceOf(RankAbortedException.class).hasMessageContaining("rank 1 was told to throw an error");
        }
    }

    @Test
    void aFileThatCannotBeSweptIsLeftAlone() throws IOException {
        final var dead = LongStream.range(4_000_000, 4_100_000).filter(pid -> ProcessHandle.of(pid).isEmpty()).findFirst().orElseThrow();
        final var namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
        final var stubborn = Files.createDirectory(shared.resolve("verifycycle-" + dead + "-" + namespace + "-2f.shm"));
        Files.createFile(stubborn.resolve("inside"));
        SharedFiles.sweep(shared);
        assertThat(entries(shared)).containsExactly(stubborn);
    }

    @Test
    void noProcessOutlivesItsGroup() throws InterruptedException {
        final List<ProcessHandle> children;
        try (var group = open("none", 4)) {
            children = ProcessHandle.current().children().toList();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3);
            group.cycle();
        }
        for (final var child : children) {
            child.onExit().orTimeout(5, java.util.concurrent.TimeUnit.SECONDS).join();
        }
    }

    @Test
    void aFolderWithoutRoomIsRefusedWithWhatIsNeeded() {
        assertThatThrownBy(() -> SharedFile.create(shared, Long.MAX_VALUE / 2)).isInstanceOf(RankGroupException.class)
                .hasMessageContaining("no space in shared memory").hasMessageContaining("--shm DIR");
    }

    @Test
    void filesOfDeadMakersAreSweptAndOthersKept() throws IOException {
        final var dead = LongStream.range(4_000_000, 4_100_000).filter(pid -> ProcessHandle.of(pid).isEmpty()).findFirst().orElseThrow();
        final var namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
        Files.createFile(shared.resolve("verifycycle-" + dead + "-" + namespace + "-1f.shm"));
        final var own = Files.createFile(shared.resolve("verifycycle-" + ProcessHandle.current().pid() + "-" + namespace + "-1f.shm"));
        final var otherContainers = Files.createFile(shared.resolve("verifycycle-" + dead + "-1" + namespace + "-1f.shm"));
        final var foreign = Files.createFile(shared.resolve("verifycycle-notes.shm"));
        SharedFiles.sweep(shared);
        assertThat(entries(shared)).containsExactlyInAnyOrder(own, otherContainers, foreign);
    }

    @Test
    void theSharedFileIsForItsOwnerOnly() throws IOException {
        try (var file = SharedFile.create(shared, 4096)) {
            assertThat(Files.getPosixFilePermissions(file.path())).containsExactlyInAnyOrderElementsOf(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        }
    }

    private RankGroup open(final String algorithm, final int world) {
        return new RankGroup(new Configuration(CollectiveSpec.parse("faulty/" + algorithm), world, 240, Dtype.FP32, Launch.EAGER, 5), shared, Optional.empty());
    }

    private static void cycles(final RankGroup group, final int count) {
        for (int i = 0; i < count; i++) {
            group.cycle();
        }
    }

    private static List<Path> entries(final Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }
}
