package org.verifycycle.cli;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Bad input gets one or two lines that say what to do, and an exit code, from the real program. */
@Timeout(120)
class BadInputIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "run --nonsense                          | Unknown option: '--nonsense'",
            "gate a b                                | there is no command 'gate' yet",
            "repotr results/x                        | 'repotr' is neither a command (--help lists them) nor found in the name of a benchmark",
            "VerifyCycle -p collective=host/foo      | unknown algorithm",
            "VerifyCycle -p world=40                 | world 40",
            "VerifyCycle -p bytes=42KiB              | -p bytes=42KiB is not a whole number",
            "VerifyCycle -p launch=graph             | a host collective has no stream to start calls on",
            "VerifyCycle -t 2                        | -t, -tg: rank 0 is one thread; -p world=N sets the number of ranks",
            "run --warmup 0                          | --warmup: '0' is not a time",
            "explain --world -1                      | world -1 is not between 1 and 64",
            "explain --world 4 --dtype fp64          | known: fp32, bf16, fp16",
            "compare a b                             | there is no command 'compare' yet",
            "run --collective host/none              | one-shot-pull",
            "run --collective what/ever              | known: ",
            "run --collective host                   | backend/algorithm",
            "run --collective host/ring:chunk=x      | chunk",
            "run --collective host/ring:speed=1      | unknown setting",
            "run --collective zzz*                   | no collective matches",
            "run --bytes 24                          | multiple of 16",
            "run --bytes 100M                        | 64 MiB",
            "run --bytes few                         | not a size",
            "run --world 1                           | world 1",
            "run --world 17                          | world 17",
            "run --world two                         | 'two' is not an int",
            "run --calls 0                           | calls 0",
            "run --rounds 0                          | rounds 0",
            "run --dtype fp64                        | known: fp32, bf16, fp16",
            "run --launch later                      | known: graph, eager",
            "run --model gpt-9                       | known: kimi-k2.5",
            "run --tokens 0                          | tokens 0",
            "run --model kimi-k2.5 --calls 3         | --calls",
            "run --budget soon                       | not a time",
            "run --resume nowhere --rounds 3         | takes no --rounds",
            "run --shm nowhere                       | nowhere",
            "run --skew 3us                          | skew '3us' is not valid; write 0, or 5us to 10ms",
            "run --skew 20                           | has no unit",
            "economics                               | no time per call: give a run (--run DIR)",
            "economics --case eagle9                 | unknown case 'eagle9'; known: eagle3-pcie8",
            "economics --case eagle3-pcie8 --draft 1ms | case eagle3-pcie8 has its terms",
            "economics --case eagle3-pcie8 --tokens-per-cycle 3.5 | at most all of them and the target's own, 3",
            "economics --case eagle3-pcie8 --tokens-per-cycle 1.2 | contradict case eagle3-pcie8",
            "economics --call-time 30us --calls 122 --compute 8ms --tokens-per-cycle -1 | at least 1",
            "economics --call-time -30us             | is not a time such as",
            "economics --call-time 30us --calls 122 --acceptance-rate 0.5 | give --compute TIME, or --solve-for compute",
            "economics --call-time 30us --calls 122 --acceptance-rate 0.5 --solve-for price | known: compute",
            "report                                  | Missing required parameter",
            "-p colective=host/ring                  | unknown parameter 'colective'"})
    void whatIsWrongIsSaidInALineOrTwo(final String arguments, final String told) throws Exception {
        expect(1, told, arguments.strip().split(" +"));
    }

    @Test
    void aFolderThatIsNoRunIsRefused() throws Exception {
        expect(4, "is not the folder of a run", "report", folder.toString());
        expect(4, "is not the folder of a run", "run", "--resume", folder.resolve("nowhere").toString());
    }

    @Test
    void aForeignOrDamagedRunFileIsRefusedByName() throws Exception {
        Files.writeString(folder.resolve("run.json"), "{\"hello\": 1}");
        expect(4, "run.json", "report", folder.toString());
        Files.writeString(folder.resolve("run.json"), "not json");
        expect(4, "run.json", "report", folder.toString());
    }

    @Test
    void aFolderThatHoldsARunIsNotOverwritten() throws Exception {
        Files.writeString(folder.resolve("run.json"), "{}");
        expect(5, "holds a run already", "run", "--rounds", "1", "--out", folder.toString());
        assertThat(folder.resolve("run.json")).hasContent("{}");
    }

    @Test
    void aRunWhoseSamplesAreNotAllThereIsNotGoneOnWith() throws Exception {
        final var out = folder.resolve("out");
        try (var program = Launched.start(folder, "run", "--rounds", "1", "--collective", "faulty/none", "--calls", "1", "--bytes", "64", "--warmup", "1ms", "--measure", "10ms", "--out", out.toString())) {
            assertThat(program.exit()).as(program.output()).isZero();
        }
        final var run = Files.readString(out.resolve("run.json"));
        Files.delete(out.resolve("samples/c01-r1.vcs"));
        expect(4, "c01-r1.vcs is missing", "run", "--resume", out.toString());
        assertThat(out.resolve("run.json")).hasContent(run);
    }

    @Test
    void aFileInThePlaceOfAFolderIsNamedAsSuch() throws Exception {
        final var file = Files.writeString(folder.resolve("file"), "");
        expect(5, "is there already", "run", "--rounds", "1", "--collective", "faulty/none", "--out", file.toString());
    }

    @Test
    void sharedMemoryWithoutRoomIsNoticedBeforeMeasuring() throws Exception {
        withTinyFileSystem(folder.resolve("tiny"), "512k", tiny ->
                expect(5, "no space in shared memory", "run", "--rounds", "1", "--shm", tiny.toString(), "--out", folder.resolve("out").toString()));
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aFullDiskEndsTheRunAndKeepsWhatWasFinished() throws Exception {
        withTinyFileSystem(folder.resolve("tiny"), "200k", tiny -> {
            final var out = tiny.resolve("run");
            expect(5, "make room there", "run", "--rounds", "40", "--collective", "faulty/none", "--calls", "1", "--bytes", "64", "--warmup", "1ms",
                    "--measure", "150ms", "--out", out.toString());
            expect(5, "can't write", "report", out.toString());
            assertThat(org.verifycycle.result.RunStore.open(out).read().entries().stream().flatMap(e -> e.measured().stream())).isNotEmpty();
        });
    }

    private void expect(final int code, final String told, final String... args) throws IOException, InterruptedException {
        try (var program = Launched.start(folder, args)) {
            assertThat(program.exit()).as(program.output()).isEqualTo(code);
            final List<String> errors = program.output().lines().filter(l -> !l.startsWith("[") && !l.isBlank()).toList();
            assertThat(String.join(" ", errors)).contains(told).doesNotContain("\tat ").doesNotContain("Exception");
            assertThat(errors.stream().filter(l -> l.startsWith("error: "))).hasSize(1);
        }
    }

    /** A step with a folder on a file system of its own. */
    private interface Step {
        void with(Path folder) throws IOException, InterruptedException;
    }

    private static void withTinyFileSystem(final Path at, final String size, final Step step) throws IOException, InterruptedException {
        Files.createDirectory(at);
        final var mounted = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", at.toString()).redirectErrorStream(true).start().waitFor();
        Assumptions.assumeTrue(mounted == 0, "mounting a small file system takes root");
        try {
            step.with(at);
        } finally {
            new ProcessBuilder("umount", at.toString()).start().waitFor();
        }
    }
}
