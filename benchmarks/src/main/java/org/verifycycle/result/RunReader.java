package org.verifycycle.result;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.Skew;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The records of a run out of a JSON tree; refuses what {@link RunWriter} would not have written. */
final class RunReader {
    /** Ids are part of file names. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    private RunReader() {
    }

    static Run run(final Fields f) {
        final var run = new Run(f.integer("schema", Run.SCHEMA, Run.SCHEMA), f.text("id"), f.instant("startedAt"), f.optionalInstant("finishedAt"),
                f.texts("command"), f.object("workload", RunReader::workload), f.object("plan", RunReader::plan),
                f.object("environment", RunReader::environment), f.objects("entries", RunReader::entry),
                f.objects("leftOut", left -> new LeftOut(left.text("what"), left.text("reason"))),
                f.optionalObject("fabric", FabricJson::read));
        final var ids = new HashSet<String>();
        for (var i = 0; i < run.entries().size(); i++) {
            final var entry = run.entries().get(i);
            if (!ids.add(entry.id())) {
                throw f.refuseField("entries[" + i + "].id", "is '" + entry.id() + "' like one before it");
            }
            checkRounds(f, "entries[" + i + "]", entry, run.plan().rounds());
        }
        return run;
    }

    private static void checkRounds(final Fields f, final String path, final Entry entry, final int planned) {
        final var numbers = new HashSet<Integer>();
        for (var i = 0; i < entry.rounds().size(); i++) {
            final var round = entry.rounds().get(i).round();
            if (round > planned || !numbers.add(round)) {
                throw f.refuseField(path + ".rounds[" + i + "].round",
                        "is " + round + (round > planned ? ", but the plan has " + planned + " rounds" : " like one before it"));
            }
        }
    }

    private static Workload workload(final Fields f) {
        return new Workload(f.text("name"), f.integer("calls", 1, Configuration.MAX_CALLS), f.integer("bytes", 1, Configuration.MAX_BYTES),
                f.parsed("dtype", Dtype::parse), f.text("source"));
    }

    private static PlanRecord plan(final Fields f) {
        return new PlanRecord(f.integer("rounds", 1, Integer.MAX_VALUE), f.wholeNumber("shuffleSeed", Long.MIN_VALUE, Long.MAX_VALUE),
                f.integer("warmupMillis", 0, Integer.MAX_VALUE), f.integer("measureMillis", 1, Integer.MAX_VALUE),
                f.optionalInteger("budgetSeconds", 1, Integer.MAX_VALUE));
    }

    private static Environment environment(final Fields f) {
        return new Environment(f.text("host"), f.text("os"), f.text("cpu"), f.integer("cores", 1, Integer.MAX_VALUE),
                f.wholeNumber("memoryMiB", 0, Long.MAX_VALUE), f.text("jvm"), f.text("commit"), f.texts("devices"), f.textMap("variables"),
                f.textMap("facts"));
    }

    private static Entry entry(final Fields f) {
        final var id = f.text("id");
        if (!ID.matcher(id).matches()) {
            throw f.refuseField("id", "is '" + id + "', not letters, digits, '-' and '_'");
        }
        return new Entry(id, f.object("configuration", RunReader::configuration), constant(f, "purpose", Entry.Purpose.values()),
                f.texts("marks"), f.objects("rounds", r -> round(r, id)), f.optionalObject("estimate", RunReader::estimate));
    }

    private static Configuration configuration(final Fields f) {
        return new Configuration(f.parsed("collective", CollectiveSpec::parse), f.integer("world", Configuration.MIN_WORLD, Configuration.MAX_WORLD),
                f.integer("bytes", 1, Configuration.MAX_BYTES), f.parsed("dtype", Dtype::parse), f.parsed("launch", Launch::parse),
                f.integer("calls", 1, Configuration.MAX_CALLS), f.integer("skewNanos", Skew.NONE, Skew.MAX_NANOS));
    }

    private static RoundResult round(final Fields f, final String entryId) {
        final var result = new RoundResult(f.integer("round", 1, Integer.MAX_VALUE), f.integer("position", 0, Integer.MAX_VALUE),
                constant(f, "status", RoundResult.Status.values()), f.optionalText("error"), f.instant("startedAt"),
                f.wholeNumber("wallMillis", 0, Long.MAX_VALUE), f.integer("cycles", 0, Integer.MAX_VALUE), f.optionalText("samplesFile"), f.texts("notes"),
                f.optionalObject("memory", m -> DeviceMemory.of(field -> m.wholeNumber(field, 0, Long.MAX_VALUE))));
        final var ok = result.status() == RoundResult.Status.OK;
        if (ok == result.error().isPresent()) {
            throw f.refuseField("error", ok ? "is given, but status is ok" : "is null, but status is " + RunWriter.id(result.status()));
        }
        // The name is known; any other (say ../../x) would make a reader open a file that is not the run's.
        final var expected = ok ? Optional.of(RunStore.samplesPath(entryId, result.round())) : Optional.<String>empty();
        if (!expected.equals(result.samplesFile())) {
            throw f.refuseField("samplesFile", "is " + result.samplesFile().map(s -> "'" + s + "'").orElse("null") + ", not "
                    + expected.map(s -> "'" + s + "'").orElse("null"));
        }
        return result;
    }

    private static Estimate estimate(final Fields f) {
        return new Estimate(f.amount("medianNanos"), f.optionalObject("interval", i -> new Interval(i.amount("low"), i.amount("high"))),
                f.amount("p50Nanos"), f.amount("p95Nanos"), f.amount("p99Nanos"), f.amount("maxNanos"), f.amount("skewMedianNanos"),
                f.integer("rounds", 1, Integer.MAX_VALUE), f.wholeNumber("cycles", 1, Long.MAX_VALUE), f.wholeNumber("outliers", 0, Long.MAX_VALUE));
    }

    static <E extends Enum<E>> E constant(final Fields f, final String name, final E[] constants) {
        return f.parsed(name, text -> Arrays.stream(constants).filter(c -> RunWriter.id(c).equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "'; known: "
                        + List.of(constants).stream().map(RunWriter::id).collect(Collectors.joining(", ")))));
    }
}
