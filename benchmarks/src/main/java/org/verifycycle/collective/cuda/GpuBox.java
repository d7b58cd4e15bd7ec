package org.verifycycle.collective.cuda;

import org.verifycycle.collective.gpu.Kernels;
import org.verifycycle.device.CudaException;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;

import java.util.Optional;

/**
 * What the planner has to know of this machine.
 *
 * @param problem   why no collective of this backend can run
 * @param occupancy where there is no problem
 * @param limits    what a probe of the links forbids
 */
record GpuBox(Gpus gpus, int ranksPerGpu, Optional<String> problem, Optional<Occupancy> occupancy, FabricLimits limits) {
    static GpuBox detect() {
        final var gpus = Gpus.detect();
        final var ranksPerGpu = GpuSharing.ofThisProcess().ranksPerGpu();
        final var limits = FabricLimits.ofThisProcess();
        final var problem = gpus.problem().or(Kernels::missing);
        if (problem.isPresent()) {
            return new GpuBox(gpus, ranksPerGpu, problem, Optional.empty(), limits);
        }
        try {
            return new GpuBox(gpus, ranksPerGpu, Optional.empty(), Optional.of(Occupancy.ask(gpus.all().get(0))), limits);
        } catch (final CudaException e) {
            return new GpuBox(gpus, ranksPerGpu, Optional.of(e.getMessage()), Optional.empty(), limits);
        }
    }
}
