package org.verifycycle.report;

import org.verifycycle.chart.Drawing;
import org.verifycycle.chart.RunView;
import org.verifycycle.chart.Units;
import org.verifycycle.economics.Account;
import org.verifycycle.economics.CaseTerms;
import org.verifycycle.economics.KnownCase;
import org.verifycycle.economics.Outcome;
import org.verifycycle.economics.Ranged;
import org.verifycycle.economics.Speculation;
import org.verifycycle.economics.Term;
import org.verifycycle.result.Interval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether speculation pays, in sentences and tables. */
public final class EconomicsSections {
    private static final String NONE = "-";

    private final Account account;
    private final boolean explain;

    /** @param explain whether every number is to stand beside its formula */
    public EconomicsSections(final Account account, final boolean explain) {
        this.account = account;
        this.explain = explain;
    }

    /** @param drawings whose files are in {@code plots/} */
    public List<Section> sections(final List<Drawing> drawings) {
        final var sections = new ArrayList<Section>();
        final var blocks = new ArrayList<Block>();
        blocks.add(new Block.Paragraph(String.join(" ", sentences())));
        mind().forEach(note -> blocks.add(new Block.Paragraph("Mind: " + note)));
        blocks.add(outcomes());
        notes().forEach(note -> blocks.add(new Block.Paragraph(note)));
        drawings.forEach(d -> blocks.add(new Block.Figure(d.title(), d.alt(), "plots/" + d.name(), d.width(), d.height())));
        account.knownCase().ifPresent(c -> sections.add(ofCase(c)));
        sections.add(new Section("Does speculation pay?", Section.Depth.BRIEF, blocks));
        if (explain) {
            sections.add(new Section("Terms, with " + account.best().calls().name(), Section.Depth.BRIEF, List.of(terms(Account.terms(account.best())))));
        }
        return sections;
    }

    List<String> sentences() {
        final var best = account.best();
        final var gain = best.of(Speculation::gain);
        final var sentences = new ArrayList<String>();
        sentences.add("With " + best.calls().name() + (pays(gain) ? " speculation pays" : costs(gain) ? " speculation does not pay" : " it is undecided whether speculation pays")
                + ": " + number(best.of(Speculation::tokensPerSecond), " tok/s") + " with it, " + number(best.of(Speculation::baselineTokensPerSecond), "") + " without, "
                + number(gain, "x") + ", at " + tokens(account.acceptance().tokensPerCycle()) + " tokens a cycle.");
        final var needed = best.of(Speculation::breakEvenTokens);
        sentences.add("It breaks even at " + Units.number(needed.value()) + " tokens a cycle" + (needed.value() > account.acceptance().draftTokens() + 1
                ? ", more than the " + (account.acceptance().draftTokens() + 1) + " that a cycle can yield." : needed.value() < 1 ? ": at any." : "."));
        final var reference = account.ofReference();
        if (!reference.equals(best)) {
            sentences.add("With " + reference.calls().name() + " it is " + number(reference.of(Speculation::tokensPerSecond), " tok/s") + ", " + number(reference.of(Speculation::gain), "x")
                    + best.savingNanos().map(s -> "; " + best.calls().name() + " saves " + number(s.map(EconomicsSections::millis), " ms") + " a cycle").orElse("") + ".");
        }
        sentences.add(breakEvenCall(reference.point()));
        return sentences.stream().filter(s -> !s.isEmpty()).toList();
    }

    /** Empty where no call is made. */
    private static String breakEvenCall(final Speculation s) {
        if (s.verify().calls() == 0 && s.baseline().calls() == 0) {
            return "";
        }
        final var even = s.breakEvenCall();
        final var micros = Units.number(even.nanos() / 1e3);
        return switch (even.pays()) {
            case BELOW -> "At that, calls of " + micros + " us would break even" + (s.baseline().observed() ? ", the token without speculation taken as observed." : ", faster ones pay; those without speculation change alike.");
            case ABOVE -> "At that, calls of " + micros + " us would break even, slower ones pay; those without speculation change alike.";
            case ALWAYS -> "At that, it pays at any time per call.";
            case NEVER -> s.baseline().observed() ? "Even free all-reduces would not make it pay." : "At that, it pays at no time per call, those without speculation changing alike.";
        };
    }

