package org.verifycycle.policy;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is to be explained: one all-reduce call of a contiguous tensor.
 *
 * @param world      ranks, one GPU each
 * @param nodes      hosts that they are on
 * @param peerAccess whether the driver reports that every GPU reaches every other's memory
 * @param capability compute capability times ten, e.g. 90
 * @param bytes      of the tensor, a multiple of the element's size
 * @param variables  of the engine's process environment
 */
public record Question(Engine engine, int world, int nodes, Links links, boolean peerAccess, int capability, int bytes, Dtype dtype, Launch launch,
                       Map<Variable, String> variables) {
    /** Ranks that can be asked about. */
    public static final int MAX_WORLD = 64;

    public Question {
        require(world >= 1 && world <= MAX_WORLD, "world " + world + " is not between 1 and " + MAX_WORLD + " ranks");
        require(nodes >= 1 && nodes <= world, "nodes " + nodes + " is not between 1 and the world size, " + world);
        require(bytes > 0 && bytes % dtype.bytes() == 0, "size " + bytes + " is not a positive multiple of the " + dtype.bytes() + " bytes of a " + dtype.id());
        require(capability >= 10 && capability <= 999, "compute capability " + capability / 10.0 + " is not one: write e.g. 9.0");
        variables = Collections.unmodifiableMap(new TreeMap<>(variables));
    }

    /** Whether the engine reads the variable and finds one of these values. */
    boolean is(final Variable variable, final String... values) {
        return variable.readBy(engine) && Optional.ofNullable(variables.get(variable)).filter(List.of(values)::contains).isPresent();
    }

    boolean nvlink() {
        return links == Links.NVLINK;
    }

    /** The same about another size. */
    public Question withBytes(final int other) {
        return new Question(engine, world, nodes, links, peerAccess, capability, other, dtype, launch, variables);
    }

    /** The same where the GPUs do, or don't, reach each other's memory. */
    public Question withPeerAccess(final boolean other) {
        return new Question(engine, world, nodes, links, other, capability, bytes, dtype, launch, variables);
    }

    private static void require(final boolean holds, final String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
