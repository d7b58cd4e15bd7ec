package org.verifycycle.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.chart.RunFixture;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.result.NcclTests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class ImportedTablesTest {
    @TempDir
    private Path folder;

    @Test
    void importedNumbersStandMarkedAmongThoseOfTheSameSizeAndLaunch() throws IOException {
        final var report = report(RunFixture.gpu(), imported(8, Launch.GRAPH));
        assertThat(report).containsPattern("\\| nccl-tests \\(imported\\) \\| - \\| 7\\.31\\d* \\| - \\| [\\d.]+ \\| imported \\|.* all\\\\_reduce\\\\_2x\\.json, NCCL 2\\.28\\.9 \\|")
                .containsPattern("\\| nccl-tests, in place \\(imported\\) \\| - \\| 7\\.29\\d* \\|")
                .containsPattern("\\| nccl-tests \\(imported\\) \\| 6\\.41\\d* \\| 7\\.31\\d* \\| - \\| - \\| - \\|")
                .contains("Imported: all\\_reduce\\_2x.json").contains("one measurement, no interval").contains("not in this run");
    }

    @Test
    void theyDoNotStandAmongOthers() throws IOException {
        assertThat(report(RunFixture.gpu(), imported(4, Launch.GRAPH))).doesNotContain("nccl-tests (imported)").contains("not in this run");
        assertThat(report(RunFixture.gpu(), imported(8, Launch.EAGER))).doesNotContain("nccl-tests (imported)");
        assertThat(report(RunFixture.host(), imported(2, Launch.EAGER))).doesNotContain("nccl-tests (imported)");
    }

    private String report(final RunFixture fixture, final NcclTests imported) throws IOException {
        final var made = fixture.make();
        Reports.write(folder, made.run(), made.analysis(), made.samples(), List.of(imported), Optional.empty());
        return Files.readString(folder.resolve("report.md"));
    }

    private static NcclTests imported(final int world, final Launch launch) {
        return new NcclTests("all_reduce_2x.json", "2.28.9", world, launch, 20, true, List.of(
                new NcclTests.Result(8192, Dtype.BF16, Optional.of(6.41), Optional.of(6.38), false),
                new NcclTests.Result(43_008, Dtype.BF16, Optional.of(7.31), Optional.of(7.29), false),
                new NcclTests.Result(77_824, Dtype.BF16, Optional.of(7.18), Optional.of(7.2), false)), 0);
    }
}
