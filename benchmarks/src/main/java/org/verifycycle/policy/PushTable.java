package org.verifycycle.policy;

import org.verifycycle.collective.Launch;

import java.util.Map;

/**
 * Sizes at which SGLang's push kernels give way, in bytes and inclusive, as configs/custom_all_reduce_v2.py has them (tuned on H200 and
 * B200; other GPUs get one default), clipped to the buffers as the communicator does.
 *
 * @param push        most for one-shot push
 * @param pull        most for one-shot pull
 * @param twoShot     most for two-shot pull; NCCL above
 * @param twoShotFrom least for two-shot push, which is tried first; 0 with {@code twoShotTo} 0: not used
 */
record PushTable(int push, int pull, int twoShot, int twoShotFrom, int twoShotTo) {
    /** SGLANG_CUSTOM_ALL_REDUCE_V2_MAX_SIZE_KB's default. */
    static final int BUFFER_BYTES = 16 << 20;
    private static final int HOPPER = 9;
    private static final int BLACKWELL = 10;
    private static final Map<Integer, PushTable> HOPPER_GRAPH = Map.of(2, mib(16, 128, 128), 3, mib(1.25, 1.25, 128), 4, kib(384, 128), 5, kib(192, 32), 6, kib(128, 32),
            7, kib(128, 32), 8, kib(128, 32));
    private static final Map<Integer, PushTable> HOPPER_EAGER = Map.of(2, mib(32, 128, 128), 3, mib(3, 3, 16), 4, kib(896, 32), 5, kib(384, 32), 6, kib(192, 32),
            7, kib(128, 32), 8, kib(128, 128));
    private static final Map<Integer, PushTable> BLACKWELL_GRAPH = Map.of(2, mib(8, 32, 128), 3, mib(4, 4, 128), 4, mib(1.125, 1.125, 128).withTwoShotPush(1.125, 8),
            5, mib(1.5, 1.5, 128), 6, mib(1, 1, 128), 7, mib(0.625, 0.625, 128), 8, mib(0.5, 0.5, 128));
    private static final Map<Integer, PushTable> BLACKWELL_EAGER = Map.of(2, mib(16, 128, 128), 3, mib(8, 8, 32), 4, mib(3, 3, 32).withTwoShotPush(2, 8), 5, mib(2, 2, 32),
            6, mib(1.25, 1.25, 64), 7, mib(1, 1, 64), 8, mib(0.75, 0.75, 128));
    private static final PushTable OTHER = mib(1, 1, 16);

    /** @param q with a world size of 2 to 8 */
    static PushTable of(final Question q) {
        final var eager = q.launch() != Launch.GRAPH;
        return switch (q.capability() / 10) {
            case HOPPER -> (eager ? HOPPER_EAGER : HOPPER_GRAPH).get(q.world());
            case BLACKWELL -> (eager ? BLACKWELL_EAGER : BLACKWELL_GRAPH).get(q.world());
            default -> OTHER;
        };
    }

    boolean inTwoShotPush(final int bytes) {
        return twoShotTo > 0 && twoShotFrom <= bytes && bytes <= twoShotTo;
    }

    private PushTable withTwoShotPush(final double fromMib, final double toMib) {
        return new PushTable(push, pull, twoShot, bytes(fromMib), bytes(toMib));
    }

    private static PushTable mib(final double push, final double pull, final double twoShot) {
        return new PushTable(bytes(push), bytes(pull), bytes(twoShot), 0, 0);
    }

    /** One-shot push and pull to the same KiB, two-shot pull to so many MiB. */
    private static PushTable kib(final int oneShot, final int twoShotMib) {
        return mib(oneShot / 1024.0, oneShot / 1024.0, twoShotMib);
    }

    private static int bytes(final double mib) {
        return Math.min((int) (mib * (1 << 20)), BUFFER_BYTES);
    }
}
