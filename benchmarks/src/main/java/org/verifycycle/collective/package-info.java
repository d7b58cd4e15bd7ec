/**
 * The contract every all-reduce backend fulfils, and the values that name one measurement.
 *
 * <p>{@link org.verifycycle.collective.CollectiveSpec} (parsed from its string) is found in
 * {@link org.verifycycle.collective.Collectives}, gives a {@link org.verifycycle.collective.Collective},
 * which each rank opens as a {@link org.verifycycle.collective.Communicator} and prepares as a
 * {@link org.verifycycle.collective.PreparedCycle}. Backends live in the packages below and are found through
 * {@link java.util.ServiceLoader}.
 */
package org.verifycycle.collective;