    private static boolean pays(final Ranged gain) {
        return gain.interval().map(Interval::low).orElse(gain.value()) > 1;
    }

    private static boolean costs(final Ranged gain) {
        return gain.interval().map(Interval::high).orElse(gain.value()) <= 1;
    }

    private Block.Table outcomes() {
        final var price = account.price();
        final var interval = account.outcomes().stream().anyMatch(o -> o.of(Speculation::tokensPerSecond).interval().isPresent());
        final var columns = new ArrayList<>(List.of(Block.Column.text("collective"), Block.Column.number("us per call"), Block.Column.number("cycle ms"),
                Block.Column.detail("all-reduce"), Block.Column.number("tok/s with" + (interval ? " [95 %]" : "")), Block.Column.number("without"), Block.Column.number("gain"),
                Block.Column.number("pays from"), Block.Column.number("saves ms")));
        if (interval) {
            Stream.of("cycle", "without", "gain", "pays from", "saves").forEach(c -> columns.add(Block.Column.detail(c + " [95 %]")));
        }
        price.ifPresent(p -> columns.add(Block.Column.number("price")));
        return new Block.Table(columns, account.outcomes().stream().map(o -> {
            final var saving = o.savingNanos().map(s -> s.map(EconomicsSections::millis));
            final var row = new ArrayList<>(List.of(o.calls().name(), Units.number(o.calls().estimate().verifyNanos() / 1e3, o.calls().interval().map(i -> i.scale(1e-3))),
                    Units.number(millis(o.point().verify().nanos())), Units.percent(o.point().communicationShare()),
                    number(o.of(Speculation::tokensPerSecond), ""), Units.number(o.point().baselineTokensPerSecond()), Units.number(o.point().gain()) + "x",
                    Units.number(o.point().breakEvenTokens()), saving.map(s -> Units.number(s.value(), s.interval())).orElse(NONE)));
            if (interval) {
                row.addAll(List.of(number(o.of(s -> millis(s.verify().nanos())), ""), number(o.of(Speculation::baselineTokensPerSecond), ""), number(o.of(Speculation::gain), "x"),
                        number(o.of(Speculation::breakEvenTokens), ""), saving.map(s -> number(s, "")).orElse(NONE)));
            }
            price.ifPresent(p -> row.add(Units.number(p.perMillionTokens(o.point().tokensPerSecond()))));
            return (List<String>) row;
        }).toList());
    }

    /** What the headline can't be read without. */
    private List<String> mind() {
        final var minds = new ArrayList<String>();
        account.knownCase().filter(c -> account.best().point().baseline().observed()).ifPresent(c -> minds.add("without speculation is as observed, with the old all-reduce; with a faster one it would rise too."));
        account.knownCase().filter(c -> !account.best().point().baseline().observed()).ifPresent(c -> minds.add("in the case's own terms above, without speculation is as observed; below its all-reduces change too."));
        account.measured().flatMap(m -> m.sizeNote(account.acceptance().draftTokens() + 1)).ifPresent(minds::add);
        return minds;
    }

