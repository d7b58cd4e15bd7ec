package org.verifycycle.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.util.List;

/** {@code dispatch.json}, described in results/README.md. */
public final class DispatchFile {
    private static final int VERSION = 1;
    private static final String NAME = "dispatch.json";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private DispatchFile() {
    }

    /** @return the file */
    public static Path write(final Path folder, final Dispatch dispatch) {
        final var file = folder.resolve(NAME);
        AtomicFiles.write(file, text(dispatch));
        return file;
    }

    static byte[] text(final Dispatch dispatch) {
        final var node = JSON.objectNode().put("version", VERSION).put("run", dispatch.run()).put("commit", dispatch.commit());
        node.set("devices", texts(dispatch.devices()));
        node.set("tables", RunWriter.array(dispatch.tables(), DispatchFile::table));
        final var vllm = node.putObject("vllmMaxBytes");
        dispatch.vllmMaxBytes().forEach((capability, worlds) -> {
            final var sizes = vllm.putObject(capability);
            worlds.forEach((world, bytes) -> sizes.put(Integer.toString(world), bytes));
        });
        try {
            return RunJson.mapper().writeValueAsBytes(node);
        } catch (final JsonProcessingException e) {
            throw new IllegalStateException("a dispatch table can't be stored: " + e.getMessage(), e);
        }
    }

    private static ObjectNode table(final Dispatch.Table table) {
        final var node = JSON.objectNode().put("world", table.world()).put("dtype", table.dtype()).put("launch", table.launch()).put("calls", table.calls());
        node.set("marks", texts(table.marks()));
        node.set("ranges", RunWriter.array(table.ranges(), DispatchFile::range));
        node.set("crossovers", RunWriter.array(table.crossovers(), c -> JSON.objectNode().put("from", c.from()).put("to", c.to()).put("bytes", c.bytes())
                .put("lowBytes", c.low().orElse(null)).put("highBytes", c.high().orElse(null))));
        return node;
    }

    private static ObjectNode range(final Dispatch.Range range) {
        final var node = JSON.objectNode().put("fromBytes", range.fromBytes()).put("toBytes", range.toBytes()).put("collective", range.collective())
                .put("status", range.decided() ? "decided" : "undecided");
        node.set("undecidedWith", texts(range.undecided()));
        final var measured = node.putArray("measuredBytes");
        range.measured().forEach(measured::add);
        return node;
    }

    private static ArrayNode texts(final List<String> values) {
        final var array = JSON.arrayNode();
        values.forEach(array::add);
        return array;
    }
}
