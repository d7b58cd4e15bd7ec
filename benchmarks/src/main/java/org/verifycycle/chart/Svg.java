package org.verifycycle.chart;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A drawing as SVG with real text: it can be searched, read aloud, and scaled. */
final class Svg {
    private static final Pattern TAG = Pattern.compile("<[a-zA-Z][^>]*>");
    private static final Pattern LONG_NUMBER = Pattern.compile("(\\d+\\.\\d{2})\\d+");
    private static final Pattern FAMILY = Pattern.compile("font-family:&quot;[^&]*&quot;");

    private Svg() { }

    static byte[] of(final Drawing drawing) throws IOException {
        final var graphics = new VectorGraphics2D();
        final var pen = new Pen(graphics);
        drawing.paint(pen);
        final var bytes = new ByteArrayOutputStream();
        new SVGProcessor().getDocument(graphics.getCommands(), new PageSize(0, 0, drawing.width(), drawing.height())).writeTo(bytes);
        final var widths = pen.placed().iterator();
        final var text = TAG.matcher(bytes.toString(StandardCharsets.UTF_8)).replaceAll(tag -> Matcher.quoteReplacement(mended(tag.group(), drawing, widths)));
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String mended(final String tag, final Drawing drawing, final Iterator<Pen.Placed> texts) {
        final var shorter = LONG_NUMBER.matcher(FAMILY.matcher(tag).replaceAll("font-family:&quot;DejaVu Sans&quot;,Verdana,sans-serif")).replaceAll("$1");
        if (tag.startsWith("<svg")) {
            // VectorGraphics2D takes 12 px for the default of SVG and leaves it out; browsers have 16.
            return shorter.replaceFirst("<svg", "<svg role=\"img\" style=\"font-size:12px\"") + "<title>" + escape(drawing.alt()) + "</title>";
        }
        if (tag.startsWith("<text") && texts.hasNext()) {
            // Another machine's font must not be wider than the place that was measured for it.
            return shorter.replaceFirst("<text", String.format(Locale.ROOT, "<text lengthAdjust=\"spacingAndGlyphs\" textLength=\"%.1f\"",
                    texts.next().box().getWidth()));
        }
        return shorter;
    }

    private static String escape(final String text) {
        return Wrap.clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
