package org.verifycycle.collective.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.RankAbortedException;

/** Ranks that run ahead of slow ones, over many calls. */
@Timeout(60)
class RaceTest {
    /** Several chunks, several blocks in each. */
    private static final int BYTES = 43_008;
    private static final int CHUNK = 16_384;
    private static final int FIRST_EPOCH = 1;

    static Stream<Arguments> algorithmsAndWorlds() {
        return Stream.of(HostAlgorithm.values()).filter(a -> a != HostAlgorithm.FLAG_EXCHANGE)
                .flatMap(a -> Stream.of(2, 3, 4).map(world -> Arguments.of(a, world)));
    }

    static Stream<Arguments> copyingAlgorithmsAndWorlds() {
        return algorithmsAndWorlds().filter(a -> ((HostAlgorithm) a.get()[0]).copies());
    }

    @ParameterizedTest(name = "{0} world {1}")
    @MethodSource("algorithmsAndWorlds")
    void aSlowRankReadsNothingOfLaterCalls(final HostAlgorithm algorithm, final int world) throws Exception {
        bursts(algorithm::layout, algorithm::bind, new HostShape(world, BYTES, Dtype.FP32, CHUNK), FIRST_EPOCH, 12);
    }

    @ParameterizedTest(name = "{0} world {1}")
    @MethodSource("copyingAlgorithmsAndWorlds")
    void norWhereLibcCopies(final HostAlgorithm algorithm, final int world) throws Exception {
        assumeTrue(LibcCopy.unavailable().isEmpty());
        bursts(algorithm::layout, algorithm::bind, new HostShape(world, BYTES, Dtype.FP32, CHUNK), FIRST_EPOCH, 12, true);
    }

    @ParameterizedTest(name = "{0} world {1}")
    @MethodSource("algorithmsAndWorlds")
    void oneChunkACallIsAsSafe(final HostAlgorithm algorithm, final int world) throws Exception {
        bursts(algorithm::layout, algorithm::bind, new HostShape(world, 8192 + 16, Dtype.FP32, CHUNK), FIRST_EPOCH, 12);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_SHOT_LL", "TWO_SHOT_LL"})
    void llEpochsWrap(final HostAlgorithm algorithm) throws Exception {
        final var shape = new HostShape(3, 4112, Dtype.FP32, 1024);
        bursts(algorithm::layout, algorithm::bind, shape, -50, 40);
        bursts(algorithm::layout, algorithm::bind, shape, Integer.MAX_VALUE - 50, 40);
    }

    /** The negative control: what the tests above would say of an algorithm that has such a race. */
    @Test
    void aSingleSlotWithoutTrailingBarrierIsCaught() {
        assertThatThrownBy(() -> bursts(BrokenOneShot::layout, BrokenOneShot::new, new HostShape(2, BYTES, Dtype.FP32, BYTES),
                FIRST_EPOCH, 100)).isInstanceOf(AssertionError.class).hasMessageContaining("sum of");
    }

    @ParameterizedTest
    @EnumSource
    void aRankThatWaitsInVainEndsWithItsGroup(final HostAlgorithm algorithm) throws Exception {
        final var shape = new HostShape(2, BYTES, Dtype.FP32, CHUNK);
        final var memory = ThreadRanks.memory(algorithm.layout(shape).bytes());
        final var lonely = algorithm.bind(rank(new GroupControl(0, 2, memory), shape, algorithm.layout(shape), new Fp32Elements(), FIRST_EPOCH, false));
        final var ender = new Thread(() -> {
            try {
                Thread.sleep(50);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            GroupControl.end(memory);
        });
        ender.start();
        final var start = System.nanoTime();
        assertThatThrownBy(() -> lonely.call(new float[BYTES / 4], new float[BYTES / 4])).isInstanceOf(RankAbortedException.class);
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
        ender.join();
    }

    private interface Factory {
        AllReduce<float[]> bind(HostRank<float[]> rank);
    }

    /** Bursts of as many calls as chance (the same for all ranks) will have, each burst checked; every rank is slow at times. */
    private static void bursts(final Function<HostShape, HostRegionDescriptor> layout, final Factory factory, final HostShape shape,
            final int firstEpoch, final int bursts) throws InterruptedException {
        bursts(layout, factory, shape, firstEpoch, bursts, false);
    }

    private static void bursts(final Function<HostShape, HostRegionDescriptor> layout, final Factory factory, final HostShape shape,
            final int firstEpoch, final int bursts, final boolean byLibc) throws InterruptedException {
        final var descriptor = layout.apply(shape);
        ThreadRanks.run(shape.world(), ThreadRanks.memory(descriptor.bytes()), group -> {
            final var elements = new DelayedElements<>(new Fp32Elements(), 7L + group.rank(), 8);
            final var allReduce = factory.bind(rank(group, shape, descriptor, elements, firstEpoch, byLibc));
            final var lengths = new SplittableRandom(11);
            for (var burst = 0; burst < bursts; burst++) {
                final var cycle = new HostCycle<>(allReduce, elements, shape, 4 + lengths.nextInt(6), List.of());
                final var check = new CycleCheck(group, cycle, shape.elements(shape.bytes()), shape.dtype());
                check.round(burst, Payload.values()[burst % 2]);
            }
        });
    }

    private static <A> HostRank<A> rank(final GroupControl group, final HostShape shape, final HostRegionDescriptor layout,
            final Elements<A> elements, final int firstEpoch, final boolean byLibc) {
        return new HostRank<>(group.rank(), shape, layout, new HostRegion(group, byLibc), elements, firstEpoch);
    }

    /** One-shot pull with a single slot, and nothing that keeps its owner from writing it while others read. */
    private static final class BrokenOneShot implements AllReduce<float[]> {
        private final HostRank<float[]> rank;
        private long epoch;

        BrokenOneShot(final HostRank<float[]> rank) {
            this.rank = rank;
        }

        static HostRegionDescriptor layout(final HostShape shape) {
            return new HostRegionDescriptor(shape.world(), 1, shape.bytes(), 0);
        }

        @Override
        public void call(final float[] input, final float[] output) {
            final var length = input.length;
            epoch++;
            rank.elements().write(input, 0, rank.region(), rank.layout().inputOffset(rank.rank(), 0), length);
            rank.raiseFlag(epoch);
            rank.awaitAllFlags(epoch);
            rank.elements().read(rank.region(), rank.layout().inputOffset(rank.next(), 0), output, 0, length);
            rank.elements().add(input, output, 0, length);
        }
    }
}
