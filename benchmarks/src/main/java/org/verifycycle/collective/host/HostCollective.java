package org.verifycycle.collective.host;

import java.util.Optional;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.RankContext;

/** An algorithm of this backend with its settings. */
record HostCollective(CollectiveSpec spec, HostAlgorithm algorithm, HostSettings settings) implements Collective {
    @Override
    public Role role() {
        return algorithm.role();
    }

    @Override
    public Optional<String> unsupported(final Configuration configuration) {
        if (configuration.launch() != Launch.EAGER) {
            return Optional.of("launch=" + configuration.launch().id() + ": a host collective has no stream to start calls on; use launch="
                    + Launch.EAGER.id());
        }
        return settings.copy().filter(HostSettings.Copy.LIBC::equals).flatMap(asked -> LibcCopy.unavailable()).map(reason -> "copy=libc: " + reason);
    }

    @Override
    public long sharedBytes(final Configuration configuration) {
        return algorithm.layout(settings.shape(algorithm, configuration)).bytes();
    }

    @Override
    public void warmUp() {
        settings.byLibc(algorithm);
    }

    /** Does not block: ranks meet in their first call. The shared memory must be fresh (zeroed) for every opening. */
    @Override
    public Communicator open(final RankContext context, final Configuration configuration) {
        unsupported(configuration).ifPresent(reason -> {
            throw new IllegalArgumentException(configuration + ": " + reason);
        });
        if (context.world() != configuration.world()) {
            throw new IllegalArgumentException(configuration + ": opened in a group of " + context.world() + " ranks");
        }
        final var shape = settings.shape(algorithm, configuration);
        final var layout = algorithm.layout(shape);
        if (context.shared().capacity() < layout.bytes()) {
            throw new IllegalArgumentException(configuration + ": needs " + layout.bytes() + " bytes of shared memory, has "
                    + context.shared().capacity());
        }
        return new HostCommunicator(context, algorithm, shape, layout, settings.byLibc(algorithm), configuration.calls());
    }
}
