package org.verifycycle.chart;

import org.junit.jupiter.api.Test;
import org.verifycycle.result.Entry;

import java.awt.Color;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class SeriesStylesTest {
    private static final List<Integer> ONE_SIZE = List.of(RunFixture.BYTES);

    @Test
    void aCollectiveLooksTheSameInEveryGroup() {
        final var run = RunFixture.host().make().run();
        final var styles = new SeriesStyles(run);
        for (final var a : run.entries()) {
            for (final var b : run.entries()) {
                if (a.configuration().collective().equals(b.configuration().collective())) {
                    assertThat(styles.of(a)).isSameAs(styles.of(b));
                }
            }
        }
    }

    @Test
    void aKnownAlgorithmLooksTheSameWhateverElseIsInTheRun() {
        final var alone = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), ONE_SIZE, 2).make().run();
        final var crowd = RunFixture.of(List.of("host/x", "host/one-shot-ll:chunk=16", "host/y", "host/ring", "host/one-shot-ll"), List.of(2), ONE_SIZE, 2).make().run();
        assertThat(style(alone, "host/one-shot-ll").color()).isEqualTo(style(crowd, "host/one-shot-ll").color());
        assertThat(style(alone, "host/ring").color()).isEqualTo(style(crowd, "host/ring").color());
    }

    @Test
    void upToSevenCollectivesHaveColoursOfTheirOwnAndManyMoreDifferInSomething() {
        final var many = IntStream.range(0, 40).mapToObj(i -> "host/a" + i).toList();
        final var run = RunFixture.of(many, List.of(2), ONE_SIZE, 1).make().run();
        final var styles = new SeriesStyles(run);
        final var all = run.entries().stream().filter(e -> e.purpose() == Entry.Purpose.CANDIDATE || e.purpose() == Entry.Purpose.BASELINE).map(styles::of).toList();
        assertThat(new HashSet<>(all)).hasSize(40);
        assertThat(all.subList(0, 7).stream().map(SeriesStyle::color)).doesNotHaveDuplicates();
    }

    @Test
    void nothingElseIsBlackAsTheBaselineIs() {
        final var many = Stream.concat(IntStream.range(0, 30).mapToObj(i -> "ipc/a" + i), Stream.of("nccl/default")).toList();
        final var run = RunFixture.of(many, List.of(2), ONE_SIZE, 1).make().run();
        final var styles = new SeriesStyles(run);
        final var black = run.entries().stream().filter(e -> styles.of(e).color().equals(Color.BLACK)).map(e -> e.configuration().collective().toString()).distinct();
        assertThat(black).containsExactly("nccl/default");
    }

    @Test
    void inARowOfItsOwnACollectiveKeepsItsColourWhileThereAreEnoughAndElseHasItsBackends() {
        final var few = RunFixture.of(List.of("ipc/a", "ipc/b", "nccl/c", "nccl/default"), List.of(2), ONE_SIZE, 1).make().run();
        final var styles = new SeriesStyles(few);
        assertThat(few.entries()).allSatisfy(e -> assertThat(styles.ofRow(e)).isSameAs(styles.of(e)));

        final var many = RunFixture.of(List.of("ipc/a", "ipc/b", "ipc/c", "ipc/d", "nccl/e", "nccl/f", "nccl/g", "nccl/default"), List.of(2), ONE_SIZE, 1).make().run();
        assertThat(many.entries().subList(0, 8).stream().map(e -> new SeriesStyles(many).ofRow(e).color()))
                .containsExactly(SeriesStyles.COLORS.get(0), SeriesStyles.COLORS.get(0), SeriesStyles.COLORS.get(0), SeriesStyles.COLORS.get(0),
                        SeriesStyles.COLORS.get(4), SeriesStyles.COLORS.get(4), SeriesStyles.COLORS.get(4), SeriesStyles.COLORS.get(3));
    }

    private static SeriesStyle style(final org.verifycycle.result.Run run, final String collective) {
        return new SeriesStyles(run).of(run.entries().stream().filter(e -> e.configuration().collective().toString().equals(collective)).findFirst().orElseThrow());
    }
}
