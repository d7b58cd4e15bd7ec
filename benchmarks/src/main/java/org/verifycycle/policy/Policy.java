package org.verifycycle.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers a {@link Question} by the {@link Rules} of its engine. */
public final class Policy {
    private static final int THREADS = 512;
    private static final int MAX_BLOCKS = 36;
    private static final int PACK_BYTES = 16;

    private Policy() {
    }

    public static Decision decide(final Question q) {
        final var rules = Rules.of(q);
        final var steps = new ArrayList<Decision.Step>();
        if (q.world() == 1) {
            return new Decision(Path.NCCL, List.of(new Decision.Step("more than one rank", false, "world 1: there is nothing to reduce", Source.SGLANG_GATES.text())), "", List.of());
        }
        for (final var gate : rules.gates()) {
            final var passed = gate.lets().test(q);
            steps.add(new Decision.Step(gate.rule(), passed, gate.fact().apply(q), gate.source().text()));
            if (!passed) {
                return new Decision(rules.refused().apply(q), steps, "", Warnings.refused(q, gate, gate.beforeHole() && row(rules, q).isEmpty()));
            }
        }
        final var row = row(rules, q);
        steps.add(row.map(r -> new Decision.Step("dispatch: " + r.when(), true, r.path().text(), r.source().text()))
                .orElseGet(() -> new Decision.Step("dispatch: a row that holds", false, "there is none for world " + q.world() + ", " + q.links().about() + ", no override",
                        rules.dispatch().get(rules.dispatch().size() - 1).source().text())));
        final var path = row.map(Row::path).orElse(Path.NOTHING);
        return new Decision(path, steps, grid(q, path), Warnings.taken(q, path));
    }

    private static Optional<Row> row(final Rules rules, final Question q) {
        return rules.dispatch().stream().filter(r -> r.holds().test(q)).findFirst();
    }

    /** As allreduce() of custom_all_reduce.cuh launches; the push kernels' grids depend on the GPU. */
    private static String grid(final Question q, final Path path) {
        if (!Rules.legacy(q) || path != Path.ONE_STAGE && path != Path.TWO_STAGE) {
            return "";
        }
        final var packs = q.bytes() / PACK_BYTES;
        return Math.min(MAX_BLOCKS, (packs + THREADS - 1) / THREADS) + "x" + THREADS;
    }
}
