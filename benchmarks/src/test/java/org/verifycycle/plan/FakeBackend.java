package org.verifycycle.plan;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.RankContext;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Names and refusals as a real backend has them; nothing that runs. */
record FakeBackend(String name, Device device, Optional<String> unavailable, List<CollectiveSpec> catalogue, Optional<CollectiveSpec> baseline,
                   Optional<CollectiveSpec> floor, Function<Configuration, Optional<String>> refusal) implements Backend {

    /** Named as the host's; runs eagerly only. */
    static FakeBackend host() {
        return of("host", Optional.empty(), c -> c.launch() == Launch.GRAPH ? Optional.of("the host has no graphs") : Optional.empty(),
                "ring", "flag-exchange", "one-shot-pull", "two-shot-pull", "one-shot-ll", "two-shot-ll");
    }

    static FakeBackend gpu(final Optional<String> unavailable) {
        return of("ipc", unavailable, c -> c.world() > 2 ? Optional.of("needs " + c.world() + " GPUs, there are 2") : Optional.empty(),
                "default", "empty-node", "one-shot-ll");
    }

    static FakeBackend of(final String name, final Optional<String> unavailable, final Function<Configuration, Optional<String>> refusal,
                          final String baseline, final String floor, final String... candidates) {
        final var specs = Arrays.stream(candidates).map(c -> CollectiveSpec.parse(name + "/" + c)).toList();
        final var all = new ArrayList<>(specs);
        final var base = CollectiveSpec.parse(name + "/" + baseline);
        final var least = CollectiveSpec.parse(name + "/" + floor);
        all.add(base);
        all.add(least);
        return new FakeBackend(name, name.equals("host") ? Device.HOST : Device.GPU, unavailable, all, Optional.of(base), Optional.of(least), refusal);
    }

    @Override
    public Dtype defaultDtype(final Dtype ofWorkload) {
        return device == Device.HOST ? Dtype.FP32 : ofWorkload;
    }

    @Override
    public Collective collective(final CollectiveSpec spec) {
        if (catalogue.stream().noneMatch(s -> s.path().equals(spec.path()))) {
            throw new IllegalArgumentException("unknown collective '" + spec + "'; known: " + catalogue);
        }
        return new Named(spec, floor.filter(f -> f.path().equals(spec.path())).isPresent() ? Collective.Role.FLOOR : Collective.Role.ALL_REDUCE, refusal);
    }

    private record Named(CollectiveSpec spec, Role role, Function<Configuration, Optional<String>> refusal) implements Collective {
        @Override
        public Optional<String> unsupported(final Configuration configuration) {
            return refusal.apply(configuration);
        }

        @Override
        public long sharedBytes(final Configuration configuration) {
            return 0;
        }

        @Override
        public Communicator open(final RankContext context, final Configuration configuration) {
            throw new UnsupportedOperationException("a fake runs nothing");
        }
    }
}
