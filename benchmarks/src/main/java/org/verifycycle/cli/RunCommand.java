package org.verifycycle.cli;

import org.verifycycle.bench.Fitness;
import org.verifycycle.bench.RunExecutor;
import org.verifycycle.bench.RunLock;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.Skew;
import org.verifycycle.collective.nccl.NcclBackend;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpu;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Machine;
import org.verifycycle.device.Topology;
import org.verifycycle.plan.DryRun;
import org.verifycycle.plan.Durations;
import org.verifycycle.plan.Plan;
import org.verifycycle.plan.PlanRequest;
import org.verifycycle.plan.Planner;
import org.verifycycle.plan.Sizes;
import org.verifycycle.plan.Workloads;
import org.verifycycle.report.PolicyCheck;
import org.verifycycle.result.Environment;
import org.verifycycle.result.EnvironmentCollector;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Measures, then reports. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Measure a plan, then report.", sortOptions = false)
final class RunCommand implements Callable<Integer> {
    @Option(names = "--model", paramLabel = "NAME", completionCandidates = ModelNames.class,
            description = "Model whose verify cycle is meant: ${COMPLETION-CANDIDATES} (default: " + Workloads.DEFAULT_MODEL + ").")
    private String model;

    @Option(names = "--tokens", paramLabel = "N", description = "Tokens a verify cycle checks (default: " + Workloads.DEFAULT_TOKENS + ").")
    private Integer tokens;

    @Option(names = "--calls", paramLabel = "N", description = "All-reduce calls in a cycle, where no model is named.")
    private Integer calls;

    @Option(names = "--bytes", paramLabel = "SIZE", split = ",", description = "Bytes of one tensor, e.g. 43008, 42KiB, 1M (binary); several: a sweep.")
    private List<String> bytes = new ArrayList<>();

    @Option(names = "--dtype", paramLabel = "TYPE", split = ",", description = "fp32, bf16, fp16 (default: the model's on GPUs, fp32 on the host).")
    private List<String> dtypes = new ArrayList<>();

    @Option(names = "--collective", paramLabel = "NAME", description = "backend/algorithm[:key=value[;...]], or a glob such as 'host/*'; repeatable.")
    private List<String> collectives = new ArrayList<>();

    @Option(names = "--world", paramLabel = "N", split = ",", description = "Numbers of ranks, 2 to 16 (default: what the machine has cores or GPUs for).")
    private List<Integer> worlds = new ArrayList<>();

    @Option(names = "--ranks-per-gpu", paramLabel = "N", description = "Let up to N ranks share a GPU, under an MPS daemon of the run's own (default: ${DEFAULT-VALUE}). Right for checks of any world; says nothing about links.", defaultValue = "1")
    private int ranksPerGpu;

    @Option(names = "--launch", paramLabel = "KIND", split = ",", description = "graph, eager, barriered (each call has ended before the next starts).")
    private List<String> launches = new ArrayList<>();

    @Option(names = "--skew", paramLabel = "TIME", split = ",", description = "Make one rank, a different one in every cycle, so late: 0, or 5us to 10ms; several, e.g. 0,5us,20us,50us,150us, are compared (default: none late).")
    private List<String> skews = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Fresh processes per configuration (default: ${DEFAULT-VALUE}).", defaultValue = "" + PlanRequest.DEFAULT_ROUNDS)
    private int rounds;

    @Option(names = "--budget", paramLabel = "TIME", description = "Time measuring may take, e.g. 90s, 3m, 1h; sizes that do not fit are left out (default: 150s, without limit when --bytes is given).")
    private String budget;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Warm-up of each round (default: " + Planner.HOST_WARMUP_MILLIS + "ms on the host, " + Planner.GPU_WARMUP_MILLIS + "ms on GPUs).")
    private String warmup;

    @Option(names = "--measure", paramLabel = "TIME", description = "Measuring time of each round (default: ${DEFAULT-VALUE}).", defaultValue = PlanRequest.DEFAULT_MEASURE_MILLIS + "ms")
    private String measure;

    @Option(names = "--shuffle-seed", paramLabel = "SEED", description = "Of the order within each round (default: ${DEFAULT-VALUE}).", defaultValue = "1")
    private long seed;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for the results (default: results/<UTC time>-<host>-<commit>).")
    private Path outFolder;

    @Option(names = "--shm", paramLabel = "DIR", description = "Memory-backed folder for what ranks share (default: /dev/shm where it is one).")
    private Path sharedFolder;

    @Option(names = "--nccl", paramLabel = "FILE", description = "libnccl.so.2 to use (default: variable NCCL_LIB, the loader's path, Python's site-packages).")
    private Path nccl;

    @Option(names = "--no-probe", description = "Don't probe the links between GPUs first (some seconds).")
    private boolean noProbe;

    @Option(names = "--resume", paramLabel = "DIR", description = "Finish an interrupted run; takes no other option but --shm and --nccl.")
    private Path resume;

    @Option(names = "--dry-run", description = "Only say what would be measured, what is left out and why, and how long it would take.")
    private boolean dryRun;

    @Spec
    private CommandSpec spec;

