package org.verifycycle.report;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.chart.RunFixture;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeviceMemory;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Run;
import org.verifycycle.result.Samples;
import org.verifycycle.stats.Analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** On a run of the same collectives as graph and barriered, with device times of half the group time. */
class HowItRanTest {
    private static final RunFixture FIXTURE = RunFixture.of(List.of("host/one-shot-ll", "host/ring"), List.of(2), List.of(RunFixture.BYTES), 3);

    @TempDir
    private static Path folder;
    private static String report;

    @BeforeAll
    static void write() throws IOException {
        final var made = FIXTURE.make();
        final var run = made.run();
        final var both = new Run(run.schema(), run.id(), run.startedAt(), run.finishedAt(), run.command(), run.workload(), run.plan(), run.environment(),
                Stream.concat(run.entries().stream().map(HowItRanTest::noted), run.entries().stream().map(HowItRanTest::barriered)).toList(), run.leftOut(), run.fabric());
        final Function<RoundResult, Samples> samples = made.samples().andThen(s -> new Samples(s.groupNanos(), s.skewNanos(),
                Optional.of(LongStream.of(s.groupNanos()).map(g -> g / 2).toArray())));
        Reports.write(folder, both, Analysis.of(both, samples), samples);
        report = Files.readString(folder.resolve("report.md"));
    }

    @Test
    void launchesOfOneConfigurationStandSideBySideWithWhoseDefinitionEachIs() {
        assertThat(report).contains("The same calls, timed in several ways", "| collective | eager host | eager device | barriered host | barriered device |");
        final var row = report.lines().filter(l -> l.startsWith("| host/ring |") && !l.contains("ranks") && l.split("\\|").length == 6).findFirst().orElseThrow().split("\\|");
        assertThat(Double.parseDouble(row[2].strip()) / Double.parseDouble(row[3].strip())).isBetween(1.9, 2.1);
        assertThat(report).contains("barriered: every call waited for").contains("eager: all calls started one after the other").doesNotContain("graph: all calls in one CUDA graph");
    }

    @Test
    void memoryIsShownInMebibytes() {
        assertThat(report).containsPattern("\\| host/ring \\| 2 ranks, 43,008 bytes, fp32, eager, 122 calls \\| 96(\\.0+)? \\| 2(\\.0+)? \\| 0\\.50* \\|");
    }

    @Test
    void whatTheLibraryDidIsToldOnceAndByHowManyRounds() {
        assertThat(report).contains("| chose: RING LL |").contains("| chose: RING LL; chose: TREE (in 1 of 3 rounds) |");
    }

    private static Entry noted(final Entry entry) {
        final var rounds = entry.rounds().stream().map(r -> new RoundResult(r.round(), r.position(), r.status(), r.error(), r.startedAt(), r.wallMillis(), r.cycles(), r.samplesFile(),
                r.round() == 2 && entry.purpose() == Entry.Purpose.CANDIDATE ? List.of("chose: RING LL", "chose: TREE") : List.of("chose: RING LL"),
                Optional.of(new DeviceMemory(96L << 20, 2L << 20, 1L << 19)))).toList();
        return new Entry(entry.id(), entry.configuration(), entry.purpose(), entry.marks(), rounds, entry.estimate());
    }

    private static Entry barriered(final Entry entry) {
        final var c = entry.configuration();
        return new Entry(entry.id() + "b", new Configuration(c.collective(), c.world(), c.bytes(), c.dtype(), Launch.BARRIERED, c.calls()), entry.purpose(), entry.marks(), entry.rounds(),
                entry.estimate());
    }
}
