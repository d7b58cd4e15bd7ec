package org.verifycycle.collective.nccl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.device.ProcessVariables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class NcclLibraryTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsGivenGoesBeforeTheVariableAndBothAreTheOnlyOnesTried() {
        assertThat(new NcclSearch(Optional.of("/a/libnccl.so"), Map.of("NCCL_LIB", "/b/libnccl.so")).candidates())
                .containsExactly(new NcclSearch.Candidate("/a/libnccl.so", "given by option"));
        assertThat(new NcclSearch(Optional.empty(), Map.of("NCCL_LIB", "/b/libnccl.so")).candidates()).containsExactly(new NcclSearch.Candidate("/b/libnccl.so", "NCCL_LIB"));
    }

    @Test
    void aFolderGivenIsWhereTheLibraryLies() {
        assertThat(new NcclSearch(Optional.of(folder.toString()), Map.of()).candidates()).extracting(NcclSearch.Candidate::file)
                .containsExactly(folder.resolve("libnccl.so.2").toString());
    }

    /** The loader would take a relative path for a name, and a fork or rank may run elsewhere. */
    @Test
    void aRelativePathIsThatOfTheFolderOneIsInAndANameIsTheLoaders() throws IOException {
        final var file = Files.createFile(folder.resolve("libnccl.so.2")).toAbsolutePath();
        final var relative = Path.of("").toAbsolutePath().relativize(file);
        assertThat(relative.isAbsolute()).isFalse();
        assertThat(new NcclSearch(Optional.of(relative.toString()), Map.of()).candidates()).extracting(c -> Path.of(c.file()).isAbsolute(), c -> Path.of(c.file()).normalize())
                .containsExactly(tuple(true, file));
        assertThat(new NcclSearch(Optional.empty(), Map.of("NCCL_LIB", "libnccl-of-no-folder.so.2")).candidates()).extracting(NcclSearch.Candidate::file)
                .containsExactly("libnccl-of-no-folder.so.2");
    }

    @Test
    void theLoadersComesBeforeThoseOfPythonsOnThePathAndOfTheUser() throws IOException {
        final var venv = site(folder.resolve("venv"), "lib/python3.12/site-packages");
        final var path = site(folder.resolve("usr"), "lib/python3.11/site-packages");
        final var debian = site(folder.resolve("usr/local"), "lib/python3.11/dist-packages");
        final var home = site(folder.resolve("home/.local"), "lib/python3.10/site-packages");
        final var python = Files.createFile(Files.createDirectories(folder.resolve("usr/bin")).resolve("python3"));
        assertThat(python.toFile().setExecutable(true)).isTrue();
        final var environment = Map.of("VIRTUAL_ENV", folder.resolve("venv").toString(), "PATH", folder.resolve("none") + ":" + python.getParent(), "HOME", folder.resolve("home").toString());
        assertThat(new NcclSearch(Optional.empty(), environment).candidates()).extracting(NcclSearch.Candidate::file)
                .containsExactly("libnccl.so.2", venv.toString(), path.toString(), debian.toString(), home.toString());
    }

    @Test
    void aLinkToAPythonElsewhereIsFollowed() throws IOException {
        final var file = site(folder.resolve("opt"), "lib/python3.12/site-packages");
        final var python = Files.createFile(Files.createDirectories(folder.resolve("opt/bin")).resolve("python3.12"));
        assertThat(python.toFile().setExecutable(true)).isTrue();
        final var link = Files.createSymbolicLink(Files.createDirectories(folder.resolve("bin")).resolve("python3"), python);
        assertThat(new NcclSearch(Optional.empty(), Map.of("PATH", link.getParent().toString())).candidates()).extracting(NcclSearch.Candidate::file)
                .containsExactly("libnccl.so.2", file.toRealPath().toString());
    }

    @Test
    void theVersionIsTold() {
        final var library = NcclLibrary.find(new NcclSearch(Optional.of(FakeNccl.build(folder).toString()), Map.of()));
        assertThat(library.problem()).isEmpty();
        assertThat(library.version()).hasToString("2.28.9");
        assertThat(library.jvmOptions()).containsExactly("-Dverifycycle.nccl=" + library.file());
    }

    @Test
    void anOldLibraryIsRefusedWithItsVersion() {
        ProcessVariables.set("FAKE_NCCL_VERSION", "21602");
        try {
            assertThat(NcclLibrary.find(new NcclSearch(Optional.of(FakeNccl.build(folder).toString()), Map.of())).problem().orElseThrow())
                    .startsWith("NCCL 2.16.2 (given by option) is too old, at least 2.17.0 is needed; pip install");
        } finally {
            ProcessVariables.set("FAKE_NCCL_VERSION", "");
        }
    }

    @Test
    void aFileThatIsNoLibraryIsNamedWithTheLoadersReason() throws IOException {
        final var file = Files.writeString(folder.resolve("libnccl.so.2"), "no library");
        assertThat(NcclLibrary.find(new NcclSearch(Optional.of(file.toString()), Map.of())).problem().orElseThrow()).contains(file.toString(), "can't be loaded");
    }

    @Test
    void withoutAnyItSaysHowToGetOne() {
        assertThat(NcclLibrary.find(new NcclSearch(Optional.empty(), Map.of())).problem().orElseThrow()).contains("libnccl.so.2", "pip install nvidia-nccl-cu13", "--nccl", "NCCL_LIB");
    }

    @Test
    void versionsAreOrdered() {
        assertThat(NcclVersion.of(22_809)).isEqualTo(new NcclVersion(2, 28, 9)).isGreaterThan(NcclVersion.WINDOWS);
        assertThat(NcclVersion.of(21_602)).isLessThan(NcclVersion.OLDEST);
        assertThat(NcclVersion.of(2_708)).hasToString("2.7.8");
    }

    private static Path site(final Path root, final String packages) throws IOException {
        return Files.createFile(Files.createDirectories(root.resolve(packages).resolve("nvidia/nccl/lib")).resolve("libnccl.so.2"));
    }
}
