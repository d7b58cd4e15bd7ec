package org.verifycycle.collective.nccl;

import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.RankContext;
import org.verifycycle.collective.Skew;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.ProcessVariables;

import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** NCCL's all-reduce with settings. */
record NcclCollective(CollectiveSpec spec, NcclSettings settings, Supplier<NcclBox> box) implements Collective {
    /** In place every call of a cycle has a tensor of its own, and each is checked. */
    private static final long MAX_IN_PLACE_BYTES = 64L << 20;

    @Override
    public Role role() {
        return Role.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupported(final Configuration configuration) {
        return box.get().problem().or(() -> unmet(configuration))
                .or(() -> configuration.skewNanos() == Skew.NONE ? Optional.empty() : Kernels.missing().map(problem -> "a late rank spins in a kernel: " + problem));
    }

    private Optional<String> unmet(final Configuration c) {
        final var gpus = box.get().gpus();
        if (c.world() > gpus.count()) {
            return Optional.of("NCCL refuses two ranks on one GPU (\"Duplicate GPU detected\"): world %d needs %d GPUs, there %s".formatted(c.world(), c.world(),
                    gpus.count() == 1 ? "is 1" : "are " + gpus.count()));
        }
        final var lacking = lacking();
        if (lacking.isPresent()) {
            return lacking;
        }
        return settings.inPlace() && (long) c.calls() * c.bytes() > MAX_IN_PLACE_BYTES
                ? Optional.of("in place each call of a cycle needs a tensor of its own, together at most %,d MiB: fewer calls or a smaller size fit".formatted(MAX_IN_PLACE_BYTES >> 20))
                : Optional.empty();
    }

    /** What this version of the library has not. */
    Optional<String> lacking() {
        final var version = box.get().library().version();
        if (settings.symmetric() == NcclSettings.Symmetric.WINDOWS && !version.atLeast(NcclVersion.WINDOWS)) {
            return Optional.of("symmetric=on needs ncclCommWindowRegister of NCCL %s or later, this is %s".formatted(NcclVersion.WINDOWS, version));
        }
        if (settings.symmetric() == NcclSettings.Symmetric.WITHOUT_WINDOWS && !version.atLeast(NcclVersion.SYMMETRIC_WITHOUT_WINDOWS)) {
            return Optional.of("symmetric=nowin needs NCCL %s or later, this is %s".formatted(NcclVersion.SYMMETRIC_WITHOUT_WINDOWS, version));
        }
        return Optional.empty();
    }

    /** Nothing: NCCL makes its own. */
    @Override
    public long sharedBytes(final Configuration configuration) {
        return 0;
    }

    /** Partial sums are rounded to the dtype at every step around the ring. */
    @Override
    public int roundings(final Configuration configuration) {
        return configuration.world() - 1;
    }

    @Override
    public void warmUp() {
        setVariables();
        Gpus.detect();
    }

    /** What driver and library read when they are first used. @return those for NCCL */
    private SortedMap<String, String> setVariables() {
        // The driver's own default, and what NCCL is deployed with: loading all of its kernels would count as memory it takes.
        if (ProcessVariables.get(GpuSharing.MODULE_LOADING).isEmpty()) {
            ProcessVariables.set(GpuSharing.MODULE_LOADING, "LAZY");
        }
        final var variables = settings.variables(System.getenv());
        variables.forEach(ProcessVariables::set);
        return variables;
    }

    /** The variables are set before the library is even looked for: what it reads when, only it knows. */
    @Override
    public Communicator open(final RankContext context, final Configuration configuration) {
        if (context.world() != configuration.world()) {
            throw new IllegalArgumentException(configuration + ": opened in a group of " + context.world() + " ranks");
        }
        return open(context, configuration, this::unsupported);
    }

    /** @param refusal why not to ask NCCL at all */
    NcclCommunicator open(final RankContext context, final Configuration configuration, final Function<Configuration, Optional<String>> refusal) {
        final var variables = setVariables();
        final var debug = DebugOutput.direct(System.getenv(), context.rank());
        try {
            refusal.apply(configuration).ifPresent(reason -> {
                throw new NcclException(configuration + ": " + reason);
            });
            return new NcclCommunicator(this, context, configuration, box.get(), variables, debug);
        } catch (final RuntimeException | LinkageError e) {
            debug.remove();
            throw e;
        }
    }
}
