package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.assertj.core.api.SoftAssertions;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Every call of the driver fails once, on either rank: the group ends with the call, the rank and the driver's text. */
@Timeout(180)
class FakeCudaErrorsIT {
    private static final int CODE = 719;
    private static final String TEXT = "unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)";
    private static final String PULL = "ipc/one-shot-pull";
    private static final String BOARD = "ipc/host-ll";
    /** Told name, and what is shown for it. */
    private static final List<String[]> OPENING = List.of(new String[][] {
        {"cuCtxSetCurrent", "cuCtxSetCurrent"}, {"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain"}, {"cuStreamCreate", "cuStreamCreate"},
        {"cuModuleLoadData", "cuModuleLoadData of the kernels"}, {"cuModuleGetFunction", "cuModuleGetFunction of vc_"},
        {"cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuOccupancyMaxActiveBlocksPerMultiprocessor"}, {"cuMemAlloc", "cuMemAlloc of 2,048 KiB"},
        {"cuMemHostAlloc", "cuMemHostAlloc of the fault record"}, {"cuMemsetD8Async", "cuMemsetD8Async"}, {"cuStreamSynchronize", "cuStreamSynchronize"},
        {"cuIpcGetMemHandle", "cuIpcGetMemHandle"}, {"cuIpcOpenMemHandle", "cuIpcOpenMemHandle of rank "}, {"cuEventCreate", "cuEventCreate"},
        {"cuStreamBeginCapture", "cuStreamBeginCapture"}, {"cuLaunchKernelEx", "cuLaunchKernelEx of one-shot-pull (1x128)"}, {"cuStreamEndCapture", "cuStreamEndCapture"},
        {"cuGraphInstantiateWithFlags", "cuGraphInstantiate of 3 calls"}, {"cuGraphUpload", "cuGraphUpload"}, {"cuGraphDestroy", "cuGraphDestroy"},
    });
    private static final List<String[]> RUNNING = List.of(new String[][] {
        {"cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync"}, {"cuEventRecord", "cuEventRecord"}, {"cuGraphLaunch", "cuGraphLaunch"}, {"cuEventQuery", "the cycle"},
        {"cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync"}, {"cuEventElapsedTime", "cuEventElapsedTime"},
    });
    private static final List<String[]> BOARDS = List.of(new String[][] {
        {"cuMemHostRegister", "cuMemHostRegister of the board"}, {"cuMemHostGetDevicePointer", "cuMemHostGetDevicePointer of the board"},
    });

    @TempDir
    private Path folder;

    private record Trial(String collective, String call, int rank, String shown) { }

    @Test
    void everyCallThatFailsIsNamedWithItsRankAndTheDriversText() throws Exception {
        FakeCuda.assumeCompiler();
        final var trials = new ArrayList<Trial>();
        // The two ranks differ in who else waits; not every call has to be tried on both.
        add(trials, PULL, OPENING);
        // On rank 0 only: where rank 1 fails, rank 0 spins in the fake's kernel, which has no deadline, until the watchdog ends its process.
        RUNNING.forEach(call -> trials.add(new Trial(PULL, call[0], 0, call[1])));
        add(trials, BOARD, BOARDS);
        final var lines = outcomes(trials);
        final var softly = new SoftAssertions();
        for (int i = 0; i < trials.size(); i++) {
            final var t = trials.get(i);
            softly.assertThat(lines.get(i)).contains(t.shown, "on rank " + t.rank + " (GPU " + t.rank + "): " + TEXT).doesNotContain("LEFT");
        }
        softly.assertAll();
    }

    /** What can't be given back is no reason to hang or to leave a process; rank 0 tells of its own. */
    @Test
    void aCallThatFailsWhileClosingLeavesNoProcess() throws Exception {
        FakeCuda.assumeCompiler();
        final var trials = new ArrayList<Trial>();
        for (final var call : List.of("cuGraphExecDestroy", "cuEventDestroy", "cuIpcCloseMemHandle", "cuMemFree", "cuMemFreeHost", "cuModuleUnload", "cuStreamDestroy", "cuDevicePrimaryCtxRelease")) {
            trials.add(new Trial(PULL, call, 0, call));
        }
        trials.add(new Trial(BOARD, "cuMemHostUnregister", 0, "cuMemHostUnregister of the board"));
        final var lines = outcomes(trials);
        final var softly = new SoftAssertions();
        for (int i = 0; i < trials.size(); i++) {
            final var t = trials.get(i);
            softly.assertThat(lines.get(i)).contains(t.shown, "on rank 0", TEXT).doesNotContain("LEFT");
        }
        softly.assertAll();
    }

    private static void add(final List<Trial> trials, final String collective, final List<String[]> calls) {
        for (final var call : calls) {
            trials.add(new Trial(collective, call[0], trials.size() % 2, call[1]));
        }
    }

    /** One line each, and a last group that is fine: nothing of the failed ones is in its way. */
    private List<String> outcomes(final List<Trial> trials) throws Exception {
        final var cuda = new FakeCuda(folder);
        final var args = new ArrayList<>(List.of(cuda.calls().resolve("fail").toString(), cuda.temporary().toString()));
        trials.forEach(t -> args.addAll(List.of(t.collective, t.call + "=" + CODE + "@" + t.rank)));
        args.addAll(List.of(PULL, "nothing"));
        final var ended = cuda.end(cuda.start(Map.of("FAKE_CUDA_FAIL", "file"), FakeGroups.class.getName(), args));
        assertThat(ended.exit()).as(ended.output()).isZero();
        final var lines = ended.output().lines().filter(l -> l.startsWith("> ")).toList();
        assertThat(lines).as(ended.output()).hasSize(trials.size() + 1);
        assertThat(lines.get(trials.size())).endsWith(": " + FakeGroups.FINE);
        return lines;
    }
}
