package org.verifycycle.result;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.verifycycle.device.Fabric;

/** What was found of the links, as a JSON tree and back. */
final class FabricJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int MAX_GPU = 1023;

    private FabricJson() {
    }

    static ObjectNode tree(final Fabric fabric) {
        final var node = JSON.objectNode().put("problem", fabric.problem().orElse(null)).put("millis", fabric.millis());
        node.set("pairs", RunWriter.array(fabric.pairs(), FabricJson::pair));
        node.set("hosts", RunWriter.array(fabric.hosts(), h -> JSON.objectNode().put("gpu", h.gpu()).put("storeGBps", h.storeGBps()).put("loadGBps", h.loadGBps())));
        node.set("findings", RunWriter.array(fabric.findings(), f -> JSON.objectNode().put("kind", RunWriter.id(f.kind())).put("text", f.text())));
        return node;
    }

    static Fabric read(final Fields f) {
        return new Fabric(f.optionalText("problem"), f.wholeNumber("millis", 0, Long.MAX_VALUE), f.objects("pairs", FabricJson::pair),
                f.objects("hosts", h -> new Fabric.Host(h.integer("gpu", 0, MAX_GPU), h.amount("storeGBps"), h.amount("loadGBps"))),
                f.objects("findings", x -> new Fabric.Finding(RunReader.constant(x, "kind", Fabric.Kind.values()), x.text("text"))));
    }

    private static ObjectNode pair(final Fabric.Pair p) {
        return JSON.objectNode().put("from", p.from()).put("to", p.to()).put("problem", p.problem().orElse(null)).put("flagNanos", p.flagNanos()).put("storeGBps", p.storeGBps())
                .put("loadGBps", p.loadGBps()).put("storeAllGBps", p.storeAllGBps()).put("loadAllGBps", p.loadAllGBps()).put("wrong4", p.wrong4()).put("wrong8", p.wrong8())
                .put("wrong16", p.wrong16()).put("wrongReplayed", p.wrongReplayed()).put("torn8", p.torn8()).put("torn16", p.torn16());
    }

    private static Fabric.Pair pair(final Fields p) {
        return new Fabric.Pair(p.integer("from", 0, MAX_GPU), p.integer("to", 0, MAX_GPU), p.optionalText("problem"), p.amount("flagNanos"), p.amount("storeGBps"), p.amount("loadGBps"),
                p.amount("storeAllGBps"), p.amount("loadAllGBps"), count(p, "wrong4"), count(p, "wrong8"), count(p, "wrong16"), count(p, "wrongReplayed"), count(p, "torn8"), count(p, "torn16"));
    }

    private static long count(final Fields p, final String name) {
        return p.wholeNumber(name, 0, Long.MAX_VALUE);
    }
}
