package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.PreparedCycle;

/**
 * Where a rank's region and buffers are in its one allocation, which is exported whole; the same on every rank.
 *
 * <pre>
 *   0                region (control area, flags, slots)
 *   regionBytes      input of set 0 | output of set 0 | input of set 1 | ...       each on a page of 4096 bytes
 * </pre>
 */
record Arena(long regionBytes, long tensorBytes, int sets) {
    private static final long PAGE_BYTES = 4096;
    /** The granule of device memory: an allocation smaller than it shares its granule, and so its handle, with others. */
    private static final long GRANULE_BYTES = 2L << 20;

    static Arena of(final IpcAlgorithm algorithm, final Configuration c) {
        return new Arena(round(Region.bytes(algorithm, Requirements.packs(c), c.world()), PAGE_BYTES), round(c.bytes(), PAGE_BYTES), PreparedCycle.bufferSetsFor(c.bytes()));
    }

    long input(final int set) {
        return regionBytes + 2L * set * tensorBytes;
    }

    long output(final int set) {
        return input(set) + tensorBytes;
    }

    long bytes() {
        return round(input(sets), GRANULE_BYTES);
    }

    private static long round(final long bytes, final long unit) {
        return (bytes + unit - 1) / unit * unit;
    }
}
