package org.verifycycle.plan;

import org.verifycycle.chart.Wrap;
import org.verifycycle.collective.Skew;
import org.verifycycle.report.TerminalReport;
import org.verifycycle.result.Entry;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A plan as text, for {@code run --dry-run}. */
public final class DryRun {
    private static final String INDENT = "    ";

    private DryRun() {
    }

    /** Configurations, what is left out and why, and how long it will take. */
    public static String text(final Plan plan) {
        final var out = new StringBuilder();
        out.append("%s: %d calls of %s%n".formatted(plan.workload().name(), plan.workload().calls(), Sizes.format(plan.workload().bytes())));
        out.append("%d configurations x %d rounds, shuffled in every round (seed %d), about %s%n%n".formatted(plan.entries().size(), plan.settings().rounds(),
                plan.settings().shuffleSeed(), duration(plan.estimateSeconds())));
        plan.entries().forEach(e -> out.append("  %-4s %-44s world %-2d  %-9s %-4s %-5s  %s%n".formatted(e.id(), e.configuration().collective(), e.configuration().world(),
                Sizes.format(e.configuration().bytes()), e.configuration().dtype().id(), e.configuration().launch().id(), remarks(e)).replaceAll("\\s+(\\R)", "$1")));
        if (!plan.leftOut().isEmpty()) {
            out.append("%nLeft out:%n".formatted());
            plan.leftOut().forEach(l -> out.append("  %s: %s%n".formatted(l.what(), l.reason())));
        }
        return out.toString().lines().flatMap(line -> wrapped(line).stream()).map(line -> line + System.lineSeparator()).collect(Collectors.joining());
    }

    /** Lines of a terminal's width, the further ones set in. */
    private static List<String> wrapped(final String line) {
        if (line.length() <= TerminalReport.WIDTH) {
            return List.of(line);
        }
        final var pieces = Wrap.lines(line, TerminalReport.WIDTH - INDENT.length(), String::length);
        return IntStream.range(0, pieces.size()).mapToObj(i -> (i == 0 ? line.startsWith("  ") ? "  " : "" : INDENT) + pieces.get(i)).toList();
    }

    /** E.g. {@code 2 min 5 s}. */
    public static String duration(final long seconds) {
        return seconds < 60 ? seconds + " s" : seconds < 3600 ? "%d min %d s".formatted(seconds / 60, seconds % 60) : "%d h %d min".formatted(seconds / 3600, seconds / 60 % 60);
    }

    private static String remarks(final Entry entry) {
        final var purpose = entry.purpose() == Entry.Purpose.CANDIDATE ? "" : entry.purpose().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        final var skew = entry.configuration().skewNanos();
        return Stream.concat(Stream.of(skew == Skew.NONE ? "" : "skew " + Skew.format(skew), purpose), entry.marks().stream()).filter(s -> !s.isEmpty()).collect(Collectors.joining(", "));
    }
}
