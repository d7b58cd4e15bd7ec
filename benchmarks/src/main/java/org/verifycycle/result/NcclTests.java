package org.verifycycle.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code all_reduce_perf -J FILE} of nccl-tests wrote (src/util.cu there, versions 1 and 2 of its layout): another program's
 * numbers, taken on this or another day, never checked by this one. Its {@code env}, which holds the whole environment of whoever
 * ran it, is not read.
 *
 * @param file        name, for tables
 * @param ncclVersion e.g. {@code 2.28.9}
 * @param world       ranks: processes x threads x GPUs each
 * @param launch      how calls were started: {@code -G}: graph; {@code -z 1}: barriered; else eager
 * @param iterations  calls that one time is the mean of
 * @param checked     whether it checked its sums
 * @param results     sums of types that are measured here; others are {@code skipped}
 * @param skipped     results of other operations or types
 */
public record NcclTests(String file, String ncclVersion, int world, Launch launch, int iterations, boolean checked, List<Result> results, int skipped) {
    private static final String PROGRAM = "all_reduce_perf";
    private static final String SUM = "sum";
    private static final int MAX_COUNT = 1_000_000_000;

    public NcclTests {
        results = List.copyOf(results);
    }

    /**
     * One size.
     *
     * @param outOfPlace microseconds a call; absent where it was not run, or its sums were wrong
     * @param inPlace    likewise
     */
    public record Result(long bytes, Dtype dtype, Optional<Double> outOfPlace, Optional<Double> inPlace, boolean wrong) { }

    private record Config(int ranksPerProcess, int processes, int iterations, Launch launch, boolean checked) { }

    /** @throws ResultException naming file and field of whatever is not as nccl-tests writes it */
    public static NcclTests read(final Path file) {
        final var name = file.toString();
        try {
            final var tree = RunJson.mapper().readTree(Files.readAllBytes(file));
            return Fields.readForeign(name, tree, f -> read(file.getFileName().toString(), f));
        } catch (final JsonProcessingException e) {
            final var at = e.getLocation();
            throw new ResultException(ResultException.Kind.UNREADABLE, name + " is not valid JSON" + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")")
                    + "; a run of all_reduce_perf that was ended leaves half a file: run it again", e);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, name + " can't be read: " + IoReason.of(e), e);
        }
    }

    private static NcclTests read(final String file, final Fields f) {
        f.integer("version", 1, 2);
        final var args = f.texts("args");
        if (args.isEmpty() || !Path.of(args.get(0)).getFileName().toString().startsWith(PROGRAM)) {
            throw f.refuseField("args", "does not begin with " + PROGRAM + (args.isEmpty() ? "" : " but with '" + args.get(0) + "'") + ": only all-reduces can be imported");
        }
        final var version = f.integer("nccl_version", 1, MAX_COUNT);
        final var config = f.object("config", NcclTests::config);
        final var all = f.objects("results", NcclTests::result);
        final var known = all.stream().flatMap(Optional::stream).toList();
        return new NcclTests(file, version / 10_000 + "." + version % 10_000 / 100 + "." + version % 100, config.ranksPerProcess() * config.processes(), config.launch(), config.iterations(),
                config.checked(), known, all.size() - known.size());
    }

    private static Config config(final Fields f) {
        final var blocking = f.parsed("blocking_collectives", NcclTests::bool);
        final var graph = f.integer("graph", 0, MAX_COUNT);
        // Without MPI one process lists itself once, however many GPUs it has; with MPI each of them does.
        final var processes = f.objects("devices", d -> d.integer("rank", 0, MAX_COUNT)).size();
        return new Config(f.integer("nthreads", 1, 4096) * f.integer("ngpus", 1, 4096), processes, f.integer("iterations", 1, MAX_COUNT),
                blocking ? Launch.BARRIERED : graph > 0 ? Launch.GRAPH : Launch.EAGER, f.integer("validation", 0, MAX_COUNT) > 0);
    }

    /** Empty for operations and types that are not measured here. */
    private static Optional<Result> result(final Fields f) {
        final var bytes = f.wholeNumber("size", 0, Long.MAX_VALUE);
        final var dtype = dtype(f.text("type"));
        final var sum = f.text("redop").equals(SUM);
        final var out = f.optionalObject("out_of_place", NcclTests::time);
        final var in = f.optionalObject("in_place", NcclTests::time);
        return sum ? dtype.map(d -> new Result(bytes, d, out.flatMap(Time::right), in.flatMap(Time::right), out.filter(Time::wrong).or(() -> in.filter(Time::wrong)).isPresent())) : Optional.empty();
    }

    private record Time(double micros, boolean wrong) {
        Optional<Double> right() {
            return wrong ? Optional.empty() : Optional.of(micros);
        }
    }

    private static Time time(final Fields f) {
        final var micros = f.amount("time");
        if (micros == 0) {
            throw f.refuseField("time", "is 0, which no call takes");
        }
        return new Time(micros, f.optionalAmount("nwrong").filter(n -> n > 0).isPresent());
    }

    private static Optional<Dtype> dtype(final String type) {
        return switch (type) {
            case "float" -> Optional.of(Dtype.FP32);
            case "half" -> Optional.of(Dtype.FP16);
            case "bfloat16" -> Optional.of(Dtype.BF16);
            default -> Optional.empty();
        };
    }

    private static boolean bool(final String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "'; known: true, false");
        };
    }
}
