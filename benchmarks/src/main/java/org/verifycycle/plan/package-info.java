/** Which configurations a run measures, in which order, within which time, and what is left out and why. */
package org.verifycycle.plan;
