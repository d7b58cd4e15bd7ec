package org.verifycycle.collective.host;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Dtype;

/** All-reduce between processes of one host over shared memory. Runs anywhere. */
public final class HostBackend implements Backend {
    static final String NAME = "host";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Device device() {
        return Device.HOST;
    }

    /** What 16-bit types cost in Java is mostly their conversion; fp32 moves the same bytes and shows the protocol. */
    @Override
    public Dtype defaultDtype(final Dtype ofWorkload) {
        return Dtype.FP32;
    }

    @Override
    public List<CollectiveSpec> catalogue() {
        return Arrays.stream(HostAlgorithm.values()).map(HostBackend::spec).toList();
    }

    @Override
    public Collective collective(final CollectiveSpec spec) {
        if (!spec.backend().equals(NAME)) {
            throw new IllegalArgumentException("'" + spec + "' is not a collective of backend " + NAME);
        }
        final var algorithm = HostAlgorithm.parse(spec.algorithm());
        return new HostCollective(spec, algorithm, HostSettings.parse(spec, algorithm));
    }

    @Override
    public Optional<CollectiveSpec> baseline() {
        return Optional.of(spec(HostAlgorithm.RING));
    }

    @Override
    public Optional<CollectiveSpec> floor() {
        return Optional.of(spec(HostAlgorithm.FLAG_EXCHANGE));
    }

    private static CollectiveSpec spec(final HostAlgorithm algorithm) {
        return new CollectiveSpec(NAME, algorithm.id(), new TreeMap<>());
    }
}
