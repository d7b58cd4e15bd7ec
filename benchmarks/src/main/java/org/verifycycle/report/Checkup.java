package org.verifycycle.report;

import org.verifycycle.device.Fabric;
import org.verifycycle.device.Gpus;
import org.verifycycle.device.Machine;
import org.verifycycle.device.Mps;
import org.verifycycle.device.Topology;

import java.util.Map;
import java.util.Optional;

/**
 * What was looked at on a machine.
 *
 * @param before    how the GPUs were before the probe: who else uses them
 * @param after     after it: links at the speed they have under load
 * @param fabric    what the probe of the links found
 * @param libraries versions, by name
 * @param kernels   why this jar has no kernels; empty if it has
 * @param nvcc      where it was found: {@code CUDA_HOME}, {@code PATH} or {@code /usr/local/cuda}
 * @param locked    whether a benchmark runs
 */
public record Checkup(Machine machine, Gpus gpus, Topology before, Topology after, Fabric fabric, Mps mps, Map<String, String> libraries, Optional<String> kernels, Optional<String> nvcc,
                      boolean locked) {
    public Checkup {
        libraries = Map.copyOf(libraries);
    }
}
