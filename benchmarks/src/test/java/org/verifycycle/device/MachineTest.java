package org.verifycycle.device;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MachineTest {
    @TempDir
    private Path folder;

    @Test
    void withoutProcEverythingIsUnknownAndNothingFails() {
        final var machine = Machine.detect(folder.resolve("proc"), folder.resolve("sys"), SharedMemory.choose(Optional.of(folder)));
        assertThat(machine.host()).isEqualTo("unknown");
        assertThat(machine.cpu()).isEqualTo("unknown");
        assertThat(machine.cores()).isPositive();
        assertThat(machine.memoryBytes()).isZero();
        assertThat(machine.load1m()).isEmpty();
        assertThat(machine.governor()).isEqualTo("unknown");
        assertThat(machine.hugePages()).isEqualTo("unknown");
        assertThat(machine.virtualised()).isEqualTo("unknown");
    }

    @Test
    void filesAreReadWhereLinuxHasThem() throws IOException {
        write("proc/cpuinfo", "model name : Some CPU\nflags : fpu\n");
        write("proc/sys/kernel/hostname", "node7.example.org\n");
        write("proc/meminfo", "MemTotal: 1024 kB\n");
        write("proc/loadavg", "1.5 1 1 1/2 3\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("sys/kernel/mm/transparent_hugepage/shmem_enabled", "always [never]\n");
        final var machine = Machine.detect(folder.resolve("proc"), folder.resolve("sys"), SharedMemory.choose(Optional.of(folder)));
        assertThat(machine.cpu()).isEqualTo("Some CPU");
        assertThat(machine.host()).isEqualTo("node7");
        assertThat(machine.memoryBytes()).isEqualTo(1 << 20);
        assertThat(machine.load1m()).hasValue(1.5);
        assertThat(machine.governor()).isEqualTo("performance");
        assertThat(machine.hugePages()).isEqualTo("madvise");
        assertThat(machine.sharedHugePages()).isEqualTo("never");
        assertThat(machine.virtualised()).isEqualTo("no");
    }

    @Test
    void thisMachineIsDetected() {
        final var machine = Machine.detect();
        assertThat(machine.sharedMemory().folder()).isDirectory();
        assertThat(machine.sharedMemory().freeBytes()).isPositive();
    }

    @Test
    void aFolderThatIsNoTmpfsIsNotTakenForSharedMemory() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "needs a file system that is no tmpfs and always there: Linux's /proc");
        final var chosen = SharedMemory.choose(Optional.empty(), Path.of("/proc/self"), folder);
        assertThat(chosen.choice()).isEqualTo(SharedMemory.Choice.TEMPORARY_FOLDER);
        assertThat(chosen.folder()).isEqualTo(folder);
        assertThat(SharedMemory.choose(Optional.empty(), folder.resolve("none"), folder).choice()).isEqualTo(SharedMemory.Choice.TEMPORARY_FOLDER);
    }

    @Test
    void aGivenFolderIsTakenOrRefused() throws IOException {
        assertThat(SharedMemory.choose(Optional.of(folder)).choice()).isEqualTo(SharedMemory.Choice.GIVEN);
        final var file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> SharedMemory.choose(Optional.of(file))).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shared memory folder " + file + " is not a writable folder; give one that is, best on a tmpfs");
    }

    private void write(final String name, final String text) throws IOException {
        final var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
