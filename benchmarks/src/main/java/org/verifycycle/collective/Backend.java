package org.verifycycle.collective;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A family of collectives over one transport; one implementation per backend, found through {@link java.util.ServiceLoader}. */
public interface Backend {
    /** First part of a spec, e.g. {@code host}. */
    String name();

    /** Why nothing of this backend can run on this machine (no driver, no library, ...), or empty if it can. */
    Optional<String> unavailable();

    /** The specs worth measuring here, without and with settings: what globs are matched against. */
    List<CollectiveSpec> catalogue();

    /**
     * The collective of this name.
     *
     * @throws IllegalArgumentException on an unknown algorithm, setting or value, listing the known ones
     */
    Collective collective(CollectiveSpec spec);

    /** Of the catalogue, what a run without a choice measures. */
    default List<CollectiveSpec> defaults() {
        return catalogue();
    }

    /** Where its buffers are: collectives on different devices are never compared. */
    Device device();

    /** Element type a run without a choice uses. @param ofWorkload the model's */
    default Dtype defaultDtype(final Dtype ofWorkload) {
        return ofWorkload;
    }

    /** Launch a run without a choice uses. */
    default Launch defaultLaunch() {
        return device() == Device.GPU ? Launch.GRAPH : Launch.EAGER;
    }

    /** The most ranks that can run here. */
    default int maxWorld() {
        return Configuration.MAX_WORLD;
    }

    /** Ranks on the fullest of its devices, in a world of this size. */
    default int ranksPerDevice(final int world) {
        return 1;
    }

    enum Device { GPU, HOST }

    /** What results should say of it, by name: versions of libraries. */
    default Map<String, String> facts() {
        return Map.of();
    }

    /** Names of those facts that change what its collectives cost: a run is not gone on with where one differs. */
    default List<String> bindingFacts() {
        return List.of();
    }

    /** Further options for the JVMs of its ranks. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** The spec other collectives are compared with, if this backend has one. */
    Optional<CollectiveSpec> baseline();

    /** The spec that measures the least a synchronising call could cost, if this backend has one. */
    Optional<CollectiveSpec> floor();
}
