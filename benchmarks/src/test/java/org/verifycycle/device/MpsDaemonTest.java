package org.verifycycle.device;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/** A script in the place of the daemon's control program; the launcher is a process that can be killed. */
@Timeout(60)
class MpsDaemonTest {
    private static final long PATIENCE_MILLIS = 20_000;
    /** Started: notes its folders, leaves a process as its pid file says. Told to quit: ends that, unless it is to be deaf. */
    private static final String CONTROL = """
            #!/bin/sh
            if [ "$1" = -d ]; then
              if [ -e "$NOTES/refuse" ]; then echo "An instance of this daemon is already running"; exit 1; fi
              echo "start $CUDA_MPS_PIPE_DIRECTORY $CUDA_MPS_LOG_DIRECTORY" >> "$NOTES/notes"
              sleep 300 > /dev/null 2>&1 < /dev/null &
              echo $! > "$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid"
              cp "$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid" "$NOTES/pid"
              exit 0
            fi
            read said
            echo "$said" >> "$NOTES/notes"
            [ ! -e "$NOTES/deaf" ] || exit 0
            daemon=$(cat "$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid")
            if [ -e "$NOTES/slow" ]; then (sleep 1; echo ended >> "$NOTES/notes"; kill "$daemon") > /dev/null 2>&1 & else kill "$daemon"; fi
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void control() throws IOException {
        final var script = Files.writeString(folder.resolve("nvidia-cuda-mps-control"), CONTROL);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectory(folder.resolve("tmp"));
    }

    /** The launcher: starts a daemon, says where, closes it when its input ends. */
    static final class Launcher {
        private Launcher() {
        }

        public static void main(final String[] args) throws IOException {
            try (var daemon = MpsDaemon.start()) {
                System.out.println(daemon.folder());
                System.in.read();
            } catch (final CudaException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void itRunsInFoldersOfItsOwnAndEndsWithTheRun() throws Exception {
        final var launcher = launch();
        final var own = Path.of(firstLine(launcher));
        assertThat(own).isDirectory().hasParent(folder.resolve("tmp"));
        assertThat(Files.getPosixFilePermissions(own)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(notes()).isEqualTo("start " + own.resolve("pipe") + " " + own.resolve("log") + "\n");
        assertThat(alive()).isTrue();
        launcher.getOutputStream().close();
        assertThat(launcher.waitFor()).isZero();
        assertThat(notes()).endsWith("quit -t 2\n");
        assertEnded(own);
    }

    @Test
    void itEndsThoughTheLauncherIsKilled() throws Exception {
        final var launcher = launch();
        final var own = Path.of(firstLine(launcher));
        launcher.destroyForcibly().waitFor();
        assertEnded(own);
        assertThat(notes()).endsWith("quit -t 2\n");
    }

    @Test
    void aDaemonThatDoesNotListenIsKilled() throws Exception {
        Files.createFile(folder.resolve("deaf"));
        final var launcher = launch();
        final var own = Path.of(firstLine(launcher));
        launcher.getOutputStream().close();
        assertThat(launcher.waitFor()).isZero();
        assertEnded(own);
    }

    @Test
    void theRunEndsOnlyWhenTheDaemonHasByItself() throws Exception {
        Files.createFile(folder.resolve("slow"));
        final var launcher = launch();
        final var own = Path.of(firstLine(launcher));
        launcher.getOutputStream().close();
        assertThat(launcher.waitFor()).isZero();
        assertThat(notes()).endsWith("quit -t 2\nended\n");
        assertEnded(own);
    }

    @Test
    void aDaemonThatDoesNotStartIsAReasonAndLeavesNothing() throws Exception {
        Files.createFile(folder.resolve("refuse"));
        final var launcher = launch();
        assertThat(firstLine(launcher)).contains("did not start (An instance of this daemon is already running)", "leave --ranks-per-gpu out");
        assertThat(launcher.waitFor()).isZero();
        await(() -> folder.resolve("tmp").toFile().list().length == 0, "an empty temporary folder");
    }

    @Test
    void withoutTheProgramThereIsAReason() throws Exception {
        Files.delete(folder.resolve("nvidia-cuda-mps-control"));
        assertThat(firstLine(launch())).contains("did not start (", "No such file", "install nvidia-cuda-mps-control");
    }

    private Process launch() throws IOException {
        final var builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"), Launcher.class.getName()).redirectErrorStream(true);
        builder.environment().put("PATH", folder + ":/usr/bin:/bin");
        builder.environment().put("NOTES", folder.toString());
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private static String firstLine(final Process process) throws IOException {
        return new BufferedReader(process.inputReader()).readLine();
    }

    private String notes() throws IOException {
        return Files.readString(folder.resolve("notes"));
    }

    private boolean alive() throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(folder.resolve("pid")).strip())).filter(ProcessHandle::isAlive).isPresent();
    }

    private void assertEnded(final Path own) throws Exception {
        await(() -> !Files.exists(own), "no folder " + own);
        await(() -> {
            try {
                return !alive();
            } catch (final IOException e) {
                return false;
            }
        }, "no daemon");
    }

    private static void await(final BooleanSupplier condition, final String what) throws InterruptedException {
        final var deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!condition.getAsBoolean()) {
            assertThat(System.currentTimeMillis()).as(what).isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}
