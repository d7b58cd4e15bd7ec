package org.verifycycle.collective.host;

import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;

/**
 * The shape of a call: a tensor of {@code bytes} bytes that passes through shared memory in chunks.
 *
 * @param chunkBytes size of a chunk, but for the last: a positive multiple of 16
 */
record HostShape(int world, int bytes, Dtype dtype, int chunkBytes) {
    /** What tensors are a multiple of, and parts begin at. */
    static final int PACK_BYTES = 16;

    HostShape {
        chunkBytes = Math.min(chunkBytes, bytes);
    }

    static HostShape of(final Configuration configuration, final int chunkBytes) {
        return new HostShape(configuration.world(), configuration.bytes(), configuration.dtype(), chunkBytes);
    }

    int chunks() {
        return (bytes + chunkBytes - 1) / chunkBytes;
    }

    /** Size of chunk {@code index}. */
    int bytesOfChunk(final int index) {
        return Math.min(chunkBytes, bytes - index * chunkBytes);
    }

    /** Where the part of a rank begins in a chunk, in bytes; parts differ by one pack at most, and can be empty. */
    int partStart(final int bytesOfChunk, final int rank) {
        return (int) ((long) (bytesOfChunk / PACK_BYTES) * rank / world) * PACK_BYTES;
    }

    int partBytes(final int bytesOfChunk, final int rank) {
        return partStart(bytesOfChunk, rank + 1) - partStart(bytesOfChunk, rank);
    }

    /** Size of the largest part of any chunk. */
    int largestPartBytes() {
        return (chunkBytes / PACK_BYTES + world - 1) / world * PACK_BYTES;
    }

    int bytesOf(final int elements) {
        return elements * dtype.bytes();
    }

    int elements(final int sizeBytes) {
        return sizeBytes / dtype.bytes();
    }
}
