package org.verifycycle.device;

import java.util.Arrays;
import java.util.List;

/** Why NVML says that clocks are held down: bits of nvmlClocksThrottleReasons. */
enum ThrottleReason {
    APPLICATION_CLOCKS(0x2, "clocks set by an application"),
    POWER_CAP(0x4, "power limit"),
    HARDWARE(0x8, "hardware slowdown"),
    SYNC_BOOST(0x10, "sync boost"),
    SOFTWARE_THERMAL(0x20, "temperature (software)"),
    HARDWARE_THERMAL(0x40, "temperature (hardware)"),
    POWER_BRAKE(0x80, "external power brake"),
    DISPLAY(0x100, "display clocks");

    private final long bit;
    private final String text;

    ThrottleReason(final long bit, final String text) {
        this.bit = bit;
        this.text = text;
    }

    /** Of all set bits but the one that says idle. */
    static List<String> names(final long bits) {
        return Arrays.stream(values()).filter(r -> (bits & r.bit) != 0).map(r -> r.text).toList();
    }
}
