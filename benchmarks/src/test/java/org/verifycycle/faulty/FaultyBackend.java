package org.verifycycle.faulty;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.RankContext;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A backend for tests only: a plain all-reduce, right or with one fault. */
public final class FaultyBackend implements Backend {
    /** What is wrong with an algorithm. */
    enum Fault { NONE, WRONG_SUM, NO_OP, RANK_DIFFERS, STALE_INPUT, WRONG_LATER, SLOW, DIES, HANGS, THROWS_AT_OPEN, THROWS_AN_ERROR, WRONG_ONCE, DIES_AT_CLOSE, LAZY, LOSES_CALLS, LAZY_LATER, RANK_0_THROWS }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Device device() {
        return Device.HOST;
    }

    @Override
    public Dtype defaultDtype(final Dtype ofWorkload) {
        return Dtype.FP32;
    }

    @Override
    public List<CollectiveSpec> catalogue() {
        return Arrays.stream(Fault.values()).map(FaultyBackend::spec).toList();
    }

    /** Never in a plan that did not ask for it. */
    @Override
    public List<CollectiveSpec> defaults() {
        return List.of();
    }

    @Override
    public Collective collective(final CollectiveSpec spec) {
        final var fault = Arrays.stream(Fault.values()).filter(f -> spec(f).equals(spec)).findFirst().orElseThrow(() -> new IllegalArgumentException(
                "unknown collective '" + spec + "'; known: " + catalogue().stream().map(CollectiveSpec::toString).collect(Collectors.joining(", "))));
        return new Collective() {
            @Override
            public CollectiveSpec spec() {
                return spec;
            }

            @Override
            public Role role() {
                return Role.ALL_REDUCE;
            }

            @Override
            public Optional<String> unsupported(final Configuration configuration) {
                return configuration.dtype() == Dtype.FP32 ? Optional.empty() : Optional.of("only fp32");
            }

            @Override
            public long sharedBytes(final Configuration configuration) {
                return FaultyCycle.sharedBytes(configuration);
            }

            @Override
            public Communicator open(final RankContext context, final Configuration configuration) {
                if (fault == Fault.THROWS_AT_OPEN && context.rank() == 1) {
                    throw new IllegalStateException("rank 1 was told to fail at open");
                }
                return new Communicator() {
                    @Override
                    public org.verifycycle.collective.PreparedCycle prepare() {
                        return new FaultyCycle(context, configuration, fault);
                    }

                    @Override
                    public void close() {
                        // Nothing is held; as collectives on GPUs do, the ranks meet once more.
                        if (fault == Fault.DIES_AT_CLOSE && context.rank() == 1) {
                            Runtime.getRuntime().halt(11);
                        }
                        if (fault == Fault.DIES_AT_CLOSE) {
                            context.exchange(new byte[0]);
                        }
                    }
                };
            }
        };
    }

    @Override
    public Optional<CollectiveSpec> baseline() {
        return Optional.empty();
    }

    @Override
    public Optional<CollectiveSpec> floor() {
        return Optional.empty();
    }

    private static CollectiveSpec spec(final Fault fault) {
        return new CollectiveSpec("faulty", fault.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), new TreeMap<>());
    }
}
