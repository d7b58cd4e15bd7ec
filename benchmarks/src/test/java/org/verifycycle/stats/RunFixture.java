package org.verifycycle.stats;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Environment;
import org.verifycycle.result.PlanRecord;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.result.Workload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Small runs with chosen round medians. Ids are collectives (of the host where they name no backend), up to an underscore: {@code ring} and {@code ring_again} are of one configuration. */
final class RunFixture {
    static final int WORKLOAD_BYTES = 43_008;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Samples> files = new HashMap<>();
    private int world = 2;
    private int bytes = WORKLOAD_BYTES;
    private List<String> marks = List.of();
    private int skewNanos;

    /** Of entries added from here on. */
    RunFixture at(final int newWorld, final int newBytes, final String... newMarks) {
        world = newWorld;
        bytes = newBytes;
        marks = List.of(newMarks);
        return this;
    }

    /** Entries added from here on have a late rank. */
    RunFixture late(final int nanos) {
        skewNanos = nanos;
        return this;
    }

    RunFixture baseline(final String id, final double... medians) {
        return add(id, Entry.Purpose.BASELINE, medians);
    }

    RunFixture copy(final String id, final double... medians) {
        return add(id, Entry.Purpose.BASELINE_COPY, medians);
    }

    RunFixture floor(final String id, final double... medians) {
        return add(id, Entry.Purpose.FLOOR, medians);
    }

    /** @param medians of rounds 1, 2, ... in nanoseconds; NaN: the round failed; infinite: it was wrong */
    RunFixture candidate(final String id, final double... medians) {
        return add(id, Entry.Purpose.CANDIDATE, medians);
    }

    private RunFixture add(final String id, final Entry.Purpose purpose, final double... medians) {
        final var configuration = new Configuration(CollectiveSpec.parse((id.contains("/") ? "" : "host/") + id.replaceFirst("_.*", "")), world, bytes, Dtype.FP32, Launch.EAGER, 122, skewNanos);
        var entry = new Entry(id, configuration, purpose, marks, List.of(), Optional.empty());
        for (int i = 0; i < medians.length; i++) {
            final var status = Double.isNaN(medians[i]) ? RoundResult.Status.FAILED
                    : Double.isInfinite(medians[i]) ? RoundResult.Status.WRONG : RoundResult.Status.OK;
            final boolean ok = status == RoundResult.Status.OK;
            final var file = "samples/" + id + "-" + (i + 1);
            if (ok) {
                files.put(file, samples(medians[i]));
            }
            entry = entry.with(new RoundResult(i + 1, 0, status, ok ? Optional.empty() : Optional.of("broken"), Instant.EPOCH, 1000,
                    ok ? 3 : 0, ok ? Optional.of(file) : Optional.empty()));
        }
        entries.add(entry);
        return this;
    }

    /** Three cycles of that median, with skews 1, 2 and 3. */
    static Samples samples(final double median) {
        final long middle = Math.round(median);
        return samplesOf(middle - middle / 10, middle, middle + middle / 2);
    }

    static Samples samplesOf(final long... groupNanos) {
        final long[] skews = new long[groupNanos.length];
        Arrays.setAll(skews, i -> i + 1);
        return new Samples(groupNanos, skews, Optional.empty());
    }

    Run run() {
        final var environment = new Environment("box", "Linux", "CPU", 2, 4096, "17", "unknown", List.of(), new TreeMap<>(), new TreeMap<>());
        return new Run(Run.SCHEMA, "run", Instant.EPOCH, Optional.empty(), List.of("run"), new Workload("given", 122, WORKLOAD_BYTES, Dtype.BF16, "test"),
                new PlanRecord(5, 1, 0, 0, Optional.empty()), environment, entries, List.of());
    }

    Samples samples(final RoundResult round) {
        return files.get(round.samplesFile().orElseThrow());
    }

    RunAnalysis analysis() {
        return Analysis.of(run(), this::samples);
    }

    Measured measured(final String id) {
        return Measured.of(run().entry(id), this::samples).orElseThrow();
    }
}
