package org.verifycycle.chart;

import org.verifycycle.economics.Account;
import org.verifycycle.economics.CallTime;
import org.verifycycle.economics.Outcome;
import org.verifycycle.economics.Speculation;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The charts of an account, and what all of them say around the plot. */
public final class EconomicsCharts {
    private static final Color GREY = new Color(0x6B6B6B);

    private final Account account;
    private final Optional<RunView> view;
    private final Optional<SeriesStyles> styles;

    EconomicsCharts(final Account account, final Optional<RunView> view) {
        this.account = account;
        this.view = view;
        this.styles = view.map(v -> new SeriesStyles(v.run()));
    }

    /** @param view of the run whose times they are, if they are measured */
    public static List<Drawing> of(final Account account, final Optional<RunView> view) {
        final var words = new EconomicsCharts(account, view);
        final var drawings = new ArrayList<Drawing>();
        drawings.add(EconomicsCostChart.of(words));
        EconomicsRateChart.of(words).ifPresent(drawings::add);
        EconomicsGainMap.of(words).ifPresent(drawings::add);
        return drawings;
    }

    Account account() {
        return account;
    }

    /** That of the run's charts; grey for times that are given beside measured ones. */
    SeriesStyle style(final CallTime calls) {
        final var measured = view.filter(v -> !calls.id().isEmpty()).map(v -> v.run().entry(calls.id()));
        if (measured.isPresent()) {
            return styles.orElseThrow().of(measured.get());
        }
        final var own = SeriesStyles.ofPlace(3 + place(calls));
        return view.isEmpty() ? own : new SeriesStyle(GREY, own.stroke(), own.marker());
    }

    private int place(final CallTime calls) {
        final var given = account.outcomes().stream().map(Outcome::calls).filter(c -> c.id().isEmpty()).toList();
        return given.size() - 1 - given.indexOf(calls);
    }

    List<String> subtitle(final String what) {
        final var acceptance = account.acceptance();
        final var lines = new ArrayList<String>();
        lines.add(what + account.knownCase().map(c -> "; case " + c.name() + ": " + c.what()).orElse(""));
        lines.add("One sequence, " + acceptance.draftTokens() + " draft tokens, " + decimals(acceptance.tokensPerCycle()) + " tokens a cycle, "
                + account.best().point().verify().calls() + " calls" + account.measured().flatMap(m -> RunView.hostNote(m.group())).map(n -> "; " + n).orElse(""));
        return lines;
    }

    List<String> caption(final String shown) {
        final var lines = new ArrayList<String>();
        lines.add(shown);
        view.ifPresent(v -> lines.add("Times per call: " + account.measured().map(m -> RunView.scope(m.group())).orElse("") + "; " + v.machine() + ". Run " + v.run().id() + "."
                + (account.knownCase().isEmpty() ? "" : " The case is of another machine: what such times would give there, not what they are there.")));
        return lines;
    }

    /** Whether the token without speculation is the same whatever the collective. */
    boolean oneBaseline() {
        final var rates = account.outcomes().stream().mapToDouble(o -> o.point().baselineTokensPerSecond()).summaryStatistics();
        return rates.getMax() <= rates.getMin() * 1.0001;
    }

    boolean uncertain() {
        return account.outcomes().stream().anyMatch(o -> o.of(Speculation::tokensPerSecond).interval().isPresent());
    }

    /** The shortest cycles, and the reference whatever its place: more would hide one another. */
    List<Outcome> few(final int count) {
        final var few = new ArrayList<>(account.outcomes().subList(0, Math.min(count, account.outcomes().size())));
        final var reference = account.outcomes().stream().filter(o -> o.calls().equals(account.reference())).findFirst();
        reference.filter(r -> !few.contains(r)).ifPresent(r -> few.set(few.size() - 1, r));
        return few;
    }

    static String decimals(final double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
