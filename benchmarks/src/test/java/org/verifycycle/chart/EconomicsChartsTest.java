package org.verifycycle.chart;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verifycycle.economics.Account;
import org.verifycycle.economics.Assumed;
import org.verifycycle.economics.MeasuredCalls;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class EconomicsChartsTest {
    private static final RunFixture.Made GPU = RunFixture.gpu().make();
    private static final RunFixture.Made HOST = RunFixture.host().make();

    static Stream<Arguments> accounts() {
        return Stream.of(
                arguments("a case alone", new Assumed().ofCase("eagle3-pcie8").alone(), Optional.empty(), 3),
                arguments("a case with measured times", account(new Assumed().ofCase("eagle3-pcie8"), GPU), Optional.of(GPU.view()), 3),
                arguments("solved for compute", account(new Assumed().solveForCompute().baselineRate(150).rate(0.7).draftMillis(1.2), GPU), Optional.of(GPU.view()), 3),
                arguments("on the host, with given times", account(new Assumed().computeMillis(8).tokens(1.1).callMicros(3.0), HOST), Optional.of(HOST.view()), 3),
                arguments("seven drafts", new Assumed().drafts(7).tokens(5).computeMillis(10).calls(122).callMicros(20.0, 60.0).alone(), Optional.empty(), 3),
                arguments("speculation never pays", new Assumed().tokens(1).computeMillis(1).draftMillis(30).calls(122).callMicros(20.0).alone(), Optional.empty(), 3),
                arguments("nothing is drafted", new Assumed().drafts(0).tokens(1).computeMillis(8).calls(122).callMicros(20.0).alone(), Optional.empty(), 1),
                arguments("free all-reduces", new Assumed().tokens(2).computeMillis(8).calls(122).callMicros(0.0, 20.0).alone(), Optional.empty(), 2));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("accounts")
    void everyChartHasAllItsTextOnThePageAndNoneOverAnother(final String name, final Account account, final Optional<RunView> view, final int charts) {
        final var drawings = EconomicsCharts.of(account, view);
        assertThat(drawings).hasSize(charts);
        assertThat(drawings.stream().map(Drawing::name)).doesNotHaveDuplicates().allMatch(n -> n.startsWith("economics-"));
        drawings.forEach(Layout::assertReadable);
    }

    @Test
    void theNumbersDrawnAreThoseOfTheAccount() {
        final var drawings = EconomicsCharts.of(new Assumed().ofCase("eagle3-pcie8").tokens(2).alone(), Optional.empty());
        assertThat(drawings.get(0).csv().get(1)).as("2 / 54.1 s - 24.4 ms, 122 x 30 us").startsWith("30 us a call", "0.00000", "0.00000", "12.56858", "3.66000", "16.22858");
        assertThat(drawings.get(0).alt()).contains("200 us a call (observed) 37.0 ms, 54.1 tok/s, 0.604x, break-even at 22.3 ms");
        assertThat(drawings.get(1).csv()).anySatisfy(row -> assertThat(row).startsWith("50 us a call", "2.00000", "107.1").contains("89.50000"));
        assertThat(drawings.get(2).csv()).hasSize(1 + 11 * 11);
    }

    private static Account account(final Assumed assumed, final RunFixture.Made made) {
        return assumed.all().account(Optional.of(MeasuredCalls.of(made.run(), made.analysis(), made.samples(), 2)));
    }
}
