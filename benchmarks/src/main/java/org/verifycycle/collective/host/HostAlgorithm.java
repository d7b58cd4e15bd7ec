package org.verifycycle.collective.host;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.Configuration;

/** The algorithms of this backend: name, layout of their memory, and how to make one. */
enum HostAlgorithm {
    ONE_SHOT_PULL("one-shot-pull", OneShotPull::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new OneShotPull<>(rank);
        }
    },
    TWO_SHOT_PULL("two-shot-pull", TwoShotPull::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new TwoShotPull<>(rank);
        }
    },
    ONE_SHOT_LL("one-shot-ll", OneShotLl::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new OneShotLl<>(rank);
        }
    },
    TWO_SHOT_LL("two-shot-ll", TwoShotLl::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new TwoShotLl<>(rank);
        }
    },
    RING("ring", Ring::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new Ring<>(rank);
        }
    },
    FLAG_EXCHANGE("flag-exchange", FlagExchange::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new FlagExchange<>(rank);
        }
    };

    private final String id;
    private final Function<HostShape, HostRegionDescriptor> layout;

    HostAlgorithm(final String id, final Function<HostShape, HostRegionDescriptor> layout) {
        this.id = id;
        this.layout = layout;
    }

    abstract <A> AllReduce<A> bind(HostRank<A> rank);

    /** @throws IllegalArgumentException naming the known ones */
    static HostAlgorithm parse(final String text) {
        return Arrays.stream(values()).filter(a -> a.id.equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown algorithm '" + text + "' of backend " + HostBackend.NAME
                        + "; known: " + Arrays.stream(values()).map(HostAlgorithm::id).collect(Collectors.joining(", "))));
    }

    String id() {
        return id;
    }

    HostRegionDescriptor layout(final HostShape shape) {
        return layout.apply(shape);
    }

    Role role() {
        return this == FLAG_EXCHANGE ? Role.FLOOR : Role.ALL_REDUCE;
    }

    int defaultChunkBytes(final Configuration configuration) {
        return 64 << 10;
    }

    /** Whether tensors are copied into shared memory whole; LL lines are not. */
    boolean copies() {
        return this == ONE_SHOT_PULL || this == TWO_SHOT_PULL || this == RING;
    }

    /** Whether tensors pass in chunks, so that a size for them can be set. */
    boolean chunked() {
        return this != FLAG_EXCHANGE;
    }
}
