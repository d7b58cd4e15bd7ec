package org.verifycycle.economics;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class SpeculationTest {
    private static final double MS = 1e6;
    private static final double US = 1e3;

    /** By hand: cycle 1 + 8 + 100 x 0.05 + 1 = 15 ms, token 8 + 100 x 0.02 + 0 = 10 ms; a = 3: 200 tok/s against 100. */
    private static final Speculation ROUND = new Speculation(new Acceptance(4, 3), new CycleTerms(MS, 8 * MS, 100, 50 * US, MS), new CycleTerms(0, 8 * MS, 100, 20 * US, 0));

    @Test
    void theAccountOfARoundExample() {
        assertThat(ROUND.verify().nanos()).isEqualTo(15 * MS);
        assertThat(ROUND.tokensPerSecond()).isEqualTo(200, within(1e-9));
        assertThat(ROUND.baselineTokensPerSecond()).isEqualTo(100, within(1e-9));
        assertThat(ROUND.gain()).isEqualTo(2, within(1e-12));
        assertThat(ROUND.breakEvenTokens()).isEqualTo(1.5, within(1e-12));
        assertThat(ROUND.savingNeededNanos()).as("it pays already, by 15 ms").isEqualTo(-15 * MS, within(1e-3));
        assertThat(ROUND.breakEvenCall()).as("3 x 8 > 10 ms, and 3 x 100 calls x 0.4 of the time > 100").isEqualTo(new BreakEvenCall(BreakEvenCall.Side.ALWAYS, Double.NaN));
        assertThat(ROUND.communicationShare()).isEqualTo(1.0 / 3, within(1e-12));
    }

    @Test
    void withNoneAcceptedOnlyTheTargetsOwnTokenComesOutOfACycle() {
        assertThat(Acceptance.ofRate(4, 0).tokensPerCycle()).isEqualTo(1);
        final var none = new Speculation(Acceptance.ofRate(4, 0), ROUND.verify(), ROUND.baseline());
        assertThat(none.tokensPerSecond()).isEqualTo(1000.0 / 15, within(1e-9));
        assertThat(none.gain()).isEqualTo(10.0 / 15, within(1e-12));
    }

    @Test
    void withAllAcceptedACycleYieldsTheDraftsAndOneMore() {
        assertThat(Acceptance.ofRate(4, 1).tokensPerCycle()).isEqualTo(5);
        assertThat(new Speculation(Acceptance.ofRate(4, 1), ROUND.verify(), ROUND.baseline()).gain()).isEqualTo(5 * 10.0 / 15, within(1e-12));
    }

    /** Equation 1 of arXiv 2211.17192 by hand: (1 - 0.5^4) / (1 - 0.5) = 1.875. */
    @Test
    void aRatePerPositionIsAGeometricSum() {
        assertThat(Acceptance.ofRate(3, 0.5).tokensPerCycle()).isEqualTo(1.875, within(1e-12));
    }

    @Test
    void withFreeAllReducesOnlyTheRestOfTheCycleCounts() {
        final var free = new Speculation(new Acceptance(4, 3), new CycleTerms(MS, 8 * MS, 100, 0, MS), new CycleTerms(0, 8 * MS, 100, 0, 0));
        assertThat(free.communicationShare()).isZero();
        assertThat(free.gain()).isEqualTo(3 * 8.0 / 10, within(1e-12));
    }

    @Test
    void withoutSpeculationACycleIsATokenAndNothingIsGained() {
        final var plain = new CycleTerms(0, 8 * MS, 100, 20 * US, 0);
        final var none = new Speculation(Acceptance.none(), plain, plain);
        assertThat(none.gain()).isEqualTo(1, within(1e-12));
        assertThat(none.breakEvenTokens()).isEqualTo(1, within(1e-12));
        assertThat(none.savingNeededNanos()).isZero();
        assertThat(none.breakEvenCall().pays()).as("as fast whatever a call takes").isEqualTo(BreakEvenCall.Side.NEVER);
    }

    @Property
    void atTheBreakEvenPointsBothAreAsFast(@ForAll @IntRange(min = 1, max = 8) final int drafts, @ForAll @DoubleRange(min = 0, max = 1) final double rate,
                                           @ForAll @DoubleRange(min = 0.1, max = 30) final double computeMillis, @ForAll @DoubleRange(min = 1, max = 300) final double callMicros) {
        final var verify = new CycleTerms(MS, computeMillis * MS, 122, callMicros * US, 0.2 * MS);
        final var s = new Speculation(Acceptance.ofRate(drafts, rate), verify, new CycleTerms(0, computeMillis * MS, 122, callMicros * US / 2, 0));
        final var needed = s.breakEvenTokens();
        if (needed >= 1 && needed <= drafts + 1) {
            assertThat(new Speculation(s.acceptance().withTokens(needed), s.verify(), s.baseline()).gain()).isEqualTo(1, within(1e-9));
        }
        final var even = s.breakEvenCall();
        final DoubleUnaryOperator gain = call -> new Speculation(s.acceptance(), new CycleTerms(MS, computeMillis * MS, 122, call, 0.2 * MS),
                new CycleTerms(0, computeMillis * MS, 122, call / 2, 0)).gain();
        switch (even.pays()) {
            case BELOW, ABOVE -> assertThat(gain.applyAsDouble(even.nanos())).isEqualTo(1, within(1e-9));
            case ALWAYS -> assertThat(DoubleStream.of(1, 1e5, 1e9).map(gain)).allMatch(g -> g > 1);
            case NEVER -> assertThat(DoubleStream.of(1, 1e5, 1e9).map(gain)).allMatch(g -> g <= 1);
        }
        assertThat(s.gain() > 1).isEqualTo(s.savingNeededNanos() < 0);
    }

    /** a = 2, 8 ms compute both, 100 calls each: 2 (8 + 0.1 x r) = 8 + d + 0.1 x, in ms, x in us. */
    @Test
    void aCallsTimeIsSolvedForWithTheTokensOwnCallsMoving() {
        final var cheap = new Speculation(new Acceptance(4, 2), new CycleTerms(6 * MS, 8 * MS, 100, 50 * US, 0), new CycleTerms(0, 8 * MS, 100, 10 * US, 0));
        assertThat(cheap.breakEvenCall().pays()).isEqualTo(BreakEvenCall.Side.BELOW);
        assertThat(cheap.breakEvenCall().nanos()).as("r = 0.2: (16 - 14) ms / (100 - 2 x 100 x 0.2)").isEqualTo(2 * MS / 60, within(1e-6));
        final var dear = new Speculation(new Acceptance(4, 2), new CycleTerms(10 * MS, 8 * MS, 100, 50 * US, 0), new CycleTerms(0, 8 * MS, 100, 50 * US, 0));
        assertThat(dear.breakEvenCall()).as("r = 1: (16 - 18) ms / (100 - 200)").isEqualTo(new BreakEvenCall(BreakEvenCall.Side.ABOVE, 20 * US));
    }

    @Test
    void aCallsTimeIsSolvedForAgainstAnObservedTokenAsItIs() {
        final var s = new Speculation(new Acceptance(4, 3), ROUND.verify(), CycleTerms.observed(100));
        assertThat(s.breakEvenCall().pays()).isEqualTo(BreakEvenCall.Side.BELOW);
        assertThat(s.breakEvenCall().nanos()).as("(30 - 10) ms / 100").isEqualTo(200 * US, within(1e-6));
        assertThat(new Speculation(new Acceptance(4, 1), ROUND.verify(), CycleTerms.observed(101)).breakEvenCall().pays()).as("10 ms beside the calls").isEqualTo(BreakEvenCall.Side.NEVER);
    }

    @Test
    void onlyAnObservedTokenIsCalledSo() {
        final var account = new Assumed().tokens(2).computeMillis(8).calls(100).baselineCalls(0).callMicros(20.0).alone();
        assertThat(Account.terms(account.best())).filteredOn(t -> t.name().equals("one token without speculation")).extracting(Term::formula).containsExactly("8.00 ms compute + 0 x 20.00 us + 0.00 ms else");
        final var observed = new Assumed().tokens(2).computeMillis(8).calls(100).baselineRate(90).callMicros(20.0).alone();
        assertThat(Account.terms(observed.best())).extracting(Term::formula).contains("observed, its all-reduces included");
    }

    @Test
    void computeIsBackedOutOfAKnownSpeed() {
        final var known = new Model.Known(new Acceptance(2, 2), 122, 122, MS, 0.5 * MS);
        final var reference = new Calls(60 * US, 40 * US);
        final var s = Model.solvedForCompute(known, 100).at(reference, reference);
        assertThat(s.verify().computeNanos()).as("10 - 122 x 0.04 - 0.5 ms").isEqualTo(4.62 * MS, within(1e-3));
        assertThat(s.baselineTokensPerSecond()).isEqualTo(100, within(1e-9));
        final var faster = Model.solvedForCompute(known, 100).at(new Calls(6 * US, 4 * US), reference);
        assertThat(faster.verify().computeNanos()).isEqualTo(s.verify().computeNanos());
        assertThat(faster.baseline().nanos()).as("a faster all-reduce helps without speculation too").isEqualTo((10 - 122 * 0.036) * MS, within(1e-3));
    }

    @Test
    void anObservedSpeedWithoutSpeculationStaysAsItIs() {
        final var known = new Model.Known(new Acceptance(2, 2), 122, 122, 0, 0);
        final var model = Model.given(known, 5 * MS, 5 * MS, OptionalDouble.of(89.5));
        assertThat(model.at(new Calls(US, US), new Calls(50 * US, 50 * US)).baselineTokensPerSecond()).isEqualTo(89.5, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"2|3.01|tokens per cycle 3.01 are impossible with 2 draft tokens: at most all of them and the target's own, 3",
            "2|0.99|tokens per cycle 0.99 are impossible: the target itself gives one in every cycle, so at least 1", "2|NaN|tokens per cycle NaN are impossible", "-1|1|draft tokens -1 are not between 0 and 1000"})
    void impossibleAcceptanceIsRefusedByName(final int drafts, final double tokens, final String message) {
        assertThatThrownBy(() -> new Acceptance(drafts, tokens)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @Test
    void impossibleTermsAreRefusedByName() {
        assertThatThrownBy(() -> Acceptance.ofRate(2, 1.01)).hasMessage("acceptance rate 1.01 is not between 0 and 1");
        assertThatThrownBy(() -> Acceptance.ofRate(2, -0.1)).hasMessageContaining("acceptance rate -0.1");
        assertThatThrownBy(() -> new CycleTerms(-1, 0, 1, 1, 0)).hasMessage("draft time is -1.0: it can't be negative");
        assertThatThrownBy(() -> new CycleTerms(0, -1, 1, 1, 0)).hasMessageContaining("compute time");
        assertThatThrownBy(() -> new CycleTerms(0, 0, -1, 1, 0)).hasMessageContaining("calls");
        assertThatThrownBy(() -> new CycleTerms(0, 0, 1, Double.NaN, 0)).hasMessageContaining("time per call");
        assertThatThrownBy(() -> new CycleTerms(0, 0, 1, 1, Double.POSITIVE_INFINITY)).hasMessageContaining("other time");
        assertThatThrownBy(() -> CycleTerms.observed(0)).hasMessage("tokens per second is 0.0: it must be above 0");
        assertThatThrownBy(() -> new Speculation(Acceptance.none(), new CycleTerms(0, 0, 0, 0, 0), ROUND.baseline())).hasMessageContaining("a verify cycle");
        final var known = new Model.Known(new Acceptance(2, 2), 122, 122, 0, 0);
        final var slow = new Calls(200 * US, 200 * US);
        assertThatThrownBy(() -> Model.solvedForCompute(known, 89.5).at(slow, slow))
                .hasMessage("compute can't be solved for: 89.5 tok/s leave 11.17 ms a token, and 122 calls of 200.0 us take 24.40 ms");
    }

    /** 8 GPUs at 2 an hour: 16 / 3600 s at 100 tok/s are 44.44 for a million. */
    @Test
    void aPricePerGpuHourIsAPricePerMillionTokens() {
        assertThat(new Price(2, 8).perMillionTokens(100)).isEqualTo(44.444, within(1e-3));
        assertThatThrownBy(() -> new Price(-1, 8)).hasMessageContaining("price per GPU-hour");
        assertThatThrownBy(() -> new Price(1, 0)).hasMessageContaining("GPUs");
    }
}
