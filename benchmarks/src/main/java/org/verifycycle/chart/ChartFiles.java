package org.verifycycle.chart;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The files of drawings: {@code <name>.png} (at twice the size), {@code .svg} and {@code .csv}, each whole or absent. */
public final class ChartFiles {
    private static final int SCALE = 2;
    /** Names that charts of earlier reports may have: what this report does not draw again must not stay beside it. */
    private static final String OURS = "(cycle-cost|speedup|time-by-size|distribution)-.*\\.(png|svg|csv)";

    private ChartFiles() { }

    /** Writes all into {@code folder}, made if need be, and removes charts there that are not among them. */
    public static void write(final Path folder, final List<Drawing> drawings) throws IOException {
        Files.createDirectories(folder);
        final Set<String> written = new TreeSet<>();
        for (final var drawing : drawings) {
            written.add(replace(folder.resolve(drawing.name() + ".png"), png(drawing)));
            written.add(replace(folder.resolve(drawing.name() + ".svg"), svg(drawing)));
            written.add(replace(folder.resolve(drawing.name() + ".csv"), Csv.text(drawing.csv()).getBytes(StandardCharsets.UTF_8)));
        }
        try (var files = Files.list(folder)) {
            for (final var file : files.toList()) {
                final var name = file.getFileName().toString();
                if (name.matches(OURS) && !written.contains(name)) {
                    Files.delete(file);
                }
            }
        }
    }

    static byte[] png(final Drawing drawing) throws IOException {
        final var image = new BufferedImage(drawing.width() * SCALE, drawing.height() * SCALE, BufferedImage.TYPE_INT_RGB);
        final var graphics = image.createGraphics();
        try {
            graphics.scale(SCALE, SCALE);
            drawing.paint(new Pen(graphics));
        } finally {
            graphics.dispose();
        }
        final var bytes = new ByteArrayOutputStream();
        if (!ImageIO.write(image, "png", bytes)) {
            throw new IOException("this Java can't write PNG files");
        }
        return bytes.toByteArray();
    }

    static byte[] svg(final Drawing drawing) throws IOException {
        final var graphics = new VectorGraphics2D();
        drawing.paint(new Pen(graphics));
        final var bytes = new ByteArrayOutputStream();
        new SVGProcessor().getDocument(graphics.getCommands(), new PageSize(0, 0, drawing.width(), drawing.height())).writeTo(bytes);
        return bytes.toByteArray();
    }

    private static String replace(final Path file, final byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            throw new IOException("nothing was drawn for " + file);
        }
        final var temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            Files.write(temporary, bytes);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        return file.getFileName().toString();
    }
}
