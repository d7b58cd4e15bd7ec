package org.verifycycle.bench;

import org.openjdk.jmh.Main;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The classes of forks and ranks as the JVM lays them out in memory (a dynamic class data sharing archive, JEP 350), made once a
 * run: a JVM that maps it starts a quarter of a second sooner, and a round starts two of them.
 *
 * <p>A JVM that can't use it, since it is of another build or has other jars, goes on without.
 */
final class ClassArchive {
    private static final String FILE = "ranks.jsa";
    private static final long SECONDS = 30;
    /** What a fork and its rank do, once, in one JVM: their classes are the ones that a round needs. */
    private static final List<String> REHEARSAL = List.of("^" + VerifyCycleBenchmark.class.getName() + "\\.cycle$", "-p", "collective=host/one-shot-pull", "-p", "world=2", "-f", "0",
            "-wi", "1", "-w", "10ms", "-i", "1", "-r", "10ms");

    private ClassArchive() {
    }

    /**
     * Options for JVMs that are to use it; none where it can't be made: only classes in jars can be archived, and a JVM may come
     * without the archive of its own that this one stands on.
     *
     * @param folder       where it goes
     * @param sharedFolder memory-backed folder for what the ranks of the rehearsal share
     * @param jvmOptions   of the forks: the collector decides how an archive is laid out
     */
    static List<String> make(final Path folder, final Path sharedFolder, final List<String> jvmOptions) {
        final var classPath = System.getProperty("java.class.path");
        if (!classPath.endsWith(".jar") || classPath.contains(File.pathSeparator)) {
            return List.of();
        }
        final var archive = folder.resolve(FILE);
        final var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(jvmOptions);
        // Its ranks end with this process, as those of a fork do.
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Djmh.ignoreLock=true", "-D" + Handover.LAUNCHER_PROPERTY + "=" + ProcessHandle.current().pid(),
                "-D" + Handover.SHARED_PROPERTY + "=" + sharedFolder, "-cp", classPath, Main.class.getName()));
        command.addAll(REHEARSAL);
        return succeeded(command) && Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    }

    /** In time. */
    private static boolean succeeded(final List<String> command) {
        Optional<Process> process = Optional.empty();
        try {
            process = Optional.of(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start());
            return process.get().waitFor(SECONDS, TimeUnit.SECONDS) && process.get().exitValue() == 0;
        } catch (final IOException e) {
            return false;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.ifPresent(Process::destroyForcibly);
        }
    }
}
