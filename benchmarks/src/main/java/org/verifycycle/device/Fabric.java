package org.verifycycle.device;

import java.util.List;
import java.util.Optional;

/**
 * What the links between the GPUs did when they were probed, by stores and loads of kernels. Bandwidths are in GB/s (10^9 bytes), 0
 * where they were not measured.
 *
 * @param problem  why there is nothing about pairs, or why the probe ended early; for a person
 * @param millis   how long it took
 * @param pairs    of different GPUs, in both directions
 * @param hosts    every GPU and the host's memory
 * @param findings what follows from it, the worst first
 */
public record Fabric(Optional<String> problem, long millis, List<Pair> pairs, List<Host> hosts, List<Finding> findings) {
    public Fabric {
        pairs = List.copyOf(pairs);
        hosts = List.copyOf(hosts);
        findings = List.copyOf(findings);
    }

    /** Nothing was measured. */
    public static Fabric none(final String why) {
        return new Fabric(Optional.of(why), 0, List.of(), List.of(), List.of());
    }

    /**
     * GPU {@code from} stores to, loads from, and sends flags to GPU {@code to}.
     *
     * @param problem       why nothing, or nothing more, was measured
     * @param flagNanos     one way: half a round trip; the same for both directions
     * @param storeGBps     alone
     * @param storeAllGBps  while all GPUs store to all others
     * @param wrong4        of the words sent by stores of 4 bytes, how many were not as sent
     * @param wrongReplayed the same by stores of 16 bytes in a graph that was replayed
     * @param torn8         loads of 8 bytes that saw parts of two stores of 8 bytes
     */
    public record Pair(int from, int to, Optional<String> problem, double flagNanos, double storeGBps, double loadGBps, double storeAllGBps, double loadAllGBps, long wrong4, long wrong8,
                       long wrong16, long wrongReplayed, long torn8, long torn16) {
        /** Nothing measured. */
        public static Pair unmeasured(final int from, final int to, final String why) {
            return new Pair(from, to, Optional.of(why), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }

        public long wrong() {
            return wrong4 + wrong8 + wrong16 + wrongReplayed;
        }

        /** {@code 2->5}. */
        public String name() {
            return from + "->" + to;
        }
    }

    /** GPU {@code gpu} and pinned host memory. */
    public record Host(int gpu, double storeGBps, double loadGBps) { }

    /** @param text for a person, with what to do */
    public record Finding(Kind kind, String text) { }

    /** What can be found. */
    public enum Kind {
        /** Data came other than it was sent. */
        WRONG_DATA,
        /** A flag or data did not come at all. */
        NO_ANSWER,
        /** Stores of 8 bytes don't arrive whole. */
        TORN_8,
        /** Stores of 16 bytes don't arrive whole. */
        TORN_16,
        /** All GPUs storing at once get far less than one. */
        STORES_COLLAPSE,
        /** Loads are far faster than stores. */
        STORES_SLOW
    }
}
