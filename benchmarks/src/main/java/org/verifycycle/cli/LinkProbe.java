package org.verifycycle.cli;

import org.verifycycle.collective.cuda.FabricLimits;
import org.verifycycle.collective.cuda.FabricProbe;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpus;

import java.util.Optional;

/** The probe of the links before a run. */
final class LinkProbe {
    private LinkProbe() {
    }

    /** Tells those who plan in this process what it rules out, and the user what it found. Empty where there is no GPU. */
    static Optional<Fabric> run() {
        final var gpus = Gpus.detect();
        if (gpus.problem().isPresent()) {
            return Optional.empty();
        }
        final var fabric = FabricProbe.run(gpus);
        FabricLimits.of(fabric).tellThisProcess();
        if (gpus.count() > 1) {
            fabric.problem().ifPresent(why -> System.out.println("The probe of the links ended early: " + why));
        }
        fabric.findings().forEach(f -> System.out.println("Mind: " + f.text()));
        return Optional.of(fabric);
    }
}
