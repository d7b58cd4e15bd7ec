/** XChart drawings of a run: PNG and SVG. */
package org.verifycycle.chart;
