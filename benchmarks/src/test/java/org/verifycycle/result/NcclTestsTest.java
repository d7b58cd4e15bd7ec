package org.verifycycle.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** On a made-up file of the layout that src/util.cu of nccl-tests writes. */
class NcclTestsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Path SAMPLE = Path.of("src/test/resources/nccl-tests/all_reduce_2x.json");

    @TempDir
    private Path folder;

    @Test
    void whatAllReducePerfWroteIsRead() {
        final var tests = NcclTests.read(SAMPLE);
        assertThat(tests).isEqualTo(new NcclTests("all_reduce_2x.json", "2.28.9", 2, Launch.GRAPH, 20, true, tests.results(), 0));
        assertThat(tests.results()).hasSize(4).contains(new NcclTests.Result(43_008, Dtype.BF16, Optional.of(7.31), Optional.of(7.29), false));
    }

    @Test
    void processesUnderMpiAreRanksAndBlockingIsBarriered() throws IOException {
        final var tree = sample();
        final var config = (ObjectNode) tree.get("config");
        config.put("ngpus", 1).put("blocking_collectives", "true").put("validation", 0).put("graph", 0);
        final var devices = (ArrayNode) config.get("devices");
        devices.add(((ObjectNode) devices.get(0).deepCopy()).put("rank", 1)).add(((ObjectNode) devices.get(0).deepCopy()).put("rank", 2)).add(((ObjectNode) devices.get(0).deepCopy()).put("rank", 3));
        final var tests = read(tree);
        assertThat(tests.world()).isEqualTo(4);
        assertThat(tests.launch()).isEqualTo(Launch.BARRIERED);
        assertThat(tests.checked()).isFalse();
    }

    @Test
    void aWrongSumHasNoTime() throws IOException {
        final var tree = sample();
        ((ObjectNode) tree.at("/results/1/out_of_place")).put("nwrong", 3.0);
        assertThat(read(tree).results().get(1)).isEqualTo(new NcclTests.Result(43_008, Dtype.BF16, Optional.empty(), Optional.of(7.29), true));
    }

    @Test
    void otherOperationsAndTypesAreCountedAndLeftOut() throws IOException {
        final var tree = sample();
        ((ObjectNode) tree.at("/results/0")).put("redop", "prod");
        ((ObjectNode) tree.at("/results/1")).put("type", "int8");
        ((ObjectNode) tree.at("/results/2")).putNull("out_of_place");
        final var tests = read(tree);
        assertThat(tests.skipped()).isEqualTo(2);
        assertThat(tests.results()).extracting(NcclTests.Result::bytes).containsExactly(77_824L, 112_640L);
        assertThat(tests.results().get(0).outOfPlace()).isEmpty();
    }

    @Test
    void fieldsOfLaterVersionsOfTheLayoutDoNotMatter() throws IOException {
        final var tree = sample();
        tree.put("more", 1);
        ((ObjectNode) tree.at("/results/0")).putObject("out_of_place_per_iter").put("min_us", 6.0);
        assertThat(read(tree).results()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "|version|3|field 'version' is 3, not between 1 and 2",
        "|nccl_version|\"2.28\"|field 'nccl_version' is not a whole number but the string '2.28'",
        "|args|[\"./all_gather_perf\"]|field 'args' does not begin with all_reduce_perf but with './all_gather_perf'",
        "|results|{}|field 'results' is not an array but an object",
        "/config|ngpus|0|field 'config.ngpus' is 0, not between 1 and 4096",
        "/config|iterations|0|field 'config.iterations' is 0, not between",
        "/config|blocking_collectives|\"maybe\"|field 'config.blocking_collectives' is not valid: 'maybe'; known: true, false",
        "/config/devices/0|rank|\"x\"|field 'config.devices[0].rank' is not a whole number but the string 'x'",
        "/results/1|size|\"42K\"|field 'results[1].size' is not a whole number but the string '42K'",
        "/results/1|out_of_place|5|field 'results[1].out_of_place' is not an object but the number 5",
        "/results/1/in_place|time|\"nan\"|field 'results[1].in_place.time' is not a number but the string 'nan'",
        "/results/1/in_place|time|0|field 'results[1].in_place.time' is 0, which no call takes",
        "/results/1/in_place|time|-1|field 'results[1].in_place.time' is -1.0, not a number from 0 up"})
    void aMalformedFileIsRefusedByField(final String object, final String field, final String json, final String message) throws IOException {
        final var tree = sample();
        ((ObjectNode) tree.at(object == null ? "" : object)).set(field, MAPPER.readTree(json));
        assertThatThrownBy(() -> read(tree)).isInstanceOf(ResultException.class).hasMessageStartingWith(folder.resolve("x.json") + ": ").hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({"/results/0/out_of_place,time", "/results/0,redop", "/config,graph", "'',nccl_version", "/config,devices"})
    void aFieldThatIsMissingIsNamed(final String object, final String field) throws IOException {
        final var tree = sample();
        ((ObjectNode) tree.at(object)).remove(field);
        assertThatThrownBy(() -> read(tree)).isInstanceOf(ResultException.class).hasMessageContaining(field).hasMessageEndingWith("is missing");
    }

    @Test
    void halfAFileIsToldApart() throws IOException {
        final var text = Files.readString(SAMPLE);
        final var file = Files.writeString(folder.resolve("x.json"), text.substring(0, text.length() / 2));
        assertThatThrownBy(() -> NcclTests.read(file)).isInstanceOf(ResultException.class).hasMessageContaining("is not valid JSON (line 1, column").hasMessageContaining("run it again");
        assertThatThrownBy(() -> NcclTests.read(folder.resolve("none.json"))).isInstanceOf(ResultException.class).hasMessageContaining("none.json can't be read");
    }

    private static ObjectNode sample() throws IOException {
        return (ObjectNode) MAPPER.readTree(Files.readString(SAMPLE));
    }

    private NcclTests read(final ObjectNode tree) throws IOException {
        return NcclTests.read(Files.writeString(folder.resolve("x.json"), tree.toString()));
    }
}
