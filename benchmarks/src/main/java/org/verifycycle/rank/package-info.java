/** Rank processes, the control block they share, and the watchdog that ends them together. */
package org.verifycycle.rank;
