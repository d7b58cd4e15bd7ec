package org.verifycycle.collective;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Three ranks as threads, whose cycle adds in float32; in some tests one of them lies. */
class PayloadCheckTest {
    private static final int WORLD = 3;
    private static final int SETS = 4;
    /** More than two of the check's blocks of 1024, and not a multiple of them. */
    private static final int ELEMENTS = 2 * 1024 + 8 * 13;
    private static final long INTEGERS = 2;
    private static final long RANDOM = 3;

    /** What a lying rank does to its output of a set. */
    private interface Lie {
        void tell(int set, float[] output);
    }

    @ParameterizedTest
    @EnumSource(Dtype.class)
    void rightSumsPassAndHaveTheSameHashOnAllRanks(final Dtype dtype) {
        for (final var seed : List.of(INTEGERS, RANDOM)) {
            final var outcomes = run(dtype, seed, (set, output) -> { });

            assertThat(outcomes).allSatisfy(o -> assertThat(o.mismatch()).isEmpty());
            assertThat(outcomes.stream().map(PayloadCheck.Outcome::hash).distinct()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dtype.class)
    void anIntegerSumThatIsOneOffIsNamed(final Dtype dtype) {
        final var outcomes = run(dtype, INTEGERS, (set, output) -> output[1500] += set == 3 ? 1 : 0);

        assertThat(outcomes.get(0).mismatch()).isEmpty();
        assertThat(outcomes.get(2).mismatch().orElseThrow()).contains("element 1500 of buffer pair 3", "integer payload");
        assertThat(outcomes.get(2).hash()).isNotEqualTo(outcomes.get(0).hash());
    }

    @Test
    void sumsRoundedToTheNearestBf16PassAndTruncatedOnesDoNot() {
        final var nearest = run(Dtype.BF16, RANDOM, each(value -> Bf16.toFloat(Bf16.fromFloat(value))));
        final var truncated = run(Dtype.BF16, RANDOM, each(value -> Float.intBitsToFloat(Float.floatToRawIntBits(value) & 0xFFFF0000)));

        assertThat(nearest.get(2).mismatch()).isEmpty();
        assertThat(truncated.get(2).mismatch().orElseThrow()).contains("of buffer pair 0", "random payload, seed 3");
    }

    private static Lie each(final UnaryOperator<Float> change) {
        return (set, output) -> {
            for (int i = 0; i < output.length; i++) {
                output[i] = change.apply(output[i]);
            }
        };
    }

    @Test
    void anOutputThatWasNotWrittenIsFound() {
        final var outcomes = run(Dtype.FP32, INTEGERS, (set, output) -> {
            if (set == 1) {
                output[7] = Float.NaN;
            }
        });

        assertThat(outcomes.get(2).mismatch().orElseThrow()).contains("element 7 of buffer pair 1 is NaN");
    }

    @Test
    void outputsAreLeftPoisonedSoThatWhatIsThereLaterIsOfLaterCycles() {
        final var outcomes = new Group(Dtype.FP32, (set, output) -> { }).each((check, cycle) -> {
            check.run(RANDOM, false);
            return check.left();
        });
        final var after = new Group(Dtype.FP32, (set, output) -> { }).each((check, cycle) -> {
            check.run(RANDOM, false);
            cycle.run();
            cycle.run();
            return check.left();
        });

        assertThat(outcomes).allSatisfy(o -> assertThat(o.mismatch().orElseThrow()).contains("element 0 of buffer pair 0 is NaN", "random payload, seed 3"));
        assertThat(after).allSatisfy(o -> assertThat(o.mismatch()).isEmpty());
    }

    @Test
    void bitsThatDifferBetweenRanksGiveDifferentHashesThoughEachIsWithinRounding() {
        final var outcomes = run(Dtype.FP32, RANDOM, (set, output) -> output[0] = Math.nextUp(output[0]));

        assertThat(outcomes.get(2).hash()).isNotEqualTo(outcomes.get(0).hash());
        assertThat(outcomes.get(1).hash()).isEqualTo(outcomes.get(0).hash());
    }

    @Test
    void theOrderOfElementsCountsInTheHash() {
        final var outcomes = run(Dtype.FP32, INTEGERS, (set, output) -> {
            final var first = output[0];
            output[0] = output[1];
            output[1] = first + (first == output[1] ? 1 : 0);
        });

        assertThat(outcomes.get(2).hash()).isNotEqualTo(outcomes.get(0).hash());
    }

    @ParameterizedTest
    @EnumSource(Dtype.class)
    void inputsDifferByRankPairSeedAndElementHoldZerosAndSurviveTheDtype(final Dtype dtype) {
        final var integers = inputs(dtype, INTEGERS);
        final var random = inputs(dtype, RANDOM);

        assertThat(Stream.of(integers, inputs(dtype, INTEGERS + 2), random).flatMap(List::stream).map(Arrays::hashCode).distinct()).hasSize(3 * WORLD * SETS);
        for (final var values : integers) {
            assertThat(values).contains(0, -8, 8);
            for (final var value : values) {
                assertThat(value).isBetween(-8f, 8f).isEqualTo((int) value);
            }
        }
        for (final var values : random) {
            for (final var value : values) {
                assertThat(value).isGreaterThanOrEqualTo(-1).isLessThan(1).isEqualTo(throughDtype(dtype, value));
            }
        }
    }

    private static float throughDtype(final Dtype dtype, final float value) {
        return switch (dtype) {
            case FP32 -> value;
            case BF16 -> Bf16.toFloat(Bf16.fromFloat(value));
            case FP16 -> Fp16.toFloat(Fp16.fromFloat(value));
        };
    }

    private static List<float[]> inputs(final Dtype dtype, final long seed) {
        final var told = new ArrayList<float[]>();
        final var group = new Group(dtype, (set, output) -> { });
        group.check(seed);
        group.inputs.forEach(told::addAll);
        return told;
    }

    private static List<PayloadCheck.Outcome> run(final Dtype dtype, final long seed, final Lie lie) {
        return new Group(dtype, lie).check(seed);
    }

    private static final class Group {
        private final CyclicBarrier together = new CyclicBarrier(WORLD);
        private final List<List<float[]>> inputs = Stream.generate(() -> (List<float[]>) new ArrayList<float[]>()).limit(WORLD).toList();
        private final Configuration configuration;
        private final Lie lie;

        Group(final Dtype dtype, final Lie lie) {
            configuration = new Configuration(CollectiveSpec.parse("host/ring"), WORLD, ELEMENTS * dtype.bytes(), dtype, Launch.EAGER, SETS);
            this.lie = lie;
        }

        /** The last rank lies. */
        List<PayloadCheck.Outcome> check(final long seed) {
            return each((check, cycle) -> check.run(seed, seed % 2 == 0));
        }

        List<PayloadCheck.Outcome> each(final BiFunction<PayloadCheck, PreparedCycle, PayloadCheck.Outcome> step) {
            final var ranks = Executors.newFixedThreadPool(WORLD);
            try {
                final var tasks = new ArrayList<Callable<PayloadCheck.Outcome>>();
                for (int rank = 0; rank < WORLD; rank++) {
                    final var cycle = new Cycle(this, rank, rank == WORLD - 1 ? lie : (set, output) -> { });
                    final var check = new PayloadCheck(configuration, rank, cycle, 1);
                    tasks.add(() -> step.apply(check, cycle));
                }
                final var outcomes = new ArrayList<PayloadCheck.Outcome>();
                for (final var future : ranks.invokeAll(tasks, 30, TimeUnit.SECONDS)) {
                    outcomes.add(future.get());
                }
                return outcomes;
            } catch (final Exception e) {
                throw new AssertionError(e);
            } finally {
                ranks.shutdownNow();
            }
        }
    }

    private static final class Cycle implements PreparedCycle {
        private final Group group;
        private final List<float[]> own;
        private final Lie lie;
        /** Sums are made when they are asked for. */
        private final boolean[] poisoned = new boolean[SETS];

        Cycle(final Group group, final int rank, final Lie lie) {
            this.group = group;
            this.own = group.inputs.get(rank);
            this.lie = lie;
        }

        @Override
        public void run() {
            Arrays.fill(poisoned, false);
            try {
                group.together.await();
            } catch (final InterruptedException | BrokenBarrierException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void setInput(final int set, final float[] values) {
            own.add(values.clone());
        }

        @Override
        public void getOutput(final int set, final float[] values) {
            for (int i = 0; i < values.length; i++) {
                values[i] = poisoned[set] ? Float.NaN : 0;
                for (final var input : group.inputs) {
                    values[i] += input.get(set)[i];
                }
            }
            lie.tell(set, values);
        }

        @Override
        public int bufferSets() {
            return SETS;
        }

        @Override
        public void poisonOutput(final int set) {
            poisoned[set] = true;
        }

        @Override
        public OptionalLong deviceNanos() {
            return OptionalLong.empty();
        }

        @Override
        public void delay(final int nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long delayedNanos() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
