package org.verifycycle.economics;

import org.junit.jupiter.api.Test;


import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/** The case that this project began with; its numbers as the people who had it gave them. */
class KnownCaseTest {
    private static final double MS = 1e6;
    private static final double US = 1e3;
    private static final KnownCase CASE = KnownCase.of("eagle3-pcie8");

    @Test
    void theSpeedsGiveTheSavingNeededPerAcceptedToken() {
        assertThat(CASE.baselineTokenNanos() / MS).isEqualTo(11.173, within(5e-4));
        assertThat(CASE.tokenNanos() / MS).isEqualTo(18.484, within(5e-4));
        assertThat(CASE.savingPerTokenNanos() / MS).isEqualTo(7.31, within(0.005));
    }

    @Test
    void aSavingOf10To18MillisecondsIsMadeBy1Point37To2Point46Tokens() {
        assertThat(CASE.tokensForSaving(10 * MS)).isEqualTo(1.37, within(0.005));
        assertThat(CASE.tokensForSaving(18 * MS)).isEqualTo(2.46, within(0.005));
        assertThat(CASE.middle().tokensPerCycle()).as("14 / 7.311").isEqualTo(1.915, within(5e-4));
    }

    @Test
    void theAllReducesTake24Point4MillisecondsWhichFillACycleOf1Point32Tokens() {
        assertThat(CASE.communicationNanos()).isEqualTo(24.4 * MS, within(1e-3));
        assertThat(CASE.leastTokens()).isEqualTo(1.32, within(0.001));
        assertThat(at(2, 200).communicationShare()).as("24.4 / 36.97").isEqualTo(0.660, within(5e-4));
        assertThatThrownBy(() -> CASE.model(new Acceptance(2, 1.3))).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tokens per cycle 1.30 contradict case eagle3-pcie8: at 54.1 tok/s its cycle would take 24.0 ms, and 122 calls of 200 us alone take 24.4 ms; at least 1.32");
    }

    @Test
    void whatWasObservedComesOut() {
        assertThat(at(2, 200).tokensPerSecond()).isEqualTo(54.1, within(1e-9));
        assertThat(at(2, 200).baselineTokensPerSecond()).isEqualTo(89.5, within(1e-9));
        assertThat(at(2, 200).gain()).isLessThan(1);
    }

    /** Savings of 122 x 150 us and 122 x 170 us a cycle; at a = 2: 2 / (36.97 - 18.3) ms and 2 / (36.97 - 20.74) ms. */
    @Test
    void fiftyAndThirtyMicrosecondsACallPay() {
        assertThat((at(2, 200).verify().nanos() - at(2, 50).verify().nanos()) / MS).isEqualTo(18.3, within(1e-6));
        assertThat((at(2, 200).verify().nanos() - at(2, 30).verify().nanos()) / MS).isEqualTo(20.74, within(1e-6));
        assertThat(at(2, 50).tokensPerSecond()).isEqualTo(107.1, within(0.05));
        assertThat(at(2, 30).tokensPerSecond()).isEqualTo(123.2, within(0.05));
    }

    /** 200 us - 10 ms / 122 and 200 us - 18 ms / 122. */
    @Test
    void theBoxBreaksEvenAt118To52MicrosecondsACall() {
        assertThat(at(CASE.tokensForSaving(10 * MS), 200).breakEvenCall().nanos() / US).isEqualTo(118.03, within(0.005));
        assertThat(at(CASE.tokensForSaving(18 * MS), 200).breakEvenCall().nanos() / US).isEqualTo(52.46, within(0.005));
        assertThat(at(2, 200).savingNeededNanos() / MS).as("2 x 7.311").isEqualTo(14.622, within(5e-4));
    }

    @Test
    void everyTermIsWhatItsFormulaGives() {
        final var terms = new CaseTerms(CASE);
        assertThat(terms.always()).extracting(Term::formula).containsExactly("1 s / 89.5", "1 s / 54.1", "18.48 ms - 11.17 ms", "122 x 200 us", "10 ms / 7.31 ms", "18 ms / 7.31 ms", "24.4 ms / 18.48 ms");
        assertThat(terms.always().get(2).value() / MS).isEqualTo(7.311, within(5e-4));
        final var tokens = terms.acceptances(2);
        assertThat(tokens).hasSize(3).isSorted();
        final var rows = terms.over(tokens);
        assertThat(rows).extracting(CaseTerms.Row::name).containsExactly("tokens a cycle", "cycle", "all-reduce share of it", "all else in it", "saving needed to break even",
                "break-even time per call", "at 50 us a call: saving", "at 50 us a call: tok/s", "at 30 us a call: saving", "at 30 us a call: tok/s");
        assertThat(rows.get(3).values().get(1) / MS).as("36.97 - 24.4").isEqualTo(12.569, within(5e-4));
        assertThat(rows.get(4).values().get(0) / MS).isEqualTo(10, within(1e-6));
        assertThat(rows.get(7).values().get(1)).isEqualTo(107.1, within(0.05));
    }

    @Test
    void anUnknownCaseIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> KnownCase.of("eagle4")).isInstanceOf(IllegalArgumentException.class).hasMessage("unknown case 'eagle4'; known: eagle3-pcie8");
    }

    private static Speculation at(final double tokens, final double callMicros) {
        final var calls = new Calls(callMicros * US, callMicros * US);
        return CASE.model(new Acceptance(2, tokens)).at(calls, calls);
    }
}