    /** For the help text. */
    static final class ModelNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Workloads.models().stream().map(Workloads.Model::name).iterator();
        }
    }

    @Override
    public Integer call() throws Exception {
        if (ranksPerGpu < 1 || ranksPerGpu > Configuration.MAX_WORLD) {
            throw new UsageException("--ranks-per-gpu " + ranksPerGpu + " is not between 1 and " + Configuration.MAX_WORLD);
        }
        new GpuSharing(ranksPerGpu, Optional.empty()).tellThisProcess();
        Optional.ofNullable(nccl).ifPresent(file -> System.setProperty(NcclBackend.LIBRARY_PROPERTY, file.toAbsolutePath().toString()));
        final var machine = machine();
        if (resume != null) {
            refuseOthersBesideResume();
            final var store = RunStore.open(resume);
            final var stored = store.read();
            Fitness.requireSame(stored, environment(machine));
            Fitness.requireSharedMemory(stored.entries(), machine.sharedMemory());
            // What is damaged is found out now, not when the rest has been measured.
            stored.entries().forEach(entry -> entry.rounds().stream().filter(r -> r.status() == RoundResult.Status.OK).forEach(store::readSamples));
            try (var lock = RunLock.acquire()) {
                return measureAndReport(store, machine);
            }
        }
        if (dryRun) {
            System.out.print(DryRun.text(plan(machine)));
            return ExitCode.OK.code();
        }
        try (var lock = RunLock.acquire()) {
            return begin(machine);
        }
    }

    private Integer begin(final Machine machine) throws Exception {
        // First: what it finds wrong is left out of the plan.
        final var fabric = noProbe || hostOnly() ? Optional.<Fabric>empty() : LinkProbe.run();
        final var plan = plan(machine);
        Fitness.requireSharedMemory(plan.entries(), machine.sharedMemory());
        final var environment = environment(machine);
        final var startedAt = Instant.now();
        final var id = RunStore.newId(startedAt, environment);
        final var run = new Run(Run.SCHEMA, id, startedAt, Optional.empty(), commandLine(), plan.workload(), plan.settings(), environment, plan.entries(), plan.leftOut(), fabric);
        System.out.printf("%s: %d configurations x %d %s, about %s; results in %s%n", plan.workload().name(), plan.entries().size(), plan.settings().rounds(), plan.settings().rounds() == 1 ? "round" : "rounds",
                DryRun.duration(plan.estimateSeconds()), folder(id));
        return measureAndReport(RunStore.create(folder(id), run), machine);
    }

    private boolean hostOnly() {
        return !collectives.isEmpty() && collectives.stream().allMatch(c -> c.startsWith("host/"));
    }

    private Machine machine() {
        try {
            return Machine.detect(Optional.ofNullable(sharedFolder));
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private Plan plan(final Machine machine) {
        try {
            return new Planner(Collectives.installed(), machine.cores()).plan(request());
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private static long millis(final String option, final String text) {
        try {
            return Durations.parseMillis(text);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private static Environment environment(final Machine machine) {
        final var gpus = Gpus.detect();
        final var facts = new TreeMap<>(gpus.facts());
        Topology.detect(gpus).nvlinkWorld().ifPresent(world -> facts.put(PolicyCheck.NVLINK_WORLD, Integer.toString(world)));
        Collectives.installed().backends().forEach(backend -> facts.putAll(backend.facts()));
        return EnvironmentCollector.collect(machine, gpus.all().stream().map(Gpu::toString).toList(), facts);
    }

    /** What a resumed run would otherwise not find. */
    private String resumeOptions() {
        return (nccl == null ? "" : " --nccl " + nccl) + (sharedFolder == null ? "" : " --shm " + sharedFolder);
    }

    private Integer measureAndReport(final RunStore store, final Machine machine) throws Exception {
        final var run = new RunExecutor(store, machine.sharedMemory().folder(), System.out, resumeOptions()).execute();
        System.out.println();
        System.out.print(ReportCommand.report(store, run));
        return ReportCommand.codeOf(run).code();
    }

    private PlanRequest request() {
        final var sizes = bytes.stream().map(Sizes::parse).distinct().toList();
        final var types = dtypes.stream().map(Dtype::parse).distinct().toList();
        final var workload = Workloads.from(Optional.ofNullable(model), Optional.ofNullable(tokens), Optional.ofNullable(calls), sizes, types.stream().findFirst());
        return new PlanRequest(workload, collectives, worlds, sizes, types, launches.stream().map(Launch::parse).distinct().toList(), Skew.parseAll(skews), rounds,
                Optional.ofNullable(budget).map(b -> (int) (millis("--budget", b) / 1000)), seed,
                Optional.ofNullable(warmup).map(w -> (int) millis("--warmup", w)), (int) millis("--measure", measure));
    }

    private Path folder(final String id) {
        return outFolder != null ? outFolder : Path.of("results", id);
    }

    private List<String> commandLine() {
        final var command = new ArrayList<>(List.of("java", "-jar", "benchmarks.jar"));
        final var given = spec.root().commandLine().getParseResult().originalArgs();
        command.addAll(given);
        return command;
    }

    private void refuseOthersBesideResume() {
        final var others = spec.commandLine().getParseResult().matchedOptions().stream().map(o -> o.longestName())
                .filter(name -> !List.of("--resume", "--shm", "--nccl", "--debug").contains(name)).toList();
        if (!others.isEmpty()) {
            throw new UsageException("--resume goes on with the stored plan and takes no " + String.join(", ", others));
        }
    }
}
