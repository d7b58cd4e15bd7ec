package org.verifycycle.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The host: what is asked of it before and during a run. What it doesn't tell is {@link #UNKNOWN}, never a guess.
 *
 * @param host                 short host name
 * @param os                   name, version and architecture
 * @param cpu                  model name
 * @param cores                processors this JVM may use (affinity and container limits count)
 * @param memoryBytes          physical memory, or 0 where unknown
 * @param load1m               load average over a minute, when looked at
 * @param governor             CPU frequency governor of the first core
 * @param hugePages            transparent huge pages of ordinary memory, e.g. {@code madvise}
 * @param sharedHugePages      transparent huge pages of shared memory, e.g. {@code never}
 * @param virtualised          {@code yes}, {@code no} or {@link #UNKNOWN}
 */
public record Machine(String host, String os, String cpu, int cores, long memoryBytes, OptionalDouble load1m, String governor,
                      String hugePages, String sharedHugePages, String virtualised, SharedMemory sharedMemory) {
    public static final String UNKNOWN = "unknown";

    /** This machine, its shared memory folder chosen by {@link SharedMemory#choose}. */
    public static Machine detect() {
        return detect(Optional.empty());
    }

    /**
     * @param sharedMemory folder to use instead of the one that would be chosen
     * @throws IllegalArgumentException if that is not a writable folder
     */
    public static Machine detect(final Optional<Path> sharedMemory) {
        return detect(Path.of("/proc"), Path.of("/sys"), SharedMemory.choose(sharedMemory));
    }

    static Machine detect(final Path proc, final Path sys, final SharedMemory sharedMemory) {
        final var cpuinfo = text(proc.resolve("cpuinfo"));
        final var os = System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch");
        return new Machine(
                text(proc.resolve("sys/kernel/hostname")).flatMap(ProcFiles::shortHost).orElse(UNKNOWN),
                os,
                cpuinfo.flatMap(ProcFiles::cpuModel).orElse(UNKNOWN),
                Runtime.getRuntime().availableProcessors(),
                text(proc.resolve("meminfo")).map(t -> ProcFiles.memoryBytes(t).orElse(0)).orElse(0L),
                text(proc.resolve("loadavg")).map(ProcFiles::load1m).orElse(OptionalDouble.empty()),
                text(sys.resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor")).map(String::strip).filter(t -> !t.isEmpty()).orElse(UNKNOWN),
                text(sys.resolve("kernel/mm/transparent_hugepage/enabled")).flatMap(ProcFiles::bracketed).orElse(UNKNOWN),
                text(sys.resolve("kernel/mm/transparent_hugepage/shmem_enabled")).flatMap(ProcFiles::bracketed).orElse(UNKNOWN),
                cpuinfo.flatMap(ProcFiles::hypervisor).map(h -> h ? "yes" : "no").orElse(UNKNOWN),
                sharedMemory);
    }

    static Optional<String> text(final Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (final IOException | SecurityException e) {
            return Optional.empty();
        }
    }
}
