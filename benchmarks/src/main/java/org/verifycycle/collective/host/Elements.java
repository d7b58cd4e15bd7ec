package org.verifycycle.collective.host;

/**
 * What a call does to the elements of one dtype, always many at a time: moving them between heap and shared memory, and
 * summing them in float32. The algorithms know elements only through this.
 *
 * <p>Positions and lengths are in elements, offsets in bytes. Arithmetic takes all its arrays at the same position:
 * HotSpot 17 makes vector code of {@code a[i] += b[i]}, but not of {@code a[i] += b[k + i]}, which takes four times as long.
 *
 * @param <A> the array that holds a tensor on the heap
 */
interface Elements<A> {
    A allocate(int length);

    /** An empty table of operands for {@link #sum}. */
    A[] table(int operands);

    /** Heap to shared memory. */
    void write(A source, int from, HostRegion region, int offset, int length);

    /** Shared memory to heap. */
    void read(HostRegion region, int offset, A target, int to, int length);

    /** Elements to LL lines with this flag; {@code length} is a whole number of 4-byte words. */
    void pack(A source, int from, int flag, long[] lines, int length);

    /** The inverse of {@link #pack}. */
    void unpack(long[] lines, A target, int to, int length);

    /** {@code target = round(target + source)}, from position {@code from} of both. */
    void add(A source, A target, int from, int length);

    /** {@code target = round(operands[0] + operands[1] + ...)}, added in that order in float32 and rounded once. */
    void sum(A[] operands, A target, int length);

    /** {@code target = source}, exactly. */
    void widen(A source, float[] target, int length);

    /** {@code target += source}, in float32. */
    void accumulate(A source, float[] target, int length);

    /** {@code target = source}, rounded to nearest even; a NaN stays a NaN. */
    void round(float[] source, A target, int length);
}
