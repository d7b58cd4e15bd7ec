/**
 * Drawings of a run, one idea each, as PNG, SVG and the plotted numbers as CSV.
 *
 * <p>XChart draws the data (lines, steps, markers, bars, whiskers) into a plot area; titles, axes, labels and captions are laid out here
 * from measured text, because XChart 3.8.8 has no bars that lie, no asymmetric intervals, no labels at line ends, and shows wrong
 * ticks on a log axis with a formatter.
 */
package org.verifycycle.chart;
