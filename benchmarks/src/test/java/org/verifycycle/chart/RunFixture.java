package org.verifycycle.chart;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.Environment;
import org.verifycycle.result.Estimate;
import org.verifycycle.result.Interval;
import org.verifycycle.result.LeftOut;
import org.verifycycle.result.PlanRecord;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.result.Workload;
import org.verifycycle.stats.Analysis;
import org.verifycycle.stats.RunAnalysis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Made-up runs with every kind of entry in them, analysed as real ones are. */
public final class RunFixture {
    public static final int BYTES = 43_008;
    private static final int CALLS = 122;

    private final List<String> collectives;
    private final List<Integer> worlds;
    private final List<Integer> sizes;
    private final int rounds;
    private final int cycles;
    private final boolean gpus;
    private final Map<String, RoundResult.Status> bad = new HashMap<>();
    private String error = "rank 1 died: exit code 137";
    private String host = "box7";
    private boolean estimatesForWrong;
    private boolean withFloor = true;
    private double copyFactor = 1;
    private List<Integer> skews = List.of(0);
    private List<Launch> launches = List.of();
    private int planned;

    private RunFixture(final List<String> collectives, final List<Integer> worlds, final List<Integer> sizes, final int rounds, final int cycles,
                       final boolean gpus) {
        this.collectives = collectives;
        this.worlds = worlds;
        this.sizes = sizes;
        this.rounds = rounds;
        this.cycles = cycles;
        this.gpus = gpus;
        this.planned = rounds;
    }

    /** Run, analysis and samples. */
    public record Made(Run run, RunAnalysis analysis, Function<RoundResult, Samples> samples) {
        public RunView view() {
            return new RunView(run, analysis);
        }
    }

    /** Two worlds, one oversubscribed, five sizes, one wrong, one failed; the last named is the baseline. */
    public static RunFixture host() {
        return new RunFixture(List.of("host/one-shot-pull", "host/two-shot-pull", "host/one-shot-ll", "host/two-shot-ll:chunk=8192",
                "host/one-shot-ll:chunk=4096", "host/broken", "host/crashing", "host/ring"), List.of(2, 4),
                List.of(8192, 14_336, BYTES, 131_072, 1 << 20), 5, 400, false)
                .bad("host/broken", RoundResult.Status.WRONG).bad("host/crashing", RoundResult.Status.FAILED);
    }

    public static RunFixture gpu() {
        return new RunFixture(List.of("ipc/one-shot-pull", "ipc/two-shot-pull", "ipc/one-shot-ll:pdl=on;threads=128",
                "ipc/one-shot-sentinel:blocks=21;pdl=on;threads=128", "ipc/two-shot-sentinel", "nccl/tree", "nccl/ring:channels=2;proto=LL",
                "nccl/default:channels=32;p2p=off;proto=LL128;symmetric=off", "nccl/default"), List.of(8),
                List.of(8192, BYTES, 131_072, 524_288, 1 << 20), 5, 400, true);
    }

    public static RunFixture of(final List<String> collectives, final List<Integer> worlds, final List<Integer> sizes, final int rounds) {
        return new RunFixture(collectives, worlds, sizes, rounds, 200, false);
    }

    public RunFixture bad(final String collective, final RoundResult.Status status) {
        bad.put(collective, status);
        return this;
    }

    public RunFixture error(final String text) {
        error = text;
        return this;
    }

    public RunFixture host(final String name) {
        host = name;
        return this;
    }

    /** How many times as long as the baseline its copy takes. */
    public RunFixture copyTakes(final double factor) {
        copyFactor = factor;
        return this;
    }

    public RunFixture skews(final Integer... nanos) {
        skews = List.of(nanos);
        return this;
    }

    /** In place of the one that goes with the device. */
    public RunFixture launches(final Launch... kinds) {
        launches = List.of(kinds);
        return this;
    }

    /** More rounds than are done: the run is not finished. */
    public RunFixture planned(final int number) {
        planned = number;
        return this;
    }

    public RunFixture withoutFloor() {
        withFloor = false;
        return this;
    }

    /** As if the statistics had not left it out: nobody may show it all the same. */
    public RunFixture estimatesForWrong() {
        estimatesForWrong = true;
        return this;
    }

    public Made make() {
        final var samples = new HashMap<String, Samples>();
        final var entries = new ArrayList<Entry>();
        for (final var world : worlds) {
            for (final var bytes : sizes) {
                for (final var skew : skews) {
                    for (final var launch : launches.isEmpty() ? List.of(gpus ? Launch.GRAPH : Launch.EAGER) : launches) {
                        group(world, bytes, skew, launch, entries, samples);
                    }
                }
            }
        }
        final var run = new Run(Run.SCHEMA, "20260701T120000Z-" + host + "-a5ecbd5", Instant.parse("2026-07-01T12:00:00Z"),
                planned > rounds ? Optional.empty() : Optional.of(Instant.parse("2026-07-01T12:02:41Z")), List.of("java", "-jar", "benchmarks.jar", "run", "--budget", "3m"),
                new Workload("kimi-k2.5, 3 tokens", CALLS, BYTES, Dtype.BF16, "61 layers x 2, hidden 7168"),
                new PlanRecord(planned, 42, 300, 700, Optional.of(180)), environment(), entries,
                List.of(new LeftOut("nccl/*", "no GPU in this machine"), new LeftOut("world 8", "more than twice as many ranks as cores (2)")));
        final Function<RoundResult, Samples> reader = round -> samples.get(round.samplesFile().orElseThrow());
        return new Made(run, analyse(run, reader), reader);
    }

