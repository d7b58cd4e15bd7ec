/**
 * What verify cycles cost and whether speculation pays: pure functions from times to tokens per second. {@link
 * org.verifycycle.economics.Speculation} is the algebra, {@link org.verifycycle.economics.Model} what is known of a deployment and
 * what is solved from it, {@link org.verifycycle.economics.Outcome} the answer for one collective with its intervals.
 */
package org.verifycycle.economics;
