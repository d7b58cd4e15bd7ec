package org.verifycycle.bench;

import org.verifycycle.collective.Backend;
import org.verifycycle.collective.Collectives;
import org.verifycycle.device.CudaException;
import org.verifycycle.device.GpuSharing;
import org.verifycycle.device.MpsDaemon;
import org.verifycycle.device.NativeLibraries;
import org.verifycycle.result.Entry;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What forks are started with: where the native libraries lie, unpacked once for all of them, an archive of their classes, and
 * the MPS daemon that ranks on one GPU use. Ranks inherit the options of their fork.
 */
final class ForkOptions implements AutoCloseable {
    private final Collectives collectives;
    private final Optional<NativeLibraries> libraries;
    private final Optional<MpsDaemon> daemon;
    private volatile List<String> classArchive = List.of();
    private final Thread onInterrupt = new Thread(this::release);

    private ForkOptions(final Collectives collectives, final Optional<NativeLibraries> libraries, final Optional<MpsDaemon> daemon) {
        this.collectives = collectives;
        this.libraries = libraries;
        this.daemon = daemon;
        Runtime.getRuntime().addShutdownHook(onInterrupt);
    }

    /** Takes some seconds; what is there by then goes away with this however the process ends. */
    private ForkOptions withArchive(final Path sharedFolder) {
        classArchive = libraries.map(l -> ClassArchive.make(l.folder(), sharedFolder, archivedWith(l))).orElse(List.of());
        return this;
    }

    /**
     * @param sharedFolder memory-backed folder for what ranks share
     * @throws EnvironmentUnfitException if ranks are to share a GPU and there is no MPS daemon to be had
     */
    static ForkOptions of(final List<Entry> entries, final Path sharedFolder) {
        final var collectives = Collectives.installed();
        final var libraries = entries.stream().anyMatch(e -> onGpu(e, collectives)) ? Optional.of(NativeLibraries.unpack()) : forHost();
        try {
            return new ForkOptions(collectives, libraries, entries.stream().anyMatch(ForkOptions::shared) ? Optional.of(MpsDaemon.start()) : Optional.empty()).withArchive(sharedFolder);
        } catch (final CudaException e) {
            libraries.ifPresent(NativeLibraries::close);
            throw new EnvironmentUnfitException(e.getMessage());
        }
    }

    /** Without them ranks on a host unpack for themselves, or do without. */
    private static Optional<NativeLibraries> forHost() {
        try {
            return NativeLibraries.forThisPlatform() ? Optional.of(NativeLibraries.unpack()) : Optional.empty();
        } catch (final UncheckedIOException e) {
            return Optional.empty();
        }
    }

    List<String> of(final Entry entry) {
        final var options = new ArrayList<String>();
        libraries.ifPresent(l -> options.addAll(l.jvmOptions()));
        options.addAll(classArchive);
        if (onGpu(entry, collectives)) {
            options.addAll(collectives.backend(entry.configuration().collective().backend()).jvmOptions());
            options.addAll((shared(entry) ? new GpuSharing(entry.configuration().world(), daemon.map(MpsDaemon::folder)) : new GpuSharing(1, Optional.empty())).jvmOptions());
        }
        return options;
    }

    private static List<String> archivedWith(final NativeLibraries libraries) {
        return Stream.concat(GroupState.JVM_OPTIONS.stream(), libraries.jvmOptions().stream()).toList();
    }

    private static boolean onGpu(final Entry entry, final Collectives collectives) {
        return collectives.backend(entry.configuration().collective().backend()).device() == Backend.Device.GPU;
    }

    private static boolean shared(final Entry entry) {
        return entry.marks().contains(Entry.SHARED_GPU);
    }

    private void release() {
        daemon.ifPresent(MpsDaemon::close);
        libraries.ifPresent(NativeLibraries::close);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        } catch (final IllegalStateException e) {
            // Shutting down: the hook does it.
            return;
        }
        release();
    }
}
