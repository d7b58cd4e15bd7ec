package org.verifycycle.economics;

import org.junit.jupiter.api.Test;
import org.verifycycle.result.Interval;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class OutcomeTest {
    private static final double MS = 1e6;
    private static final double US = 1e3;
    private static final Model.Known KNOWN = new Model.Known(new Acceptance(2, 2), 100, 100, MS, 0);
    private static final Model MODEL = Model.given(KNOWN, 8 * MS, 8 * MS, OptionalDouble.empty());

    @Test
    void givenTimesHaveNoIntervals() {
        final var outcomes = Outcome.of(MODEL, List.of(CallTime.given("a", 10 * US, 10 * US), CallTime.given("b", 50 * US, 50 * US)), CallTime.given("b", 50 * US, 50 * US));
        assertThat(outcomes.get(0).of(Speculation::tokensPerSecond)).isEqualTo(new Ranged(200, Optional.empty()));
    }

    @Test
    void theReferenceHasNoSavingAndTheOthersHaveTheirsAgainstIt() {
        final var reference = CallTime.given("b", 50 * US, 50 * US);
        final var outcomes = Outcome.of(MODEL, List.of(CallTime.given("a", 10 * US, 10 * US), reference, CallTime.given("c", 60 * US, 50 * US)), reference);
        assertThat(outcomes.get(0).savingNanos().orElseThrow().value()).as("100 x 40 us").isEqualTo(4 * MS, within(1e-3));
        assertThat(outcomes.get(1).savingNanos()).isEmpty();
        assertThat(outcomes.get(2).savingNanos().orElseThrow().value()).isEqualTo(-MS, within(1e-3));
    }

    /** Draws 40, 41 ... 60 us: the cycle is 9 ms + 100 draws, so its middle 95 % are the draws' own, scaled. */
    @Test
    void anIntervalIsOfTheWholeAccountDrawByDraw() {
        final var outcome = Outcome.of(MODEL, List.of(uncertain(), CallTime.given("given", 50 * US, 50 * US)), CallTime.given("given", 50 * US, 50 * US)).get(0);
        final var cycle = outcome.of(s -> s.verify().nanos());
        assertThat(cycle.value()).isEqualTo(14 * MS, within(1e-3));
        assertThat(cycle.interval().orElseThrow().low()).isEqualTo(13 * MS, within(0.06 * MS));
        assertThat(cycle.interval().orElseThrow().high()).isEqualTo(15 * MS, within(0.06 * MS));
        final var tokens = outcome.of(Speculation::tokensPerSecond).interval().orElseThrow();
        assertThat(tokens.low()).isEqualTo(2000.0 / 15, within(0.6));
        assertThat(tokens.high()).isEqualTo(2000.0 / 13, within(0.6));
    }

    /** Both the cycle and the token hold 100 calls of the same draw: their difference is certain, and corner values would not be. */
    @Test
    void whatCancelsInADrawCancelsInTheInterval() {
        final var outcome = Outcome.of(MODEL, List.of(uncertain()), uncertain()).get(0);
        assertThat(outcome.of(s -> s.verify().nanos()).interval()).isPresent();
        final var difference = outcome.of(s -> s.verify().nanos() - s.baseline().nanos());
        assertThat(difference.value()).isEqualTo(MS, within(1e-3));
        assertThat(difference.interval().map(i -> i.high() - i.low()).orElse(0.0)).isLessThan(1e-3);
    }

    /** At 100 tok/s a token has 10 ms: draws of more than 100 us for 100 calls can't be. */
    @Test
    void drawsThatContradictWhatIsKnownAreNone() {
        final var wide = new CallTime("wide", "", new Calls(80 * US, 80 * US), Optional.of(new Interval(60 * US, 120 * US)), i -> new Calls((60 + i % 61) * US, (60 + i % 61) * US));
        final var outcome = Outcome.of(Model.solvedForCompute(KNOWN, 100), List.of(wide), wide).get(0);
        assertThat(outcome.draws()).hasSizeBetween(1, MeasuredCalls.DRAWS - 1).allMatch(s -> s.verify().computeNanos() >= 0);
        assertThat(outcome.of(s -> s.verify().computeNanos()).interval().orElseThrow().low()).isGreaterThanOrEqualTo(0);
    }

    private static CallTime uncertain() {
        return new CallTime("uncertain", "", new Calls(50 * US, 50 * US), Optional.of(new Interval(40 * US, 60 * US)), i -> new Calls((40 + i % 21) * US, (40 + i % 21) * US));
    }
}
