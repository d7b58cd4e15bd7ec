package org.verifycycle.collective.nccl;

import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.Gpus;

import java.util.Optional;

/** What the planner has to know of this machine. */
record NcclBox(Gpus gpus, int ranksPerGpu, NcclLibrary library) {
    /** The library is looked for only where there is a GPU to use it on. */
    static NcclBox detect() {
        final var gpus = Gpus.detect();
        return new NcclBox(gpus, GpuSharing.ofThisProcess().ranksPerGpu(), gpus.problem().map(NcclLibrary::none).orElseGet(NcclLibrary::ofThisProcess));
    }

    Optional<String> problem() {
        return library.problem();
    }
}
