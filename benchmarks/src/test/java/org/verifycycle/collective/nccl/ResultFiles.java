package org.verifycycle.collective.nccl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/** What a run left. */
final class ResultFiles {
    private ResultFiles() {
    }

    static Run read(final Path folder) {
        return RunStore.open(folder).read();
    }

    /** Of every round of NCCL that has it. */
    static List<JsonNode> memoryOfAll(final String runJson) throws JsonProcessingException {
        return StreamSupport.stream(new ObjectMapper().readTree(runJson).get("entries").spliterator(), false)
                .filter(entry -> entry.at("/configuration/collective").asText().startsWith("nccl/"))
                .flatMap(entry -> entry.findValues("memory").stream()).filter(JsonNode::isObject).toList();
    }
}
