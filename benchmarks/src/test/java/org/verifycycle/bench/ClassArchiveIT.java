package org.verifycycle.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** With the jar that was built: only classes in jars can be archived. */
class ClassArchiveIT {
    @TempDir
    private Path folder;

    @Test
    void forksAndRanksOfARunMapTheArchiveAndNothingOfItIsLeft() throws IOException, InterruptedException {
        final var temporary = Files.createDirectory(folder.resolve("tmp"));
        final var builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.io.tmpdir=" + temporary, "-jar",
                Path.of(System.getProperty("verifycycle.jar")).toRealPath().toString(), "run", "--collective", "host/flag-exchange", "--world", "2", "--rounds", "1", "--warmup", "10ms", "--measure", "10ms",
                "--out", folder.resolve("out").toString()).redirectErrorStream(true).redirectOutput(folder.resolve("said.txt").toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + folder.resolve("loaded-%p.txt"));
        final var run = builder.start();

        assertThat(run.waitFor(150, TimeUnit.SECONDS)).isTrue();

        assertThat(run.exitValue()).as(Files.readString(folder.resolve("said.txt"))).isZero();
        assertThat(loadedByEachProcess()).anyMatch(log -> log.contains("org.verifycycle.bench.GroupState source: shared objects file (top)"))
                .anyMatch(log -> log.contains("org.verifycycle.rank.RankProcess source: shared objects file (top)"));
        try (var left = Files.list(temporary)) {
            assertThat(left.map(p -> p.getFileName().toString())).noneMatch(name -> name.contains("natives"));
        }
    }

    private List<String> loadedByEachProcess() throws IOException {
        final var logs = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(folder, "loaded-*")) {
            for (final var file : files) {
                logs.add(Files.readString(file));
            }
        }
        return logs;
    }

    @Test
    void withoutASingleJarThereIsNone() {
        assertThat(System.getProperty("java.class.path")).contains(File.pathSeparator);
        assertThat(ClassArchive.make(folder, folder, GroupState.JVM_OPTIONS)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
