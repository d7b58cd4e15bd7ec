package org.verifycycle.cli;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar behaves as any JMH jar does. */
@Timeout(120)
class JmhUseIT {
    @TempDir
    private Path folder;

    @Test
    void listsItsBenchmarks() throws Exception {
        try (var program = Launched.start(folder, "-l")) {
            assertThat(program.exit()).isZero();
            assertThat(program.output()).contains("org.verifycycle.bench.VerifyCycleBenchmark.cycle");
        }
    }

    @Test
    void listsParametersAndProfilers() throws Exception {
        try (var program = Launched.start(folder, "-lp")) {
            assertThat(program.exit()).isZero();
            assertThat(program.output()).contains("param \"collective\"").contains("param \"world\"").contains("param \"bytes\"").contains("param \"dtype\"")
                    .contains("param \"launch\"").contains("param \"calls\"");
        }
        try (var program = Launched.start(folder, "-lp", "-p", "collective=nccl/default")) {
            assertThat(program.exit()).as("a list needs no GPU").isZero();
        }
        try (var program = Launched.start(folder, "-lprof")) {
            assertThat(program.exit()).isZero();
        }
    }

    @Test
    void measuresWithJmhsOwnFlagsAndWritesItsJson() throws Exception {
        final var json = folder.resolve("x.json");
        try (var program = Launched.start(folder, "VerifyCycle", "-f", "1", "-wi", "1", "-w", "50ms", "-i", "2", "-r", "50ms", "-p", "collective=host/one-shot-pull",
                "-p", "bytes=256,4096", "-p", "calls=5", "-rf", "json", "-rff", json.toString())) {
            assertThat(program.exit()).as(program.output()).isZero();
            assertThat(program.output()).contains("VerifyCycleBenchmark.cycle:group.p50").contains("VerifyCycleBenchmark.cycle:skew.p50");
        }
        assertThat(Files.readString(json)).contains("\"group.p50\"").contains("\"bytes\" : \"4096\"").contains("\"jmhVersion\"");
    }
}
