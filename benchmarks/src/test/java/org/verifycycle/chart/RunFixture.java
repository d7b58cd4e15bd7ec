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
import org.verifycycle.stats.Comparison;
import org.verifycycle.stats.RunAnalysis;
import org.verifycycle.stats.Verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;

/** Made-up runs with every kind of entry in them, analysed in a simple way: for the looks, not for the numbers. */
public final class RunFixture {
    public static final int BYTES = 43_008;
    private static final int CALLS = 122;
    private static final double MARGIN = 0.02;

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

    private RunFixture(final List<String> collectives, final List<Integer> worlds, final List<Integer> sizes, final int rounds, final int cycles,
                       final boolean gpus) {
        this.collectives = collectives;
        this.worlds = worlds;
        this.sizes = sizes;
        this.rounds = rounds;
        this.cycles = cycles;
        this.gpus = gpus;
    }

    /** Run, analysis and samples. */
    public record Made(Run run, RunAnalysis analysis, SampleReader samples) {
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
                for (var c = 0; c < collectives.size(); c++) {
                    final var purpose = c == collectives.size() - 1 ? Entry.Purpose.BASELINE : Entry.Purpose.CANDIDATE;
                    entries.add(entry("c" + entries.size(), collectives.get(c), c, world, bytes, purpose, samples));
                }
                final var last = collectives.size() - 1;
                entries.add(entry("c" + entries.size(), collectives.get(last), last, world, bytes, Entry.Purpose.BASELINE_COPY, samples));
                if (withFloor) {
                    entries.add(entry("c" + entries.size(), gpus ? "ipc/flag-exchange" : "host/flag-exchange", -1, world, bytes, Entry.Purpose.FLOOR, samples));
                }
            }
        }
        final var run = new Run(Run.SCHEMA, "20260701T120000Z-" + host + "-a5ecbd5", Instant.parse("2026-07-01T12:00:00Z"),
                Optional.of(Instant.parse("2026-07-01T12:02:41Z")), List.of("run", "--budget", "3m"),
                new Workload("kimi-k2.5, 3 tokens", CALLS, BYTES, Dtype.BF16, "61 layers x 2, hidden 7168"),
                new PlanRecord(rounds, 42, 300, 700, Optional.of(180)), environment(), entries,
                List.of(new LeftOut("nccl/*", "no GPU in this machine"), new LeftOut("world 8", "more than twice as many ranks as cores (2)")));
        return new Made(run, analyse(run, samples), (entry, round) -> samples.get(entry.id() + "/" + round.round()));
    }

    private Environment environment() {
        return new Environment(host, "Debian GNU/Linux 12", "Intel(R) Xeon(R) Platinum 8480+", gpus ? 128 : 2, 15_872, "Debian 17.0.15", "a5ecbd5",
                gpus ? java.util.Collections.nCopies(8, "NVIDIA RTX PRO 6000 Blackwell") : List.of(), new TreeMap<>(Map.of("NCCL_DEBUG", "WARN")),
                new TreeMap<>(Map.of("governor", "performance", "load at start", "0.12")));
    }

    private Entry entry(final String id, final String spec, final int index, final int world, final int bytes, final Entry.Purpose purpose,
                        final Map<String, Samples> samples) {
        final var random = new Random(31L * spec.hashCode() + 7L * world + bytes + purpose.ordinal());
        final var base = index < 0 ? 700 : (gpus ? 4000 : 5500) + 900 * ((index * 5) % Math.max(1, collectives.size())) + bytes * (0.05 + 0.03 * (index % 3));
        final var perCall = base * (world > 2 && !gpus ? 4.0 + world : 1);
        final var status = bad.getOrDefault(spec, RoundResult.Status.OK);
        final var results = new ArrayList<RoundResult>();
        for (var round = 1; round <= rounds; round++) {
            final var ok = status == RoundResult.Status.OK || status == RoundResult.Status.FAILED && bytes < BYTES && round < 3;
            final var effect = 1 + 0.02 * random.nextGaussian();
            if (ok || estimatesForWrong) {
                samples.put(id + "/" + round, samples(random, perCall * CALLS * effect));
            }
            results.add(new RoundResult(round, 0, ok ? RoundResult.Status.OK : status, ok ? Optional.empty() : Optional.of(error),
                    Instant.parse("2026-07-01T12:00:00Z"), 1000, ok ? cycles : 0, ok ? Optional.of("samples/" + id + "-" + round) : Optional.empty()));
        }
        return new Entry(id, new Configuration(CollectiveSpec.parse(spec), world, bytes, gpus ? Dtype.BF16 : Dtype.FP32,
                gpus ? Launch.GRAPH : Launch.EAGER, CALLS), purpose, world > environment().cores() ? List.of(Entry.OVERSUBSCRIBED) : List.of(),
                results, Optional.empty());
    }

    private Samples samples(final Random random, final double nanos) {
        final var group = new long[cycles];
        final var skew = new long[cycles];
        for (var i = 0; i < cycles; i++) {
            final var slow = random.nextInt(80) == 0 ? 1 + random.nextDouble() * 1.5 : 1;
            group[i] = (long) (nanos * slow * Math.exp(0.03 * random.nextGaussian()));
            skew[i] = (long) (300 + 200 * random.nextDouble());
        }
        return new Samples(group, skew, Optional.empty());
    }

    private RunAnalysis analyse(final Run run, final Map<String, Samples> samples) {
        final var estimates = new HashMap<String, Estimate>();
        for (final var entry : run.entries()) {
            final var ok = estimatesForWrong ? entry.rounds() : entry.measured();
            if (!ok.isEmpty() && (estimatesForWrong || !entry.wrong())) {
                estimates.put(entry.id(), estimate(ok.stream().map(r -> samples.get(entry.id() + "/" + r.round())).toList()));
            }
        }
        final var groups = new ArrayList<RunAnalysis.Group>();
        for (final var world : worlds) {
            for (final var bytes : sizes) {
                groups.add(group(run, world, bytes, estimates));
            }
        }
        final var answers = new ArrayList<RunAnalysis.Answer>();
        for (final var group : groups) {
            final var candidates = group.entries().stream().filter(e -> estimates.containsKey(e.id())
                    && e.purpose() != Entry.Purpose.FLOOR && e.purpose() != Entry.Purpose.BASELINE_COPY).toList();
            if (group.bytes() == BYTES && !candidates.isEmpty()) {
                final var best = candidates.get(0);
                final var tied = candidates.stream().skip(1).filter(e -> estimates.get(e.id()).medianNanos() < 1.02 * estimates.get(best.id()).medianNanos())
                        .map(Entry::id).toList();
                answers.add(new RunAnalysis.Answer(group, best.id(), tied, group.comparison(best.id())));
            }
        }
        return new RunAnalysis(estimates, groups, answers);
    }

    private RunAnalysis.Group group(final Run run, final int world, final int bytes, final Map<String, Estimate> estimates) {
        final Comparator<Entry> byTime = Comparator.comparingDouble(e -> estimates.containsKey(e.id()) ? estimates.get(e.id()).medianNanos() : Double.MAX_VALUE);
        final var entries = run.entries().stream().filter(e -> e.configuration().world() == world && e.configuration().bytes() == bytes)
                .sorted(byTime).toList();
        final var baseline = entries.stream().filter(e -> e.purpose() == Entry.Purpose.BASELINE && estimates.containsKey(e.id())).findFirst();
        final var comparisons = new ArrayList<Comparison>();
        baseline.ifPresent(b -> entries.stream().filter(e -> e.purpose() == Entry.Purpose.CANDIDATE && estimates.containsKey(e.id()))
                .forEach(e -> comparisons.add(compare(e, b, estimates))));
        final var floor = entries.stream().filter(e -> e.purpose() == Entry.Purpose.FLOOR && estimates.containsKey(e.id())).findFirst();
        final var first = entries.get(0).configuration();
        return new RunAnalysis.Group(world, bytes, first.dtype(), first.launch(), CALLS, entries, baseline.map(Entry::id),
                floor.isPresent() ? OptionalDouble.of(estimates.get(floor.get().id()).medianNanos()) : OptionalDouble.empty(),
                rounds > 1 ? OptionalDouble.of(0.008) : OptionalDouble.empty(), comparisons);
    }

    private static Comparison compare(final Entry entry, final Entry baseline, final Map<String, Estimate> estimates) {
        final var own = estimates.get(entry.id());
        final var other = estimates.get(baseline.id());
        final var ratio = own.medianNanos() / other.medianNanos();
        final var interval = own.interval().map(i -> new Interval(ratio * 0.96, ratio * 1.05));
        final var verdict = interval.map(i -> i.high() < 1 - MARGIN ? Verdict.FASTER : i.low() > 1 + MARGIN ? Verdict.SLOWER : Verdict.UNDECIDED)
                .orElse(Verdict.UNDECIDED);
        return new Comparison(entry.id(), baseline.id(), ratio, interval, interval.isPresent() ? OptionalDouble.of(0.01) : OptionalDouble.empty(),
                OptionalDouble.of(0.02), MARGIN, verdict);
    }

    private static Estimate estimate(final List<Samples> rounds) {
        final var medians = rounds.stream().mapToDouble(s -> Arrays.stream(s.groupNanos()).sorted().toArray()[s.cycles() / 2]).sorted().toArray();
        final var all = rounds.stream().flatMapToLong(s -> Arrays.stream(s.groupNanos())).sorted().toArray();
        final var median = medians[medians.length / 2];
        final var interval = medians.length < 2 ? Optional.<Interval>empty()
                : Optional.of(new Interval(median * 0.975 - 0.4 * (median - medians[0]), median * 1.01 + (medians[medians.length - 1] - median)));
        return new Estimate(median, interval, all[all.length / 2], all[all.length * 95 / 100], all[all.length * 99 / 100], all[all.length - 1], 400,
                medians.length, all.length, all.length / 90);
    }
}
