package org.verifycycle.device;

import com.sun.jna.Native;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The native parts of JCuda and JNA, unpacked from the jar into a folder of this process.
 *
 * <p>JCuda unpacks its library itself, but to one fixed name in the temporary folder, written in place: of many processes
 * that start at once, some map a file that is still being written and die by SIGBUS. So the launcher unpacks once, and
 * ranks are started with {@link #jvmOptions}. A process without these options unpacks for itself.
 */
public final class NativeLibraries implements AutoCloseable {
    private static final String JCUDA = "libJCudaDriver-12.6.0-linux-x86_64.so";
    private static final String JNA = "libjnidispatch.so";
    private static final String LIBRARY_PATH = "java.library.path";
    private static final String JNA_LIBRARY_PATH = "jna.boot.library.path";
    /** Keeps JNA from a folder of its own below the user's home. */
    private static final String JNA_NO_UNPACKING = "jna.nounpack";
    private static final String TEMPORARY_FOLDER = "java.io.tmpdir";
    private static final Pattern NAME = Pattern.compile("verifycycle-(\\d+)-(\\d+)-natives-.*");

    private final Path folder;

    private NativeLibraries(final Path folder) {
        this.folder = folder;
    }

    /** Whether there are native parts for this platform in the jar. */
    public static boolean forThisPlatform() {
        return System.getProperty("os.name").equals("Linux") && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
    }

    /**
     * Unpacks into a fresh folder for its owner only; removes those that processes left which were killed.
     *
     * @throws UncheckedIOException if the temporary folder can't be written
     */
    public static NativeLibraries unpack() {
        final var temporary = Path.of(System.getProperty(TEMPORARY_FOLDER));
        try {
            sweep(temporary);
            final var libraries = new NativeLibraries(Files.createTempDirectory(temporary, "verifycycle-" + ProcessHandle.current().pid() + "-" + PidNamespace.own() + "-natives-"));
            try {
                libraries.unpack("/lib/" + JCUDA, JCUDA);
                libraries.unpack("/com/sun/jna/linux-x86-64/" + JNA, JNA);
            } catch (final IOException e) {
                libraries.close();
                throw e;
            }
            return libraries;
        } catch (final IOException e) {
            throw new UncheckedIOException("can't unpack native libraries into " + temporary + " (" + e.getMessage()
                    + "); make room there or choose another folder with -D" + TEMPORARY_FOLDER + "=DIR", e);
        }
    }

    /** Where they lie; what else is put there goes with them. */
    public Path folder() {
        return folder;
    }

    /** The folder of the run that this process was started for: what is put there is removed with it, however this process ends. */
    public static Optional<Path> folderOfRun() {
        return Optional.ofNullable(System.getProperty(JNA_LIBRARY_PATH)).map(Path::of).filter(p -> NAME.matcher(String.valueOf(p.getFileName())).matches() && Files.isDirectory(p));
    }

    /** Options for JVMs that are to load what lies here. */
    public List<String> jvmOptions() {
        return List.of("-D" + LIBRARY_PATH + "=" + folder, "-D" + JNA_LIBRARY_PATH + "=" + folder, "-D" + JNA_NO_UNPACKING + "=true");
    }

    /** Loads both into this process. @throws LinkageError without a CUDA driver */
    static void load() {
        if (Stream.of(System.getProperty(LIBRARY_PATH, "").split(":")).anyMatch(p -> !p.isEmpty() && Files.exists(Path.of(p, JCUDA)))) {
            JCudaDriver.setExceptionsEnabled(false);
            return;
        }
        // A mapped library needs no name any more.
        try (var own = unpack()) {
            own.loadHere();
        }
    }

    /** JCuda looks for its library in the temporary folder before it unpacks it there. */
    private void loadHere() {
        final var temporary = System.getProperty(TEMPORARY_FOLDER);
        if (System.getProperty(JNA_LIBRARY_PATH) == null) {
            System.setProperty(JNA_LIBRARY_PATH, folder.toString());
            System.setProperty(JNA_NO_UNPACKING, "true");
        }
        System.setProperty(TEMPORARY_FOLDER, folder.toString());
        try {
            JCudaDriver.setExceptionsEnabled(false);
            Native.toByteArray("");
        } finally {
            System.setProperty(TEMPORARY_FOLDER, temporary);
        }
    }

    private void unpack(final String resource, final String name) throws IOException {
        final var part = folder.resolve(name + ".part");
        try (var in = NativeLibraries.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is not in this jar");
            }
            Files.copy(in, part);
        }
        Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void sweep(final Path temporary) throws IOException {
        try (var folders = Files.newDirectoryStream(temporary, "verifycycle-*-natives-*")) {
            for (final var folder : folders) {
                final var name = NAME.matcher(folder.getFileName().toString());
                if (name.matches() && name.group(2).equals(PidNamespace.own()) && Files.isWritable(folder) && ProcessHandle.of(Long.parseLong(name.group(1))).filter(ProcessHandle::isAlive).isEmpty()) {
                    new NativeLibraries(folder).close();
                }
            }
        } catch (final DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Removes the folder. Closing twice is allowed; what is loaded stays loaded. */
    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.list(folder)) {
            for (final var file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (final IOException e) {
            throw new UncheckedIOException("can't remove " + folder, e);
        }
    }
}
