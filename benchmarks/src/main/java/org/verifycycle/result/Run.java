package org.verifycycle.result;

import org.verifycycle.collective.Configuration;
import org.verifycycle.device.Fabric;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything a run knows but its raw samples; stored as {@code run.json}. Immutable: every step gives a new one.
 *
 * @param schema    version of this layout, {@link #SCHEMA}
 * @param id        the run folder's name, {@code <UTC time>-<host>-<sha>}
 * @param command   the exact command line, {@code java -jar benchmarks.jar} included
 * @param entries   configurations in the order of the plan
 * @param leftOut   what was asked for and not measured, with the reason
 * @param fabric   what a probe of the links between GPUs found before it; absent where there are none, or on request
 * @param finishedAt absent while it runs, or when it was interrupted
 */
public record Run(int schema, String id, Instant startedAt, Optional<Instant> finishedAt, List<String> command,
                  Workload workload, PlanRecord plan, Environment environment, List<Entry> entries, List<LeftOut> leftOut, Optional<Fabric> fabric) {
    public static final int SCHEMA = 4;

    public Run {
        command = List.copyOf(command);
        entries = List.copyOf(entries);
        leftOut = List.copyOf(leftOut);
    }

    /** Without a probe of the links. */
    public Run(final int schema, final String id, final Instant startedAt, final Optional<Instant> finishedAt, final List<String> command, final Workload workload, final PlanRecord plan,
               final Environment environment, final List<Entry> entries, final List<LeftOut> leftOut) {
        this(schema, id, startedAt, finishedAt, command, workload, plan, environment, entries, leftOut, Optional.empty());
    }

    /** This run with an entry in place of the one of the same id. */
    public Run with(final Entry entry) {
        return new Run(schema, id, startedAt, finishedAt, command, workload, plan, environment,
                entries.stream().map(e -> e.id().equals(entry.id()) ? entry : e).toList(), leftOut, fabric);
    }

    /** This run without an entry whose request a library declined: it is left out with that reason, and so are its earlier rounds. */
    public Run declined(final Entry entry, final String reason) {
        final var more = new ArrayList<>(leftOut);
        more.add(new LeftOut(entry.configuration().toString(), reason));
        return new Run(schema, id, startedAt, finishedAt, command, workload, plan, environment, entries.stream().filter(e -> !e.id().equals(entry.id())).toList(), more,
                fabric);
    }

    /** Whether it has an entry of that id: those that were declined are gone. */
    public boolean has(final String entryId) {
        return entries.stream().anyMatch(e -> e.id().equals(entryId));
    }

    /** Whether any round of a configuration, the A/A copy's included, was wrong: then no time of it may be shown. */
    public boolean wrong(final Configuration configuration) {
        return entries.stream().anyMatch(e -> e.configuration().equals(configuration) && e.wrong());
    }

    /** @throws IllegalArgumentException if there is none of that id */
    public Entry entry(final String entryId) {
        return entries.stream().filter(e -> e.id().equals(entryId)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no entry '" + entryId + "' in run " + id));
    }
}
