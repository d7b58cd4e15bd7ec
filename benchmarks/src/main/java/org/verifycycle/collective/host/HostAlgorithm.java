package org.verifycycle.collective.host;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.Configuration;

/** The algorithms of this backend: name, layout of their memory, and how to make one. */
enum HostAlgorithm {
    ONE_SHOT_PULL("one-shot-pull", Travels.WHOLE, OneShotPull::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new OneShotPull<>(rank);
        }
    },
    TWO_SHOT_PULL("two-shot-pull", Travels.WHOLE, TwoShotPull::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new TwoShotPull<>(rank);
        }
    },
    ONE_SHOT_LL("one-shot-ll", Travels.LINES, OneShotLl::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new OneShotLl<>(rank);
        }
    },
    TWO_SHOT_LL("two-shot-ll", Travels.LINES, TwoShotLl::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new TwoShotLl<>(rank);
        }
    },
    RING("ring", Travels.WHOLE, Ring::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new Ring<>(rank);
        }
    },
    FLAG_EXCHANGE("flag-exchange", Travels.NOTHING, FlagExchange::layout) {
        @Override
        <A> AllReduce<A> bind(final HostRank<A> rank) {
            return new FlagExchange<>(rank);
        }
    };

    /** How tensors get into shared memory. */
    enum Travels {
        /** By copies of whole chunks, which {@code copy=} leaves to libc or the JVM. */
        WHOLE,
        /** In lines of data and flags, stored one by one. */
        LINES,
        /** No tensor does: a floor. */
        NOTHING
    }

    private final String id;
    private final Travels travels;
    private final Function<HostShape, HostRegionDescriptor> layout;

    HostAlgorithm(final String id, final Travels travels, final Function<HostShape, HostRegionDescriptor> layout) {
        this.id = id;
        this.travels = travels;
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
        return travels == Travels.NOTHING ? Role.FLOOR : Role.ALL_REDUCE;
    }

    int defaultChunkBytes(final Configuration configuration) {
        return 64 << 10;
    }

    /** Whether tensors are copied into shared memory whole; LL lines are not. */
    boolean copies() {
        return travels == Travels.WHOLE;
    }

    /** Whether tensors pass in chunks, so that a size for them can be set. */
    boolean chunked() {
        return travels != Travels.NOTHING;
    }
}
