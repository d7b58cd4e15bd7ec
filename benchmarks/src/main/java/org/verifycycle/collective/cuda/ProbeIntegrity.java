package org.verifycycle.collective.cuda;

import org.verifycycle.device.FabricFindings;

import java.util.List;
import java.util.Optional;

/** Whether what one GPU stores into another's memory arrives, whole and unchanged, by stores of 4, 8 and 16 bytes and by replayed graphs. */
final class ProbeIntegrity {
    private static final String WRITE = "vc_probe_write";
    private static final String CHECK = "vc_probe_check";
    private static final int DATA_BYTES = 64 << 10;
    private static final int CALLS = 4;
    private static final int REPLAYS = 3;
    private static final int TEAR_ROUNDS = 4000;
    private static final int PACK_BYTES = 16;
    private static final Geometry BLOCK = new Geometry(1, 256);
    private static final Geometry TEAR_BLOCK = new Geometry(1, 128);

    /** @param problem if something did not end or did not run; the counts are then of what had */
    record Checked(Optional<String> problem, long wrong4, long wrong8, long wrong16, long wrongReplayed, long torn8, long torn16) { }

    Checked of(final ProbeGpu from, final ProbeGpu to) {
        final var wrong = new long[4];
        final var widths = new int[] {4, 8, 16};
        for (int i = 0; i < widths.length; i++) {
            clear(from, to, 0);
            for (int call = 0; call < CALLS; call++) {
                to.launch(CHECK, BLOCK, parameters(to, from, 0, widths[i]));
                from.launch(WRITE, BLOCK, parameters(from, to, 0, widths[i]));
            }
            wrong[i] = wrong(from, to, CALLS);
            if (wrong[i] < 0) {
                return failed("stores of " + widths[i] + " bytes", wrong);
            }
        }
        wrong[3] = replayed(from, to);
        if (wrong[3] < 0) {
            return failed("a replayed graph", wrong);
        }
        final var torn8 = torn(from, to, Long.BYTES);
        final var torn16 = torn(from, to, PACK_BYTES);
        return torn8 < 0 || torn16 < 0 ? failed("stores to one place, over and over,", wrong) : new Checked(Optional.empty(), wrong[0], wrong[1], wrong[2], wrong[3], torn8, torn16);
    }

    private static Checked failed(final String what, final long[] wrong) {
        return new Checked(Optional.of(FabricFindings.NO_ANSWER + ": " + what + " did not come"), Math.max(0, wrong[0]), Math.max(0, wrong[1]), Math.max(0, wrong[2]), Math.max(0, wrong[3]), 0, 0);
    }

    private static long replayed(final ProbeGpu from, final ProbeGpu to) {
        clear(from, to, 0);
        final var checks = to.capture(CHECK, BLOCK, parameters(to, from, 0, PACK_BYTES), CALLS);
        final var writes = from.capture(WRITE, BLOCK, parameters(from, to, 0, PACK_BYTES), CALLS);
        for (int i = 0; i < REPLAYS; i++) {
            to.replay(checks);
            from.replay(writes);
        }
        return wrong(from, to, CALLS * REPLAYS);
    }

    /** @return words that were not as sent; negative if not all calls were checked */
    private static long wrong(final ProbeGpu from, final ProbeGpu to, final int calls) {
        await(from, to);
        return from.result().ok() && to.result().ok() && to.result().calls() == calls ? to.result().wrong() : -1;
    }

    /** @return loads that saw parts of two stores; negative if the last store did not come */
    private static long torn(final ProbeGpu from, final ProbeGpu to, final int width) {
        clear(from, to, (long) TEAR_BLOCK.threads() * PACK_BYTES);
        to.launch("vc_probe_tear_read", TEAR_BLOCK, parameters(to, from, TEAR_ROUNDS, width));
        from.launch("vc_probe_tear_write", TEAR_BLOCK, parameters(from, to, TEAR_ROUNDS, width));
        await(from, to);
        return from.result().ok() && to.result().ok() && to.result().calls() == 1 ? to.result().torn() : -1;
    }

    private static void clear(final ProbeGpu from, final ProbeGpu to, final long dataBytes) {
        from.clear(dataBytes);
        to.clear(dataBytes);
    }

    private static void await(final ProbeGpu from, final ProbeGpu to) {
        from.await(FabricProbe.PATIENCE_NANOS);
        to.await(FabricProbe.PATIENCE_NANOS);
    }

    private static ProbeParameters parameters(final ProbeGpu own, final ProbeGpu peer, final int rounds, final int width) {
        return new ProbeParameters(own.address(), own.resultAddress(), 0, DATA_BYTES, rounds, width, false, List.of(peer.address()));
    }
}
