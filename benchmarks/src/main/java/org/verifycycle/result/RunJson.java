package org.verifycycle.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;

/**
 * A {@link Run} as the text of {@code run.json} and back, exactly. The layout is described, field by field, in
 * results/README.md; a test holds the two together.
 */
final class RunJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private RunJson() {
    }

    /** @throws IllegalStateException naming a value that no reader would take, such as NaN: it must not replace a file that is good */
    static byte[] write(final Run run) {
        try {
            final var json = MAPPER.writeValueAsBytes(RunWriter.tree(run));
            if (!read(json, "a run").equals(run)) {
                throw new IllegalStateException("a run would not read back as it was");
            }
            return json;
        } catch (final JsonProcessingException | ResultException e) {
            throw new IllegalStateException("a run can't be stored: " + e.getMessage(), e);
        }
    }

    /**
     * @param name of the file, for messages
     * @throws ResultException naming file and field of whatever is not understood
     */
    static Run read(final byte[] json, final String name) {
        if (!(tree(json, name) instanceof ObjectNode tree)) {
            throw unreadable(name + " is not a run of verifycycle: it " + (json.length == 0 ? "is empty" : "is not a JSON object"));
        }
        final var schema = tree.path("schema");
        if (!schema.isIntegralNumber()) {
            throw unreadable(name + " is not a run of verifycycle: it has no field 'schema' with a whole number");
        }
        if (!schema.canConvertToInt() || schema.intValue() < SchemaUpgrade.OLDEST || schema.intValue() > Run.SCHEMA) {
            throw unreadable(name + " has schema " + schema.asText() + "; this program reads schemas " + SchemaUpgrade.OLDEST + " to " + Run.SCHEMA + ": use the version that wrote it");
        }
        SchemaUpgrade.upgrade(tree, schema.intValue(), name);
        return Fields.read(name, "", tree, RunReader::run);
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    private static JsonNode tree(final byte[] json, final String name) {
        try {
            return MAPPER.readTree(json);
        } catch (final JsonProcessingException e) {
            final var at = e.getLocation();
            throw new ResultException(ResultException.Kind.UNREADABLE, name + " is not valid JSON"
                    + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")") + ": "
                    + e.getOriginalMessage().lines().findFirst().orElse("unreadable"), e);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, name + " can't be read: " + e.getMessage(), e);
        }
    }

    private static ResultException unreadable(final String message) {
        return new ResultException(ResultException.Kind.UNREADABLE, message);
    }
}
