package org.verifycycle.device;

import java.util.List;
import java.util.OptionalInt;

/**
 * What one GPU is doing and how it is attached, at the moment of asking; empty where the driver does not say.
 *
 * @param nvlinks         active NVLink links; 0 where it has none
 * @param nvlinkVersion   e.g. {@code 4.0}; empty text where there is none or it is not known
 * @param pcieGeneration  now; a GPU at rest may have slowed its link down
 * @param pcieMaximum     the best that GPU and slot can do
 * @param smMhz           clock of the multiprocessors
 * @param utilisation     percent of the last moments in which a kernel ran
 * @param throttle        why its clocks are held down, by name; idling is no reason here
 * @param exclusive       whether only one process may use it
 */
public record GpuState(int gpu, OptionalInt nvlinks, String nvlinkVersion, OptionalInt pcieGeneration, OptionalInt pcieWidth, OptionalInt pcieMaximum, OptionalInt pcieMaximumWidth,
                       OptionalInt smMhz, OptionalInt smMaximumMhz, OptionalInt temperature, OptionalInt utilisation, List<String> throttle, boolean exclusive) {
    public GpuState {
        throttle = List.copyOf(throttle);
    }
}
