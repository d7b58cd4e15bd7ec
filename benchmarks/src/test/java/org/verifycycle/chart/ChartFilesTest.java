package org.verifycycle.chart;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class ChartFilesTest {
    private static final RunFixture SMALL = RunFixture.of(List.of("host/one-shot-ll", "host/two-shot-ll", "host/ring"), List.of(2),
            List.of(8192, RunFixture.BYTES), 3);

    @TempDir
    Path folder;

    @Test
    void writesThreeFilesPerChartAndLeavesNoTemporaryOnes() throws Exception {
        ChartFiles.write(folder, drawings(SMALL));
        try (var files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactlyInAnyOrder(
                    "cycle-cost-w2.png", "cycle-cost-w2.svg", "cycle-cost-w2.csv", "speedup-w2.png", "speedup-w2.svg", "speedup-w2.csv",
                    "time-by-size-w2.png", "time-by-size-w2.svg", "time-by-size-w2.csv", "distribution-w2.png", "distribution-w2.svg", "distribution-w2.csv");
        }
    }

    @Test
    void removesChartsThatAreNotDrawnAnyMoreAndNothingElse() throws Exception {
        Files.writeString(folder.resolve("cycle-cost-w4.png"), "old");
        Files.writeString(folder.resolve("mine.png"), "not ours");
        ChartFiles.write(folder, drawings(SMALL));
        assertThat(folder.resolve("cycle-cost-w4.png")).doesNotExist();
        assertThat(folder.resolve("mine.png")).exists();
    }

    @Test
    void theSameRunGivesTheSameBytes() throws Exception {
        ChartFiles.write(folder.resolve("a"), drawings(SMALL));
        ChartFiles.write(folder.resolve("b"), drawings(SMALL));
        assertThat(contents(folder.resolve("a"))).isEqualTo(contents(folder.resolve("b")));
    }

    @Test
    void picturesHaveTwiceTheSizeAndSomethingOnThem() throws Exception {
        for (final var drawing : drawings(SMALL)) {
            final var image = ImageIO.read(new ByteArrayInputStream(ChartFiles.png(drawing)));
            assertThat(image.getWidth()).isEqualTo(2 * drawing.width());
            assertThat(image.getHeight()).isEqualTo(2 * drawing.height());
            final var pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            final var inked = java.util.Arrays.stream(pixels).filter(p -> (p & 0xFFFFFF) != 0xFFFFFF).count();
            assertThat(inked / (double) pixels.length).as(drawing.name()).isBetween(0.01, 0.5);
            assertThat(java.util.Arrays.stream(pixels).anyMatch(p -> (p & 0xFFFFFF) == 0xD55E00)).as("one-shot-ll's colour in " + drawing.name()).isTrue();
        }
    }

    @Test
    void svgIsWellFormedWithRealTextEvenWithHostileNames() throws Exception {
        for (final var drawing : drawings(SMALL.host("<script>&\"'\u0007"))) {
            final var text = new String(Svg.of(drawing), StandardCharsets.UTF_8);
            final var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            final var document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
            assertThat(document.getElementsByTagName("title").getLength()).isEqualTo(1);
            assertThat(document.getElementsByTagName("script").getLength()).isZero();
            assertThat(document.getElementsByTagName("text").getLength()).isEqualTo(drawing.texts().size());
        }
    }

    @Test
    void csvQuotesWhatItMust() {
        assertThat(Csv.text(List.of(List.of("a,b", "say \"x\"", "plain"), List.of("", "1", "c\nd")))).isEqualTo("\"a,b\",\"say \"\"x\"\"\",plain\n,1,\"c\nd\"\n");
    }

    @Test
    void thisJavaCanDraw() {
        assertThat(ChartFiles.canDraw()).isTrue();
    }

    private static List<Drawing> drawings(final RunFixture fixture) throws Exception {
        final var made = fixture.make();
        return RunCharts.of(made.view(), made.samples());
    }

    private static TreeMap<String, String> contents(final Path directory) throws Exception {
        final var contents = new TreeMap<String, String>();
        try (var files = Files.list(directory)) {
            for (final var file : files.toList()) {
                contents.put(file.getFileName().toString(), java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}
