package org.verifycycle.bench;

import org.verifycycle.collective.Skew;
import org.verifycycle.plan.DryRun;
import org.verifycycle.plan.Sizes;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;

import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** One plain line per round of a configuration, with the time left worked out from what the rounds before took. */
final class Progress {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private final PrintStream out;
    private final int rounds;
    /** Goes down when rounds need not be run after all. */
    private int total;
    private int done;
    private long spentMillis;

    /** @param total rounds of configurations still to run */
    Progress(final PrintStream out, final int total, final int rounds) {
        this.out = out;
        this.total = total;
        this.rounds = rounds;
    }

    /** A round of a configuration that was declined in an earlier one. */
    void skipped() {
        total--;
    }

    /** Its library does not do what was asked: it is left out, and so are its further rounds. */
    void declined(final Entry entry, final int round, final String reason, final long wallMillis) {
        line(entry, round, "left out: " + reason, wallMillis);
    }

    /**
     * @param wrong       whether a round of the configuration gave a wrong result: then no time is shown
     * @param medianNanos of the round's group times, if it has any
     */
    void finished(final Entry entry, final RoundResult round, final boolean wrong, final OptionalDouble medianNanos) {
        final var c = entry.configuration();
        final var what = medianNanos.isPresent() && !wrong
                ? String.format(Locale.ROOT, "%10.3f ms/cycle %9.2f us/call", medianNanos.getAsDouble() / NANOS_PER_MILLI, medianNanos.getAsDouble() / NANOS_PER_MICRO / c.calls())
                : wrong ? "WRONG: " + round.error().orElse("an earlier round was wrong") : round.status() + ": " + round.error().orElse("");
        line(entry, round.round(), what, round.wallMillis());
    }

    private void line(final Entry entry, final int round, final String what, final long wallMillis) {
        done++;
        spentMillis += wallMillis;
        final var c = entry.configuration();
        final var width = Integer.toString(total).length();
        final var remarks = Stream.concat(c.skewNanos() == Skew.NONE ? Stream.of() : Stream.of("skew " + Skew.format(c.skewNanos())), entry.marks().stream()).toList();
        out.printf(Locale.ROOT, "[%" + width + "d/%d] round %d/%d  %-34s world %-2d %-8s %s%s%s%n", done, total, round, rounds, c.collective(), c.world(),
                Sizes.format(c.bytes()), what, remarks.isEmpty() ? "" : "  " + String.join(", ", remarks),
                done == total ? "" : "  " + DryRun.duration(Math.round((double) spentMillis / done * (total - done) / 1e3)) + " left");
    }
}
