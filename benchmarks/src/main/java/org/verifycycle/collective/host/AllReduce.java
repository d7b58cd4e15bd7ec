package org.verifycycle.collective.host;

/**
 * One algorithm, bound to one rank. What all of them promise: every rank ends with the same bits; sums are float32, also those on their
 * way ({@link Ring}), and rounded to the dtype once; NaN, infinities and both zeros pass. Calls follow one another without a barrier, so
 * each class says why a slot is free when it is written again.
 *
 * @param <A> the array that holds a tensor on the heap
 */
interface AllReduce<A> {
    /** One all-reduce call: all ranks call it equally often. */
    void call(A input, A output);
}
