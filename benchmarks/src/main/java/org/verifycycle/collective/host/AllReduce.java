package org.verifycycle.collective.host;

/**
 * One algorithm, bound to one rank.
 *
 * @param <A> the array that holds a tensor on the heap
 */
interface AllReduce<A> {
    /** One all-reduce call: all ranks call it equally often. */
    void call(A input, A output);
}
