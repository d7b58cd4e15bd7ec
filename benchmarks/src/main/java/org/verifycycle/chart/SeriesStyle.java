package org.verifycycle.chart;

import org.knowm.xchart.style.markers.Marker;

import java.awt.BasicStroke;
import java.awt.Color;

/** How a collective looks: colour, dash and marker, so that it can be told apart in grey print too. */
record SeriesStyle(Color color, BasicStroke stroke, Marker marker) {
    /** The same colour, paler: for what is shown beside, such as the second copy of the baseline. */
    Color pale() {
        return new Color(mix(color.getRed()), mix(color.getGreen()), mix(color.getBlue()));
    }

    private static int mix(final int channel) {
        return 255 - (255 - channel) * 2 / 5;
    }
}
