package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.Dtype;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The algorithms of this backend: the kernels in {@code native/}, by the names that users give. */
enum IpcAlgorithm {
    ONE_SHOT_PULL("one-shot-pull", "one_shot_pull", Role.ALL_REDUCE),
    TWO_SHOT_PULL("two-shot-pull", "two_shot_pull", Role.ALL_REDUCE),
    ONE_SHOT_LL("one-shot-ll", "one_shot_ll", Role.ALL_REDUCE),
    TWO_SHOT_LL("two-shot-ll", "two_shot_ll", Role.ALL_REDUCE),
    ONE_SHOT_SENTINEL("one-shot-sentinel", "one_shot_sentinel", Role.ALL_REDUCE),
    TWO_SHOT_SENTINEL("two-shot-sentinel", "two_shot_sentinel", Role.ALL_REDUCE),
    HOST_LL("host-ll", "host_ll", Role.ALL_REDUCE),
    HOST_SENTINEL("host-sentinel", "host_sentinel", Role.ALL_REDUCE),
    FLAG_EXCHANGE("flag-exchange", "floor_flag", Role.FLOOR),
    EXCHANGE_ONLY("exchange-only", "floor_exchange", Role.FLOOR),
    COPY_ONLY("copy-only", "floor_copy", Role.FLOOR),
    EMPTY("empty", "floor_empty", Role.FLOOR);

    private final String id;
    private final String stem;
    private final Role role;

    IpcAlgorithm(final String id, final String stem, final Role role) {
        this.id = id;
        this.stem = stem;
        this.role = role;
    }

    /** @throws IllegalArgumentException naming the known ones */
    static IpcAlgorithm parse(final String text) {
        return Arrays.stream(values()).filter(a -> a.id.equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown algorithm '" + text + "' of backend " + IpcBackend.NAME
                        + "; known: " + Arrays.stream(values()).map(IpcAlgorithm::id).collect(Collectors.joining(", "))));
    }

    String id() {
        return id;
    }

    Role role() {
        return role;
    }

    /** Name of the entry point, as {@code kernels.cu} makes it. */
    String kernel(final Dtype dtype, final int world) {
        return switch (this) {
            case COPY_ONLY, EMPTY -> "vc_" + stem;
            case FLAG_EXCHANGE, EXCHANGE_ONLY -> "vc_" + stem + "_w" + world;
            default -> "vc_" + stem + "_" + dtype.id() + "_w" + world;
        };
    }

    /** Reads the peers' inputs, so these are exported; needs a flag for every block. */
    boolean pulls() {
        return this == ONE_SHOT_PULL || this == TWO_SHOT_PULL;
    }

    /** Whether what ranks wait for is flags, a thread of a block for each peer. */
    boolean sendsFlags() {
        return pulls() || this == FLAG_EXCHANGE;
    }

    boolean twoShot() {
        return this == TWO_SHOT_PULL || this == TWO_SHOT_LL || this == TWO_SHOT_SENTINEL;
    }

    /** Whether its ranks touch each other's memory. */
    boolean needsPeerAccess() {
        return !throughHost() && this != COPY_ONLY && this != EMPTY;
    }

    /** Whether what the ranks exchange lies on a board in pinned host memory. */
    boolean throughHost() {
        return this == HOST_LL || this == HOST_SENTINEL;
    }

    /** Whether ranks wait for one another, so that all blocks must be resident together. */
    boolean waits() {
        return this != COPY_ONLY && this != EMPTY;
    }
}
