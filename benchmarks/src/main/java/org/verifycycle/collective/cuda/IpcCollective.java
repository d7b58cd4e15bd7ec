package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Collective;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Communicator;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.RankContext;
import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.device.CudaException;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;

import java.util.Optional;
import java.util.function.Supplier;

/** An algorithm of this backend with its settings. */
record IpcCollective(CollectiveSpec spec, IpcAlgorithm algorithm, IpcSettings settings, Supplier<GpuBox> box) implements Collective {
    @Override
    public Role role() {
        return algorithm.role();
    }

    @Override
    public Optional<String> unsupported(final Configuration configuration) {
        final var here = box.get();
        return here.problem().or(() -> Requirements.unmet(algorithm, settings, configuration, here.gpus(), here.ranksPerGpu()))
                .or(() -> here.limits().unmet(algorithm, Math.min(configuration.world(), here.gpus().count())))
                .or(() -> here.occupancy().flatMap(o -> notResident(configuration, here.gpus().count(),
                        threads -> o.residentBlocks(algorithm.kernel(configuration.dtype(), configuration.world()), threads))));
    }

    private Optional<String> notResident(final Configuration c, final int gpus, final Geometry.Residency residency) {
        final var ranksOnGpu = GpuSharing.ranksOnGpu(c.world(), gpus);
        final var geometry = geometry(c, ranksOnGpu, residency);
        return Requirements.notResident(algorithm, settings, geometry, ranksOnGpu, residency.blocks(geometry.threads()));
    }

    Geometry geometry(final Configuration c, final int ranksOnGpu, final Geometry.Residency residency) {
        return Geometry.of(algorithm, settings, Requirements.packs(c), c.world(), ranksOnGpu * (settings.pdl() ? 2 : 1), residency);
    }

    /** The board; everything else is in the GPUs' memory. */
    @Override
    public long sharedBytes(final Configuration configuration) {
        return Region.boardBytes(algorithm, Requirements.packs(configuration), configuration.world());
    }

    @Override
    public void warmUp() {
        Gpus.detect();
    }

    /** Takes a context on this rank's GPU (rank modulo GPUs) and loads the kernels; does not block. */
    @Override
    public Communicator open(final RankContext context, final Configuration configuration) {
        if (context.world() != configuration.world()) {
            throw new IllegalArgumentException(configuration + ": opened in a group of " + context.world() + " ranks");
        }
        final var gpus = Gpus.detect();
        gpus.problem().or(Kernels::missing).ifPresent(problem -> {
            throw new CudaException(problem);
        });
        Requirements.unmet(algorithm, settings, configuration, gpus, GpuSharing.ofThisProcess().ranksPerGpu()).ifPresent(reason -> {
            throw new IllegalArgumentException(configuration + ": " + reason);
        });
        return IpcCommunicator.open(this, context, configuration, gpus);
    }
}