    private List<String> notes() {
        final var s = account.best().point();
        final var notes = new ArrayList<String>();
        notes.add("One sequence. A cycle: " + (s.verify().draftNanos() > 0 ? text("draft %.3g ms, ", millis(s.verify().draftNanos())) : "")
                + (s.verify().computeNanos() > 0 ? text("compute %.4g ms, ", millis(s.verify().computeNanos())) : "")
                + (s.verify().otherNanos() > 0 ? text("all else %.4g ms, ", millis(s.verify().otherNanos())) : "") + s.verify().calls() + " all-reduce calls. Pays from: tokens a cycle at which it breaks even. Saves: of a cycle, against "
                + account.reference().name() + "." + (account.outcomes().stream().anyMatch(o -> !o.draws().isEmpty())
                ? " Brackets: 95 % interval, from draws of the measured times carried through the whole account; draws of different collectives are independent." : ""));
        account.measured().ifPresent(m -> {
            notes.add("Measured: " + RunView.scope(m.group()) + "." + (account.knownCase().isEmpty() && s.baseline().calls() > 0 ? " A call without speculation is taken to cost what one of "
                    + Units.plainBytes(m.tokenBytes()) + " does" + (m.tokenBytes() == m.group().bytes() ? ", the same: no size nearer to one token's was measured" : "") + "." : ""));
            account.knownCase().ifPresent(c -> notes.add(text("Mind: these times are of %d ranks on the run's machine, the case is of %s: what such times would give there, not what they are there.",
                    m.group().world(), c.what())));
            RunView.hostNote(m.group()).ifPresent(n -> notes.add("Mind: " + n + "."));
        });
        account.price().ifPresent(p -> notes.add(text("Price: of a million tokens with speculation, at %s per GPU-hour for %d GPUs that serve this sequence alone.", Units.number(p.perGpuHour()), p.gpus())));
        return notes;
    }

    private Section ofCase(final KnownCase known) {
        final var terms = new CaseTerms(known);
        final var blocks = new ArrayList<Block>();
        blocks.add(new Block.Paragraph(text("%s: %.1f tok/s without speculation and %.1f with it were observed, with %d all-reduces of %s and about %.0f us in a verify cycle.", known.what(),
                known.baselineTokensPerSecond(), known.tokensPerSecond(), known.calls(), Units.plainBytes(known.bytes()), known.callNanos() / 1e3)));
        blocks.add(terms(terms.always()));
        final var tokens = terms.acceptances(account.acceptance().tokensPerCycle());
        final var columns = new ArrayList<Block.Column>();
        columns.add(Block.Column.text("over tokens a cycle (a)"));
        if (explain) {
            columns.add(Block.Column.text("formula"));
        }
        Arrays.stream(tokens).forEach(a -> columns.add(Block.Column.number("a = " + tokens(a))));
        blocks.add(new Block.Table(columns, terms.over(tokens).stream().skip(1).map(r -> row(r, tokens.length)).toList()));
        blocks.add(new Block.Paragraph(text("The fewer tokens a cycle yields, the less is left in it beside its all-reduces, and the more a faster all-reduce seems to give: at a = %s all but nothing is.",
                tokens(known.leastTokens()))));
        return new Section("Case " + known.name(), Section.Depth.BRIEF, blocks);
    }

    private List<String> row(final CaseTerms.Row row, final int columns) {
        return Stream.of(Stream.of(row.name()), explain ? Stream.of(row.formula()) : Stream.<String>of(), IntStream.range(0, columns).mapToObj(i -> value(row.values().get(i), row.unit())))
                .flatMap(s -> s).collect(Collectors.toList());
    }

    private Block.Table terms(final List<Term> terms) {
        final var columns = new ArrayList<>(List.of(Block.Column.text("term"), Block.Column.number("value")));
        if (explain) {
            columns.add(Block.Column.text("formula"));
        }
        return new Block.Table(columns, terms.stream().map(t -> explain ? List.of(t.name(), value(t.value(), t.unit()), t.formula()) : List.of(t.name(), value(t.value(), t.unit()))).toList());
    }

    private static String value(final double value, final Term.Unit unit) {
        return switch (unit) {
            case MILLIS -> text("%.2f ms", millis(value));
            case MICROS -> Double.isNaN(value) ? NONE : Units.number(value / 1e3) + " us";
            case TOKENS -> tokens(value);
            case TOKENS_PER_SECOND -> text("%.1f tok/s", value);
            case SHARE -> Units.percent(value);
            case TIMES -> text("%.2fx", value);
        };
    }

    private static String number(final Ranged value, final String unit) {
        return Units.withInterval(value.value(), value.interval(), unit);
    }

    private static String tokens(final double value) {
        return text("%.2f", value);
    }

    private static double millis(final double nanos) {
        return nanos / 1e6;
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
