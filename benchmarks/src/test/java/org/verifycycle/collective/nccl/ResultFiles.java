package org.verifycycle.collective.nccl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.verifycycle.result.Run;
import org.verifycycle.result.RunStore;

import java.nio.file.Path;
import java.util.List;

/** What a run left. */
final class ResultFiles {
    private ResultFiles() {
    }

    static Run read(final Path folder) {
        return RunStore.open(folder).read();
    }

    /** Of every round that has it. */
    static List<JsonNode> memoryOfAll(final String runJson) throws JsonProcessingException {
        return new ObjectMapper().readTree(runJson).findValues("memory").stream().filter(JsonNode::isObject).toList();
    }
}
