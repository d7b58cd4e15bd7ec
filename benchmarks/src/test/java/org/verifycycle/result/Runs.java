package org.verifycycle.result;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.device.Fabric;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Runs to store. */
final class Runs {
    static final Instant AT = Instant.parse("2026-01-31T12:00:00.123456789Z");

    private Runs() {
    }

    /** Two entries, none measured. */
    static Run fresh() {
        return run(List.of(entry("c01", "host/ring", Entry.Purpose.BASELINE), entry("c02", "host/one-shot-ll:threads=1", Entry.Purpose.CANDIDATE)), Optional.empty());
    }

    /** Every Optional present, every list filled, every status used. */
    static Run full() {
        final var ok = new RoundResult(1, 1, RoundResult.Status.OK, Optional.empty(), AT, 1_801, 250, Optional.of("samples/c01-r1.vcs"), List.of("NCCL 2.28.9 chose: RING LL, 8 channels"),
                Optional.of(new DeviceMemory(96L << 20, 2L << 20, 3_145_728)));
        final var failed = new RoundResult(2, 0, RoundResult.Status.FAILED, Optional.of("rank 1 died: \"signal 9\"\nö"), AT.plusSeconds(5), 900, 0, Optional.empty());
        final var estimate = new Estimate(1_203_456.5, Optional.of(new Interval(1_190_000.1, 1_220_000.9)), 1_200_000, 1_300_000, 1_400_000, 9.0e9, 812.25, 5, 1_250, 3);
        final var first = new Entry("c01", entry("c01", "host/ring", Entry.Purpose.BASELINE).configuration(), Entry.Purpose.BASELINE,
                List.of(Entry.OVERSUBSCRIBED), List.of(ok, failed), Optional.of(estimate));
        final var run = run(List.of(first, entry("c02", "host/one-shot-ll:threads=1", Entry.Purpose.CANDIDATE)), Optional.of(AT.plusSeconds(99)));
        return new Run(run.schema(), run.id(), run.startedAt(), run.finishedAt(), run.command(), run.workload(), run.plan(), run.environment(), run.entries(), run.leftOut(), Optional.of(fabric()));
    }

    private static Fabric fabric() {
        final var pairs = List.of(new Fabric.Pair(0, 1, Optional.of("no answer"), 812.5, 25.4, 27.1, 2.7, 20.6, 1, 2, 3, 4, 5, 6), new Fabric.Pair(1, 0, Optional.empty(), 812.5, 25.3, 27, 2.6, 20.5, 0, 0, 0, 0, 0, 0));
        return new Fabric(Optional.of("ended early"), 1_204, pairs, List.of(new Fabric.Host(0, 50.25, 48)), List.of(new Fabric.Finding(Fabric.Kind.TORN_16, "16-byte stores tear on 0->1: sentinel kernels off")));
    }

    static Entry entry(final String id, final String spec, final Entry.Purpose purpose) {
        return new Entry(id, new Configuration(CollectiveSpec.parse(spec), 2, 43_008, Dtype.FP32, Launch.EAGER, 122), purpose, List.of(), List.of(), Optional.empty());
    }

    private static Run run(final List<Entry> entries, final Optional<Instant> finishedAt) {
        return new Run(Run.SCHEMA, "20260131T120000Z-node7-a1b2c3d", AT, finishedAt, List.of("run", "--world", "2"),
                new Workload("kimi-k2.5, 3 tokens", 122, 43_008, Dtype.BF16, "config.json"),
                new PlanRecord(5, Long.MIN_VALUE + 1, 200, 300, finishedAt.map(t -> 150)),
                new Environment("node7", "Linux 6.1", "AMD EPYC", 2, 48_211, "OpenJDK 17", "a1b2c3d+dirty", List.of("GPU 0: H200"),
                        new TreeMap<>(Map.of("NCCL_PROTO", "LL")), new TreeMap<>(Map.of("cpuGovernor", "performance"))),
                entries, List.of(new LeftOut("world 4", "more ranks than cores")));
    }

    /** A cycle of 122 calls of about 10 us: slow drift, jitter of some per cent, and now and then the scheduler. */
    static Samples noise(final int cycles, final boolean device) {
        final var random = new Random(42);
        final var group = new long[cycles];
        final var skew = new long[cycles];
        final var gpu = new long[cycles];
        for (var i = 0; i < cycles; i++) {
            final var tail = random.nextInt(200) == 0 ? random.nextInt(4_000_000) : 0;
            group[i] = (long) (1_200_000 + 30_000 * Math.sin(i / 5_000.0) + 25_000 * random.nextGaussian()) + tail;
            skew[i] = 200 + (long) Math.abs(600 * random.nextGaussian());
            gpu[i] = group[i] - 5_000 - random.nextInt(500);
        }
        return new Samples(group, skew, device ? Optional.of(gpu) : Optional.empty());
    }
}
