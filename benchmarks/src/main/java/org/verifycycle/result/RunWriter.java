package org.verifycycle.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The records of a run as a JSON tree. Every field is always written; {@code null} stands where there is nothing. */
final class RunWriter {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private RunWriter() {
    }

    static ObjectNode tree(final Run run) {
        final var node = JSON.objectNode();
        node.put("schema", run.schema());
        node.put("id", run.id());
        node.put("startedAt", run.startedAt().toString());
        node.put("finishedAt", run.finishedAt().map(Object::toString).orElse(null));
        node.set("command", texts(run.command()));
        node.set("workload", workload(run.workload()));
        node.set("plan", plan(run.plan()));
        node.set("environment", environment(run.environment()));
        node.set("entries", array(run.entries(), RunWriter::entry));
        node.set("leftOut", array(run.leftOut(), left -> JSON.objectNode().put("what", left.what()).put("reason", left.reason())));
        node.set("fabric", run.fabric().map(FabricJson::tree).orElse(null));
        return node;
    }

    private static ObjectNode workload(final Workload workload) {
        return JSON.objectNode().put("name", workload.name()).put("calls", workload.calls()).put("bytes", workload.bytes())
                .put("dtype", workload.dtype().id()).put("source", workload.source());
    }

    private static ObjectNode plan(final PlanRecord plan) {
        return JSON.objectNode().put("rounds", plan.rounds()).put("shuffleSeed", plan.shuffleSeed()).put("warmupMillis", plan.warmupMillis())
                .put("measureMillis", plan.measureMillis()).put("budgetSeconds", plan.budgetSeconds().orElse(null));
    }

    private static ObjectNode environment(final Environment environment) {
        final var node = JSON.objectNode().put("host", environment.host()).put("os", environment.os()).put("cpu", environment.cpu())
                .put("cores", environment.cores()).put("memoryMiB", environment.memoryMiB()).put("jvm", environment.jvm())
                .put("commit", environment.commit());
        node.set("devices", texts(environment.devices()));
        node.set("variables", textMap(environment.variables()));
        node.set("facts", textMap(environment.facts()));
        return node;
    }

    private static ObjectNode entry(final Entry entry) {
        final var node = JSON.objectNode().put("id", entry.id());
        node.set("configuration", configuration(entry.configuration()));
        node.put("purpose", id(entry.purpose()));
        node.set("marks", texts(entry.marks()));
        node.set("rounds", array(entry.rounds(), RunWriter::round));
        node.set("estimate", entry.estimate().map(RunWriter::estimate).orElse(null));
        return node;
    }

    private static ObjectNode configuration(final Configuration configuration) {
        return JSON.objectNode().put("collective", configuration.collective().toString()).put("world", configuration.world())
                .put("bytes", configuration.bytes()).put("dtype", configuration.dtype().id()).put("launch", configuration.launch().id())
                .put("calls", configuration.calls()).put("skewNanos", configuration.skewNanos());
    }

    private static ObjectNode round(final RoundResult round) {
        final var node = JSON.objectNode().put("round", round.round()).put("position", round.position()).put("status", id(round.status()))
                .put("error", round.error().orElse(null)).put("startedAt", round.startedAt().toString()).put("wallMillis", round.wallMillis())
                .put("cycles", round.cycles()).put("samplesFile", round.samplesFile().orElse(null));
        node.set("notes", texts(round.notes()));
        node.set("memory", round.memory().map(RunWriter::memory).orElse(null));
        return node;
    }

    private static ObjectNode memory(final DeviceMemory memory) {
        final var node = JSON.objectNode();
        DeviceMemory.FIELDS.forEach((field, bytes) -> node.put(field, bytes.applyAsLong(memory)));
        return node;
    }

    private static ObjectNode estimate(final Estimate estimate) {
        final var node = JSON.objectNode().put("medianNanos", estimate.medianNanos());
        node.set("interval", estimate.interval().map(i -> JSON.objectNode().put("low", i.low()).put("high", i.high())).orElse(null));
        return node.put("p50Nanos", estimate.p50Nanos()).put("p95Nanos", estimate.p95Nanos()).put("p99Nanos", estimate.p99Nanos())
                .put("maxNanos", estimate.maxNanos()).put("skewMedianNanos", estimate.skewMedianNanos()).put("rounds", estimate.rounds())
                .put("cycles", estimate.cycles()).put("outliers", estimate.outliers());
    }

    /** The name of a constant as files have it, e.g. {@code baseline-copy}. */
    static String id(final Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <T> ArrayNode array(final List<T> values, final Function<T, ObjectNode> writer) {
        final var array = JSON.arrayNode();
        values.forEach(value -> array.add(writer.apply(value)));
        return array;
    }

    private static ArrayNode texts(final List<String> values) {
        final var array = JSON.arrayNode();
        values.forEach(array::add);
        return array;
    }

    private static ObjectNode textMap(final Map<String, String> values) {
        final var node = JSON.objectNode();
        values.forEach(node::put);
        return node;
    }
}
