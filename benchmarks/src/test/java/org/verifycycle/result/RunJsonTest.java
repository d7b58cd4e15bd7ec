package org.verifycycle.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RunJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final byte[] FULL = RunJson.write(Runs.full());

    @Test
    void aRunComesBackExactly() {
        assertThat(read(RunJson.write(Runs.full()))).isEqualTo(Runs.full());
        assertThat(read(RunJson.write(Runs.fresh()))).isEqualTo(Runs.fresh());
    }

    @Test
    void namesAreReadable() throws Exception {
        final var tree = MAPPER.readTree(FULL);
        assertThat(tree.at("/startedAt").asText()).isEqualTo("2026-01-31T12:00:00.123456789Z");
        assertThat(tree.at("/entries/1/configuration/collective").asText()).isEqualTo("host/one-shot-ll:threads=1");
        assertThat(tree.at("/entries/0/configuration/dtype").asText()).isEqualTo("fp32");
        assertThat(tree.at("/entries/0/configuration/launch").asText()).isEqualTo("eager");
        assertThat(tree.at("/entries/0/rounds/1/status").asText()).isEqualTo("failed");
    }

    /** Removes each field, adds one to each object, and gives each a value of a wrong type, one at a time. */
    @Test
    void everyFieldIsWantedAndNoOther() throws Exception {
        final var paths = new ArrayList<String>();
        collect(MAPPER.readTree(FULL), "", paths);
        assertThat(paths).hasSizeGreaterThan(70);
        for (final var path : paths) {
            final var at = path.lastIndexOf('/');
            final var name = path.substring(at + 1);
            assertRefused(path.substring(0, at), o -> o.remove(name), name, "is missing");
            assertRefused(path.substring(0, at), o -> o.put(name, true), name, "is not a");
        }
        for (final var path : List.of("", "/workload", "/plan", "/environment", "/entries/0", "/entries/0/configuration", "/entries/0/rounds/0",
                "/entries/0/rounds/0/memory", "/entries/0/estimate", "/entries/0/estimate/interval", "/leftOut/0", "/fabric", "/fabric/pairs/0", "/fabric/hosts/0",
                "/fabric/findings/0")) {
            assertRefused(path, o -> o.put("more", 1), "more", "is not known to this version");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "/workload|calls|0|field 'workload.calls' is 0, not between 1 and 100000",
            "/workload|bytes|67108865|field 'workload.bytes' is 67108865, not between 1 and 67108864",
            "/workload|dtype|\"fp8\"|field 'workload.dtype' is not valid: unknown dtype 'fp8'; known: fp32, bf16, fp16",
            "/plan|rounds|0|field 'plan.rounds' is 0, not between 1 and 2147483647",
            "/plan|rounds|2.5|field 'plan.rounds' is not a whole number but 2.5",
            "/plan|shuffleSeed|9223372036854775808|field 'plan.shuffleSeed' is not a whole number but 9223372036854775808",
            "/plan|budgetSeconds|\"150\"|field 'plan.budgetSeconds' is not a whole number but the string '150'",
            "/environment/variables|X|1|field 'environment.variables.X' is not a string but the number 1",
            "/environment|devices|[1]|field 'environment.devices[0]' is not a string but the number 1",
            "/entries/0|id|\"../c\"|field 'entries[0].id' is '../c', not letters, digits, '-' and '_'",
            "/entries/1|id|\"c01\"|field 'entries[1].id' is 'c01' like one before it",
            "/entries/0|purpose|\"BASELINE\"|field 'entries[0].purpose' is not valid: 'BASELINE'; known: candidate, baseline, baseline-copy, floor",
            "/entries/0/configuration|world|17|field 'entries[0].configuration.world' is 17, not between 2 and 16",
            "/entries/0/configuration|bytes|43009|field 'entries[0].configuration' is not valid: size 43009",
            "/entries/0/configuration|collective|\"ring\"|field 'entries[0].configuration.collective' is not valid: collective 'ring'",
            "/entries/0/configuration|skewNanos|4999|field 'entries[0].configuration' is not valid: skew '4999ns' is not valid; write 0, or 5us to 10ms",
            "/entries/0/rounds/1|round|6|field 'entries[0].rounds[1].round' is 6, but the plan has 5 rounds",
            "/entries/0/rounds/1|round|1|field 'entries[0].rounds[1].round' is 1 like one before it",
            "/entries/0/rounds/0|startedAt|\"yesterday\"|field 'entries[0].rounds[0].startedAt' is not an ISO-8601 instant such as",
            "/entries/0/rounds/0|samplesFile|\"/etc/passwd\"|field 'entries[0].rounds[0].samplesFile' is '/etc/passwd', not 'samples/c01-r1.vcs'",
            "/entries/0/rounds/0|error|\"x\"|field 'entries[0].rounds[0].error' is given, but status is ok",
            "/entries/0/rounds/1|error|null|field 'entries[0].rounds[1].error' is null, but status is failed",
            "/entries/0/estimate|medianNanos|-1|field 'entries[0].estimate.medianNanos' is -1.0, not a number from 0 up",
            "/entries/0/estimate|medianNanos|1e999|field 'entries[0].estimate.medianNanos' is Infinity, not a number from 0 up",
            "/entries/0/estimate/interval|low|1e9|field 'entries[0].estimate.interval' is not valid: interval"})
    void aValueOutOfRangeIsRefusedByFileAndField(final String object, final String name, final String json, final String message) throws Exception {
        final var tree = MAPPER.readTree(FULL);
        // Put in as text, so that numbers arrive as they were written.
        ((ObjectNode) tree.at(object)).put(name, "@@");
        final var text = tree.toString().replace("\"@@\"", json);
        assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.UTF_8))).isInstanceOf(ResultException.class)
                .hasMessageStartingWith("run.json: ").hasMessageContaining(message).hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', emptyValue = "", value = {
            "|run.json is not a run of verifycycle: it is empty",
            "[]|run.json is not a run of verifycycle: it is not a JSON object",
            "{}|run.json is not a run of verifycycle: it has no field 'schema' with a whole number",
            "{\"schema\": 99}|run.json has schema 99; this program reads schemas 1 to ",
            "{\"schema\": 0}|run.json has schema 0; this program reads schemas 1 to ",
            "{\"schema\": 99999999999999999999}|run.json has schema 99999999999999999999; this program reads schemas 1 to ",
            "{\"schema\": 1|run.json is not valid JSON (line 1, column",
            "{\"schema\": 1, \"schema\": 1}|run.json is not valid JSON (line 1, column 23): Duplicate field 'schema'",
            "{\"schema\": 1} x|run.json is not valid JSON"})
    void otherDocumentsAreRefused(final String text, final String message) {
        assertThatThrownBy(() -> read((text == null ? "" : text).getBytes(StandardCharsets.UTF_8))).isInstanceOf(ResultException.class)
                .hasMessageStartingWith(message).hasMessageNotContaining("\n");
    }

    /** What schemas 2 (skew), 3 (fabric) and 4 (memory) brought. */
    @Test
    void aRunOfSchema1HadNoLateRankNoProbeAndNoMemory() throws Exception {
        final var tree = (ObjectNode) MAPPER.readTree(FULL);
        tree.put("schema", 1).remove("fabric");
        tree.get("entries").forEach(e -> {
            ((ObjectNode) e.get("configuration")).remove("skewNanos");
            e.get("rounds").forEach(r -> ((ObjectNode) r).remove("memory"));
        });
        final var run = read(tree.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(run.schema()).isEqualTo(Run.SCHEMA);
        assertThat(run.fabric()).isEmpty();
        assertThat(run.entries()).allSatisfy(e -> assertThat(e.configuration().skewNanos()).isZero()).allSatisfy(e -> assertThat(e.rounds()).allMatch(r -> r.memory().isEmpty()));
        assertThat(run.entries().get(0).rounds().get(0).notes()).isEqualTo(Runs.full().entries().get(0).rounds().get(0).notes());
    }

    @Test
    void aFieldThatSchema1DidNotHaveMustNotBeInIt() throws Exception {
        final var tree = (ObjectNode) MAPPER.readTree(FULL);
        tree.put("schema", 1);
        assertThatThrownBy(() -> read(tree.toString().getBytes(StandardCharsets.UTF_8))).isInstanceOf(ResultException.class)
                .hasMessage("run.json: field 'entries[0].configuration.skewNanos' is not known to its schema");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-2-cores", "h200-x2", "h200-x2-10-rounds", "h200-x2-sizes", "h200-x2-launches", "h200-shared"})
    void publishedRunsAreStillRead(final String name) throws Exception {
        final var run = read(Files.readAllBytes(Path.of("../results", name, "run.json")));
        assertThat(run.entries()).isNotEmpty().allMatch(e -> e.configuration().skewNanos() == 0);
    }

    private static Run read(final byte[] bytes) {
        return RunJson.read(bytes, "run.json");
    }

    private static void assertRefused(final String object, final Consumer<ObjectNode> change, final String name, final String problem)
            throws Exception {
        final var tree = MAPPER.readTree(FULL);
        change.accept((ObjectNode) tree.at(object));
        assertThatThrownBy(() -> read(tree.toString().getBytes(StandardCharsets.UTF_8))).as(object + "/" + name).isInstanceOf(ResultException.class)
                .hasMessageStartingWith("run.json").hasMessageContaining(name).hasMessageMatching(".*(" + problem + "|has no field 'schema').*");
    }

    private static void collect(final JsonNode node, final String path, final List<String> paths) {
        if (node instanceof ArrayNode array) {
            for (var i = 0; i < array.size(); i++) {
                collect(array.get(i), path + "/" + i, paths);
            }
        }
        // The keys of maps are free.
        if (node instanceof ObjectNode object && !path.endsWith("/variables") && !path.endsWith("/facts")) {
            object.fields().forEachRemaining(field -> {
                paths.add(path + "/" + field.getKey());
                collect(field.getValue(), path + "/" + field.getKey(), paths);
            });
        }
    }
}
