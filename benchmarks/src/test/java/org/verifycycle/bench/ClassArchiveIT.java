package org.verifycycle.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** With the jar that was built: only classes in jars can be archived. */
class ClassArchiveIT {
    @TempDir
    private Path folder;

    @Test
    void forksOfARunMapTheArchiveAndNothingOfItIsLeft() throws IOException, InterruptedException {
        final var temporary = Files.createDirectory(folder.resolve("tmp"));
        final var run = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.io.tmpdir=" + temporary, "-jar",
                Path.of(System.getProperty("verifycycle.jar")).toRealPath().toString(), "run", "--collective", "host/flag-exchange", "--world", "2", "--rounds", "1", "--warmup", "10ms", "--measure", "10ms",
                "--out", folder.resolve("out").toString()).redirectErrorStream(true).redirectOutput(folder.resolve("said.txt").toFile()).start();

        assertThat(run.waitFor(150, TimeUnit.SECONDS)).isTrue();

        assertThat(run.exitValue()).as(Files.readString(folder.resolve("said.txt"))).isZero();
        assertThat(Files.readString(folder.resolve("out/logs/c01-r1.log"))).contains("-XX:SharedArchiveFile=" + temporary).doesNotContain("[cds]");
        try (var left = Files.list(temporary)) {
            assertThat(left.map(p -> p.getFileName().toString())).noneMatch(name -> name.contains("natives"));
        }
    }

    @Test
    void withoutASingleJarThereIsNone() {
        assertThat(System.getProperty("java.class.path")).contains(File.pathSeparator);
        assertThat(ClassArchive.make(folder, GroupState.JVM_OPTIONS)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
