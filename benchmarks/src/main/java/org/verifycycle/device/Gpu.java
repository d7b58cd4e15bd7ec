package org.verifycycle.device;

import java.util.Locale;

/**
 * One GPU, as the driver numbers it.
 *
 * @param index           ordinal of the driver in this process
 * @param name            e.g. {@code NVIDIA H200}
 * @param capability      compute capability times ten, e.g. 90
 * @param memoryBytes     of the device
 * @param pciBusId        e.g. {@code 0000:19:00.0}
 * @param multiprocessors how many SMs it has
 * @param uuidPrefix      the first eight hex digits of its UUID: enough to tell one box from the next of its kind; slices of one GPU (MIG)
 *                        may have the same
 */
public record Gpu(int index, String name, int capability, long memoryBytes, String pciBusId, int multiprocessors, String uuidPrefix) {
    /** Programmatic dependent launch begins with Hopper. */
    public boolean hasDependentLaunch() {
        return capability >= 90;
    }

    /** One line for results. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "GPU %d: %s, compute capability %d.%d, %d MiB, PCI %s", index, name, capability / 10, capability % 10, memoryBytes >> 20, pciBusId);
    }
}