    private void group(final int world, final int bytes, final int skew, final Launch launch, final List<Entry> entries, final Map<String, Samples> samples) {
        for (var c = 0; c < collectives.size(); c++) {
            final var purpose = c == collectives.size() - 1 ? Entry.Purpose.BASELINE : Entry.Purpose.CANDIDATE;
            entries.add(entry("c" + entries.size(), collectives.get(c), c, world, bytes, skew, launch, purpose, samples));
        }
        final var last = collectives.size() - 1;
        entries.add(entry("c" + entries.size(), collectives.get(last), last, world, bytes, skew, launch, Entry.Purpose.BASELINE_COPY, samples));
        if (withFloor) {
            entries.add(entry("c" + entries.size(), gpus ? "ipc/flag-exchange" : "host/flag-exchange", -1, world, bytes, skew, launch, Entry.Purpose.FLOOR, samples));
        }
    }

    private Environment environment() {
        return new Environment(host, "Debian GNU/Linux 12", "Intel(R) Xeon(R) Platinum 8480+", gpus ? 128 : 2, 15_872, "Debian 17.0.15", "a5ecbd5",
                gpus ? java.util.Collections.nCopies(8, "NVIDIA RTX PRO 6000 Blackwell") : List.of(), new TreeMap<>(Map.of("NCCL_DEBUG", "WARN")),
                new TreeMap<>(Map.of("governor", "performance", "load at start", "0.12")));
    }

    private Entry entry(final String id, final String spec, final int index, final int world, final int bytes, final int late, final Launch launch, final Entry.Purpose purpose,
                        final Map<String, Samples> samples) {
        final var random = new Random(31L * spec.hashCode() + 7L * world + bytes + purpose.ordinal());
        final var base = index < 0 ? 700 : (gpus ? 4000 : 5500) + 900 * ((index * 5) % Math.max(1, collectives.size())) + bytes * (0.05 + 0.03 * (index % 3));
        final var perCall = base * (world > 2 && !gpus ? 4.0 + world : 1)
                * (purpose == Entry.Purpose.BASELINE_COPY ? copyFactor : 1);
        final var status = bad.getOrDefault(spec, RoundResult.Status.OK);
        final var results = new ArrayList<RoundResult>();
        for (var round = 1; round <= rounds; round++) {
            final var ok = status == RoundResult.Status.OK || status == RoundResult.Status.FAILED && bytes < BYTES && round < 3;
            final var effect = 1 + 0.02 * random.nextGaussian();
            if (ok) {
                samples.put("samples/" + id + "-" + round, samples(random, perCall * CALLS * effect, late));
            }
            results.add(new RoundResult(round, 0, ok ? RoundResult.Status.OK : status, ok ? Optional.empty() : Optional.of(error),
                    Instant.parse("2026-07-01T12:00:00Z"), 1000, ok ? cycles : 0, ok ? Optional.of("samples/" + id + "-" + round) : Optional.empty()));
        }
        return new Entry(id, new Configuration(CollectiveSpec.parse(spec), world, bytes, gpus ? Dtype.BF16 : Dtype.FP32,
                launch, CALLS, late), purpose, world > environment().cores() ? List.of(Entry.OVERSUBSCRIBED) : List.of(),
                results, Optional.empty());
    }

    private Samples samples(final Random random, final double nanos, final int late) {
        final var group = new long[cycles];
        final var skew = new long[cycles];
        for (var i = 0; i < cycles; i++) {
            final var slow = random.nextInt(80) == 0 ? 1 + random.nextDouble() * 1.5 : 1;
            group[i] = (long) (nanos * slow * Math.exp(0.03 * random.nextGaussian()));
            skew[i] = late + (long) (300 + 200 * random.nextDouble());
        }
        return new Samples(group, skew, Optional.empty());
    }

    /** The real one, with times for wrong entries added where a test wants to see them refused. */
    private RunAnalysis analyse(final Run run, final Function<RoundResult, Samples> samples) {
        final var analysis = Analysis.of(run, samples);
        if (!estimatesForWrong) {
            return analysis;
        }
        final var estimates = new HashMap<>(analysis.estimates());
        run.entries().stream().filter(Entry::wrong).forEach(e -> estimates.put(e.id(), new Estimate(1234, Optional.of(new Interval(1200, 1300)), 1234, 1250,
                1260, 1270, 10, rounds, 100, 0)));
        return new RunAnalysis(estimates, analysis.groups(), analysis.answers());
    }
}
