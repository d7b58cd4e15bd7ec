package org.verifycycle.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Makes a document of an older schema one of {@link Run#SCHEMA}, so that there is one strict reader and published runs stay as
 * they were written. What a version did not have yet gets the value that it had in effect.
 */
final class SchemaUpgrade {
    static final int OLDEST = 1;

    private SchemaUpgrade() {
    }

    /**
     * In place.
     *
     * @param schema the document's, from {@link #OLDEST} to {@link Run#SCHEMA}
     */
    static void upgrade(final ObjectNode run, final int schema, final String name) {
        if (schema < 2) {
            toSkew(run, name);
        }
        if (schema < 3) {
            // Before, links were not probed.
            addNew(run, "fabric", run.nullNode(), "", name);
        }
        if (schema < 4) {
            toMemory(run, name);
        }
        run.put("schema", Run.SCHEMA);
    }

    /** Version 2: every configuration has {@code skewNanos}. Before, none had an injected late rank. */
    private static void toSkew(final ObjectNode run, final String name) {
        for (int i = 0; i < run.path("entries").size(); i++) {
            if (run.path("entries").get(i).path("configuration") instanceof ObjectNode configuration) {
                addNew(configuration, "skewNanos", configuration.numberNode(0), "entries[" + i + "].configuration", name);
            }
        }
    }

    /** Version 4: every round has {@code memory}. Before, it was not recorded as a number. */
    private static void toMemory(final ObjectNode run, final String name) {
        for (int i = 0; i < run.path("entries").size(); i++) {
            final var rounds = run.path("entries").get(i).path("rounds");
            for (int j = 0; j < rounds.size(); j++) {
                if (rounds.get(j) instanceof ObjectNode round) {
                    addNew(round, "memory", round.nullNode(), "entries[" + i + "].rounds[" + j + "]", name);
                }
            }
        }
    }

    /** A field that the document's version did not have must not be in it. */
    private static void addNew(final ObjectNode object, final String field, final JsonNode value, final String path, final String name) {
        if (object.has(field)) {
            throw new ResultException(ResultException.Kind.UNREADABLE, name + ": field '" + (path.isEmpty() ? "" : path + ".") + field + "' is not known to its schema");
        }
        object.set(field, value);
    }
}
