package org.verifycycle.result;

import java.util.Arrays;
import java.util.Optional;

/**
 * Raw samples of one round of one configuration, one element per recorded verify cycle, in order.
 *
 * @param groupNanos  group time: last rank's end minus last rank's start
 * @param skewNanos   last start minus first start
 * @param deviceNanos the slowest rank's device time, where there is a device clock
 */
public record Samples(long[] groupNanos, long[] skewNanos, Optional<long[]> deviceNanos) {
    public Samples {
        if (groupNanos.length != skewNanos.length || deviceNanos.filter(d -> d.length != groupNanos.length).isPresent()) {
            throw new IllegalArgumentException("columns of samples differ in length");
        }
    }

    public int cycles() {
        return groupNanos.length;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof Samples s && Arrays.equals(groupNanos, s.groupNanos) && Arrays.equals(skewNanos, s.skewNanos)
                && deviceNanos.isPresent() == s.deviceNanos.isPresent()
                && (deviceNanos.isEmpty() || Arrays.equals(deviceNanos.get(), s.deviceNanos.get()));
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(groupNanos) + Arrays.hashCode(skewNanos);
    }

    @Override
    public String toString() {
        return "Samples[" + groupNanos.length + " cycles]";
    }
}
