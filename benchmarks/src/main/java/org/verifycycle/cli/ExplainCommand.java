package org.verifycycle.cli;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Topology;
import org.verifycycle.plan.Sizes;
import org.verifycycle.policy.Engine;
import org.verifycycle.policy.Links;
import org.verifycycle.policy.Question;
import org.verifycycle.policy.Variable;
import org.verifycycle.report.ExplainReport;
import org.verifycycle.report.TerminalReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Which all-reduce SGLang or vLLM takes for a call, and why. */
@Command(name = "explain", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Say which all-reduce SGLang or vLLM takes for a call, gate by gate. Needs no GPU.")
final class ExplainCommand implements Callable<Integer> {
    private static final int ASSUMED_WORLD = 8;
    private static final String AUTO = "auto";

    @Option(names = "--engine", paramLabel = "NAME", split = ",", description = "sglang, sglang-patched, sglang-push, vllm; several are told one after the other (default: ${DEFAULT-VALUE}).", defaultValue = "sglang")
    private List<String> engines;

    @Option(names = "--world", paramLabel = "N", description = "Ranks, one GPU each (default: the GPUs here, or " + ASSUMED_WORLD + ").")
    private Integer world;

    @Option(names = "--nodes", paramLabel = "N", description = "Hosts (default: ${DEFAULT-VALUE}).", defaultValue = "1")
    private int nodes;

    @Option(names = "--link", paramLabel = "KIND", description = "nvlink (between every pair), pcie, or auto: what is here (default: ${DEFAULT-VALUE}).", defaultValue = AUTO)
    private String link;

    @Option(names = "--peer", paramLabel = "WHICH", description = "Whether all GPUs reach each other's memory: yes, no, or auto: as here, else yes (default: ${DEFAULT-VALUE}).", defaultValue = AUTO)
    private String peer;

    @Option(names = "--capability", paramLabel = "X.Y", description = "Compute capability of the GPUs, e.g. 9.0 (default: as here, else 9.0 with nvlink and 12.0 with pcie).")
    private String capability;

    @Option(names = "--bytes", paramLabel = "SIZE", description = "Bytes of the tensor, e.g. 43008, 42KiB (default: ${DEFAULT-VALUE}).", defaultValue = "43008")
    private String bytes;

    @Option(names = "--dtype", paramLabel = "TYPE", description = "bf16, fp16, fp32 (default: ${DEFAULT-VALUE}).", defaultValue = "bf16")
    private String dtype;

    @Option(names = "--launch", paramLabel = "KIND", description = "graph, eager (default: ${DEFAULT-VALUE}).", defaultValue = "graph")
    private String launch;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "A variable of the engine's environment; repeatable. Those of this shell count too.")
    private List<String> settings = new ArrayList<>();

    @Override
    public Integer call() {
        final var here = here();
        for (final var engine : engines) {
            final var assumed = new ArrayList<String>();
            final var question = question(engine, here, assumed);
            if (!engine.equals(engines.get(0))) {
                System.out.println();
            }
            System.out.print(new TerminalReport().render(ExplainReport.of(question, assumed)));
        }
        return ExitCode.OK.code();
    }

    /** The machine is looked at only if a question about it was left open. */
    private Here here() {
        final var needed = world == null || link.equals(AUTO) || peer.equals(AUTO) || capability == null;
        final var gpus = needed ? Gpus.detect() : Gpus.none("not looked at");
        return new Here(gpus, Topology.detect(gpus));
    }

    private record Here(Gpus gpus, Topology topology) { }

    private Question question(final String engine, final Here here, final List<String> assumed) {
        try {
            final var parsedEngine = Engine.parse(engine);
            final var ranks = world != null ? world : here.gpus().count() > 1 ? here.gpus().count() : ASSUMED_WORLD;
            if (ranks < 1 || ranks > Question.MAX_WORLD) {
                throw new IllegalArgumentException("world " + ranks + " is not between 1 and " + Question.MAX_WORLD + " ranks");
            }
            final var given = settings.stream().map(s -> Variable.parse(s, parsedEngine)).toList();
            final var inherited = new TreeMap<>(System.getenv());
            given.forEach(s -> inherited.remove(s.getKey().name()));
            final var variables = new TreeMap<>(Variable.of(inherited, parsedEngine));
            given.forEach(s -> variables.put(s.getKey(), s.getValue()));
            final var size = Sizes.parseAny(bytes);
            final var type = Dtype.parse(dtype);
            final var kind = parseLaunch();
            final var peerAccess = peerAccess(here, ranks, assumed);
            // Last: what is not known here would hide what is wrong with the rest.
            final var links = links(here, ranks);
            return new Question(parsedEngine, ranks, nodes, links, peerAccess, compute(here, links, assumed), size, type, kind, variables);
        } catch (final IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /** Engines have no barrier between calls: that kind is of the benchmark only. */
    private Launch parseLaunch() {
        return Stream.of(Launch.GRAPH, Launch.EAGER).filter(l -> l.id().equalsIgnoreCase(launch.strip())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown launch '" + launch + "'; known: graph, eager"));
    }

    private Links links(final Here here, final int ranks) {
        if (!link.equalsIgnoreCase(AUTO)) {
            return Arrays.stream(Links.values()).filter(l -> l.id().equalsIgnoreCase(link.strip())).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown link '" + link + "'; known: nvlink, pcie, " + AUTO));
        }
        return here.topology().fullNvlink(ranks).map(full -> full ? Links.NVLINK : Links.PCIE).orElseThrow(() -> new IllegalArgumentException(
                "the links of " + ranks + " GPUs are not known here (" + here.topology().problem().orElse("there are " + here.gpus().count() + " GPUs") + "); give --link nvlink or --link pcie"));
    }

    private boolean peerAccess(final Here here, final int ranks, final List<String> assumed) {
        return switch (peer.toLowerCase(Locale.ROOT)) {
            case "yes" -> true;
            case "no" -> false;
            case AUTO -> {
                if (here.gpus().count() < ranks) {
                    assumed.add("Assumed: all GPUs reach each other's memory (--peer no: they don't).");
                    yield true;
                }
                yield here.gpus().all().stream().limit(ranks).allMatch(a -> here.gpus().all().stream().limit(ranks).allMatch(b -> here.gpus().reachEachOther(a.index(), b.index())));
            }
            default -> throw new IllegalArgumentException("unknown value '" + peer + "' of --peer; known: yes, no, " + AUTO);
        };
    }

    private int compute(final Here here, final Links links, final List<String> assumed) {
        if (capability != null) {
            if (!capability.matches("[1-9][0-9]?\\.[0-9]")) {
                throw new IllegalArgumentException("'" + capability + "' is not a compute capability; write e.g. 9.0, 10.0 or 12.0");
            }
            return Integer.parseInt(capability.replace(".", ""));
        }
        if (here.gpus().count() > 0) {
            return here.gpus().all().get(0).capability();
        }
        final var guess = links == Links.NVLINK ? 90 : 120;
        assumed.add("Assumed: compute capability " + guess / 10 + ".0 (--capability gives another).");
        return guess;
    }
}
