/** Samples in, estimates and verdicts out: pure functions over Commons Math, with fixed seeds. */
package org.verifycycle.stats;
