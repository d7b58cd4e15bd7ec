package org.verifycycle.economics;

import org.junit.jupiter.api.Test;
import org.verifycycle.chart.RunFixture;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class AssumptionsTest {
    private static final int TOKEN_BYTES = 14_336;

    @Test
    void givenTimesAreComparedWithTheFirstAndTheShortestCycleComesFirst() {
        final var account = new Assumed().calls(100).callMicros(50.0, 10.0).computeMillis(8).tokens(2).alone();
        assertThat(account.reference().name()).isEqualTo("50 us a call");
        assertThat(account.outcomes()).extracting(o -> o.calls().name()).containsExactly("10 us a call", "50 us a call");
        assertThat(account.best().point().tokensPerSecond()).as("2 / 9 ms").isEqualTo(2000.0 / 9, within(1e-9));
        assertThat(account.best().point().baselineTokensPerSecond()).as("a token's calls cost the same").isEqualTo(1000.0 / 9, within(1e-9));
    }

    @Test
    void aCaseHasItsTermsAndItsHopes() {
        final var account = new Assumed().ofCase("eagle3-pcie8").alone();
        assertThat(account.outcomes()).extracting(o -> o.calls().name()).containsExactly("30 us a call", "50 us a call", "200 us a call (observed)");
        assertThat(account.ofReference().point().tokensPerSecond()).isEqualTo(54.1, within(1e-9));
        assertThat(account.acceptance().tokensPerCycle()).isEqualTo(KnownCase.of("eagle3-pcie8").middle().tokensPerCycle());
        assertThat(new Assumed().ofCase("eagle3-pcie8").tokens(2.2).callMicros(40.0).alone().outcomes()).extracting(o -> o.calls().name())
                .containsExactly("40 us a call", "200 us a call (observed)");
    }

    @Test
    void aRunGivesItsCollectivesAtBothSizesAndItsBaselineAsReference() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/one-shot-pull", "host/ring"), List.of(2), List.of(RunFixture.BYTES, 16_384, 1 << 20), 5).make();
        final var measured = MeasuredCalls.of(made.run(), made.analysis(), made.samples(), 2);
        assertThat(measured.tokenBytes()).as("nearest to " + TOKEN_BYTES).isEqualTo(16_384);
        assertThat(measured.collectives()).extracting(CallTime::name).containsExactlyInAnyOrder("host/one-shot-ll", "host/one-shot-pull", "host/ring");
        assertThat(measured.reference().name()).isEqualTo("host/ring");
        for (final var calls : measured.collectives()) {
            final var estimate = made.analysis().estimates().get(calls.id());
            assertThat(calls.estimate().verifyNanos()).isEqualTo(estimate.medianNanos() / 122, within(1e-6));
            assertThat(calls.estimate().baselineNanos()).as("smaller, so faster").isLessThan(calls.estimate().verifyNanos());
            assertThat(calls.interval()).isPresent();
        }
        final var account = new Assumed().rate(0.7).solveForCompute().baselineRate(100).all().account(Optional.of(measured));
        assertThat(account.ofReference().point().baselineTokensPerSecond()).isEqualTo(100, within(1e-6));
        assertThat(account.best().point().verify().calls()).isEqualTo(122);
        assertThat(account.best().of(Speculation::tokensPerSecond).interval().orElseThrow().contains(account.best().point().tokensPerSecond())).isTrue();
        assertThat(account.ofReference().of(Speculation::baselineTokensPerSecond).interval()).as("known, whatever the draw").isEmpty();
    }

    @Test
    void whatIsMissingOrContradictoryIsNamed() {
        refused(new Assumed(), "no time per call: give a run (--run DIR), times (--call-time TIME) or a case (--case NAME)");
        refused(new Assumed().callMicros(30.0), "how many all-reduce calls a cycle has is not known: give --calls N");
        refused(new Assumed().callMicros(30.0).calls(122), "how many tokens a cycle yields is not known");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2).rate(0.5), "--tokens-per-cycle and --acceptance-rate exclude each other");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2), "what the target computes is not known: give --compute TIME, or --solve-for compute with --baseline-tps N");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2).solveForCompute(), "--solve-for compute needs the speed without speculation: --baseline-tps N");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2).solveForCompute().baselineRate(90).computeMillis(3), "exclude each other");
        refused(new Assumed().callMicros(200.0).calls(122).tokens(2).solveForCompute().baselineRate(89.5), "compute can't be solved for: 89.5 tok/s leave 11.17 ms a token, and 122 calls of 200.0 us take 24.40 ms");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2).computeMillis(8).price(2), "how many GPUs the price is for is not known: give --gpus N");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(2).computeMillis(-8), "compute time is -8000000.0: it can't be negative");
        refused(new Assumed().callMicros(30.0).calls(122).tokens(3.2).computeMillis(8), "tokens per cycle 3.2 are impossible with 2 draft tokens, the default: at most all of them and the target's own; give --draft-tokens N");
        refused(new Assumed().ofCase("eagle3-pcie8").draftMillis(1), "case eagle3-pcie8 has its terms");
        refused(new Assumed().ofCase("eagle3-pcie8").price(-1), "price per GPU-hour is -1.0");
    }

    @Test
    void whatContradictsAnObservedSpeedOrWouldBeIgnoredIsRefused() {
        refused(new Assumed().callMicros(50.0).calls(122).tokens(2).computeMillis(8).baselineRate(89.5),
                "--baseline-tps contradicts the other terms: 89.5 tok/s leave 11.17 ms a token, and 8.00 ms compute and 122 calls of 50.0 us take 14.10 ms");
        assertThat(new Assumed().callMicros(20.0).calls(122).tokens(2).computeMillis(8).baselineRate(89.5).alone().best().point().baselineTokensPerSecond()).as("10.44 ms of 11.17").isEqualTo(89.5, within(1e-9));
        refused(observed().baselineCalls(60), "--baseline-calls, --baseline-compute and --baseline-call-time would be ignored");
        refused(observed().baselineComputeMillis(7), "would be ignored");
        refused(observed().baselineCallMicros(10), "would be ignored");
        final var made = RunFixture.host().make();
        final var measured = Optional.of(MeasuredCalls.of(made.run(), made.analysis(), made.samples(), 2));
        assertThatThrownBy(() -> new Assumed().tokens(2).computeMillis(8).baselineCallMicros(10).all().account(measured)).hasMessageContaining("it goes with --call-time");
    }

    /** 11.173 ms hold 122 calls of 60 us, 7.32 ms; those of 200 us come to 30 us in a cycle, so these to 9 us: 3.853 + 1.098 ms. */
    @Test
    void aCasesTokenWithoutSpeculationMovesWhereItsCallsAreGiven() {
        final var account = new Assumed().ofCase("eagle3-pcie8").baselineCalls(122).baselineCallMicros(60).alone();
        assertThat(account.ofReference().point().baselineTokensPerSecond()).isEqualTo(89.5, within(1e-9));
        assertThat(account.ofReference().point().tokensPerSecond()).isEqualTo(54.1, within(1e-9));
        assertThat(account.best().point().baseline().nanos() / 1e6).isEqualTo(4.951, within(1e-3));
        assertThat(account.ofReference().point().breakEvenCall().pays()).as("1.915 x 3.853 < 11.00 ms").isEqualTo(BreakEvenCall.Side.NEVER);
        final var few = new Assumed().ofCase("eagle3-pcie8").baselineCalls(122).baselineCallMicros(20).alone();
        final var even = few.ofReference().point().breakEvenCall();
        assertThat(even.nanos() / 1e3).as("(1.915 x 8.733 - 10.995) ms / (122 - 1.915 x 12.2)").isEqualTo(58.0, within(0.1));
        assertThat(few.at(even.nanos(), few.acceptance().tokensPerCycle()).gain()).isEqualTo(1, within(1e-9));
        refused(new Assumed().ofCase("eagle3-pcie8").baselineCalls(122), "give both --baseline-calls N and --baseline-call-time TIME");
        refused(new Assumed().ofCase("eagle3-pcie8").baselineCalls(122).baselineCallMicros(200), "89.5 tok/s leave 11.17 ms a token, and 122 calls of 200.0 us take 24.40 ms");
    }

    /** 43,008 bytes of 3 tokens: 14,336 each, so 3 drafts and the target's own make 57,344. */
    @Test
    void aRunOfAnotherNumberOfTokensIsToldOf() {
        final var made = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(RunFixture.BYTES, 10_240, 16_384), 2).make();
        final var measured = MeasuredCalls.of(made.run(), made.analysis(), made.samples(), 3);
        assertThat(measured.tokenBytes()).as("nearest to 14,336, whatever is drafted").isEqualTo(16_384);
        assertThat(measured.sizeNote(4)).contains("3 draft tokens make calls of 57,344 bytes (4 x 14,336), the run's are of 43,008: its times are of a smaller cycle. Measure with --tokens 4.");
        assertThat(measured.sizeNote(2).orElseThrow()).contains("calls of 28,672 bytes", "a larger cycle");
        assertThat(measured.sizeNote(3)).isEmpty();
    }

    private static Assumed observed() {
        return new Assumed().callMicros(20.0).calls(122).tokens(2).computeMillis(8).baselineRate(89.5);
    }

    private static void refused(final Assumed assumed, final String message) {
        assertThatThrownBy(assumed::alone).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }
}
