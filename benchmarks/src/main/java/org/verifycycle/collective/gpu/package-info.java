/**
 * What backends on GPUs share: a rank's hold on its GPU, and the verify cycle as a captured graph or call by call. Which
 * all-reduce a call is, the backend says.
 */
package org.verifycycle.collective.gpu;
