package org.verifycycle.collective.host;

/**
 * What a call does to the elements of one dtype, always many at a time: moving them between heap and shared memory, and
 * summing them in float32. The algorithms know elements only through this.
 *
 * <p>Positions and lengths are in elements, offsets in bytes.
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

    /**
     * {@code target = round(operands[0] + operands[1] + ...)}, added in that order in float32 and rounded once.
     *
     * @param operands at least two
     * @param from where each operand starts
     */
    void sum(A[] operands, int[] from, A target, int to, int length);

    /** {@code target = source}, exactly. */
    void widen(A source, int from, float[] target, int to, int length);

    /** {@code target += source}, in float32. */
    void add(A source, int from, float[] target, int to, int length);

    /** {@code target = source}, rounded to nearest even; a NaN stays a NaN. */
    void round(float[] source, int from, A target, int to, int length);

    /** Elements to 4-byte words, for {@link HostRegion#writeLines}; {@code length} is a whole number of words. */
    void pack(A source, int from, int[] words, int length);

    /** The inverse of {@link #pack}. */
    void unpack(int[] words, A target, int to, int length);
}
