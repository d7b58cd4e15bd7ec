package org.verifycycle.device;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An MPS daemon of this run's own, in fresh folders of its own, so that nobody else's processes or settings are touched.
 *
 * <p>It is started, watched and ended by a small shell process that reads a pipe from this one. However this process ends,
 * even by SIGKILL, the pipe then closes and the shell tells the daemon to quit and removes the folder. It ignores Ctrl-C,
 * which a terminal sends to all processes at once.
 *
 * <p>The daemon answers "quit" before it has ended itself and its server, so the shell waits for that: killed at once it
 * would leave its server behind. One that is deaf is killed.
 */
public final class MpsDaemon implements AutoCloseable {
    static final String PIPE = "pipe";
    static final String LOG = "log";
    static final String CONTROL = "nvidia-cuda-mps-control";
    private static final String STARTED = "started";
    private static final long END_SECONDS = 15;
    private static final String GUARD = """
            trap '' INT HUP TERM
            export CUDA_MPS_PIPE_DIRECTORY="$1/pipe" CUDA_MPS_LOG_DIRECTORY="$1/log"
            if ! said=$(timeout -k 1 20 %1$s -d 2>&1); then echo "$said"; rm -rf "$1"; exit 1; fi
            echo started
            pid=$(cat "$1/pipe/%1$s.pid" 2> /dev/null)
            cat > /dev/null
            [ -n "$pid" ] || pid=$(cat "$1/pipe/%1$s.pid" 2> /dev/null)
            echo "quit -t 2" | timeout -k 1 3 %1$s > /dev/null 2>&1
            left=15
            while [ $left -gt 0 ] && grep -q '^State:.[^ZX]' "/proc/$pid/status" 2> /dev/null; do sleep 0.1; left=$((left - 1)); done
            [ $left -gt 0 ] || kill -9 "$pid" 2> /dev/null
            rm -rf "$1"
            """.formatted(CONTROL);

    private final Process guard;
    private final Path folder;

    private MpsDaemon(final Process guard, final Path folder) {
        this.guard = guard;
        this.folder = folder;
    }

    /** @throws CudaException if there is no such daemon or it does not start, with what to do */
    public static MpsDaemon start() {
        try {
            final var folder = Files.createTempDirectory("verifycycle-mps-");
            Files.createDirectory(folder.resolve(PIPE));
            Files.createDirectory(folder.resolve(LOG));
            final var guard = new ProcessBuilder("sh", "-c", GUARD, "sh", folder.toString()).redirectErrorStream(true)
                    .redirectOutput(Redirect.PIPE).start();
            final var said = guard.inputReader(StandardCharsets.UTF_8).readLine();
            if (!STARTED.equals(said)) {
                throw new CudaException("the MPS daemon that ranks on one GPU need did not start (" + (said == null ? "it said nothing" : said)
                        + "); install " + CONTROL + ", or leave --ranks-per-gpu out");
            }
            return new MpsDaemon(guard, folder);
        } catch (final IOException e) {
            throw new CudaException("the MPS daemon that ranks on one GPU need did not start (" + e.getMessage() + ")");
        }
    }

    /** Below it are its pipe and log folders. */
    public Path folder() {
        return folder;
    }

    /** Ends the daemon and removes its folder. Closing twice is allowed. */
    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                guard.destroyForcibly();
            }
        } catch (final IOException e) {
            guard.destroyForcibly();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
