package org.verifycycle.chart;

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
    private static final String OURS = "(cycle-cost|speedup|time-by-size|cost-over-skew|economics|distribution)-.*\\.(png|svg|csv)";

    private ChartFiles() { }

    /** Whether this Java can draw text: one of a slim image without fontconfig or fonts can't, and fails in many ways. */
    public static boolean canDraw() {
        try {
            return Pen.width("x", Pen.TEXT) > 0;
        } catch (final RuntimeException | LinkageError | InternalError e) {
            return false;
        }
    }

    /** Writes all into {@code folder}, made if need be, and removes charts there that are not among them. */
    public static void write(final Path folder, final List<Drawing> drawings) throws IOException {
        final var written = add(folder, drawings);
        try (var files = Files.list(folder)) {
            for (final var file : files.toList()) {
                final var name = file.getFileName().toString();
                if (name.matches(OURS) && !written.contains(name)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Writes all into {@code folder}, made if need be, beside what is there. @return the files' names */
    public static Set<String> add(final Path folder, final List<Drawing> drawings) throws IOException {
        Files.createDirectories(folder);
        final Set<String> written = new TreeSet<>();
        for (final var drawing : drawings) {
            written.add(replace(folder.resolve(drawing.name() + ".png"), png(drawing)));
            written.add(replace(folder.resolve(drawing.name() + ".svg"), Svg.of(drawing)));
            written.add(replace(folder.resolve(drawing.name() + ".csv"), Csv.text(drawing.csv()).getBytes(StandardCharsets.UTF_8)));
        }
        return written;
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
        if (!ImageIO.write(PalettePng.indexed(image), "png", bytes)) {
            throw new IOException("this Java can't write PNG files");
        }
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
