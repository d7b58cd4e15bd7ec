package org.verifycycle.chart;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The same picture in at most 256 colours: a third of the bytes, in the HTML page and in git. Charts have a dozen colours and their
 * blends at edges; the rare blends move to the nearest frequent one, which nobody sees.
 */
final class PalettePng {
    private static final int COLORS = 256;
    private static final int RGB = 0xFFFFFF;

    private PalettePng() { }

    static BufferedImage indexed(final BufferedImage image) {
        final var width = image.getWidth();
        final var height = image.getHeight();
        final var pixels = image.getRGB(0, 0, width, height, null, 0, width);
        final var counts = counts(pixels);
        // Ties by colour: the palette must not depend on the order of a hash table.
        final var palette = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()))
                .limit(COLORS).map(Map.Entry::getKey).toList();
        final var places = new HashMap<Integer, Byte>();
        counts.keySet().forEach(color -> places.put(color, (byte) nearest(palette, color)));
        final var indexed = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, model(palette));
        final var row = new byte[width];
        var last = pixels[0];
        var place = places.get(last & RGB).byteValue();
        for (var y = 0; y < height; y++) {
            for (var x = 0; x < width; x++) {
                final var pixel = pixels[y * width + x];
                if (pixel != last) {
                    last = pixel;
                    place = places.get(pixel & RGB);
                }
                row[x] = place;
            }
            indexed.getRaster().setDataElements(0, y, width, 1, row);
        }
        return indexed;
    }

    /** Pixels of each colour; by runs, for most of a chart is white. */
    private static Map<Integer, Integer> counts(final int[] pixels) {
        final var counts = new HashMap<Integer, Integer>();
        var start = 0;
        for (var i = 1; i <= pixels.length; i++) {
            if (i == pixels.length || pixels[i] != pixels[start]) {
                counts.merge(pixels[start] & RGB, i - start, Integer::sum);
                start = i;
            }
        }
        return counts;
    }

    private static IndexColorModel model(final List<Integer> palette) {
        final var channels = new byte[3][palette.size()];
        for (var i = 0; i < palette.size(); i++) {
            channels[0][i] = (byte) (palette.get(i) >> 16);
            channels[1][i] = (byte) (palette.get(i) >> 8);
            channels[2][i] = (byte) (int) palette.get(i);
        }
        return new IndexColorModel(8, palette.size(), channels[0], channels[1], channels[2]);
    }

    private static int nearest(final List<Integer> palette, final int color) {
        var best = 0;
        var least = Integer.MAX_VALUE;
        for (var i = 0; i < palette.size() && least > 0; i++) {
            final var distance = distance(palette.get(i), color);
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
        return best;
    }

    private static int distance(final int a, final int b) {
        final var red = (a >> 16 & 255) - (b >> 16 & 255);
        final var green = (a >> 8 & 255) - (b >> 8 & 255);
        final var blue = (a & 255) - (b & 255);
        return red * red + green * green + blue * blue;
    }
}
