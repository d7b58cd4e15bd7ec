package org.verifycycle.collective.host;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

/** Every algorithm, dtype and world size gives the sum, with threads as ranks. */
@Timeout(120)
class AllReduceTest {
    private static final int CHUNK = 1024;

    static Stream<Arguments> all() {
        return Stream.of(HostAlgorithm.values()).filter(a -> a.role() == Role.ALL_REDUCE).flatMap(algorithm -> Stream.of(Dtype.values())
                .flatMap(dtype -> Stream.of(2, 3, 4, 5, 8, 16).map(world -> Arguments.of(algorithm, dtype, world))));
    }

    static Stream<Arguments> pairs() {
        return all().filter(a -> a.get()[2].equals(2));
    }

    @ParameterizedTest(name = "{0} {1} world {2}")
    @MethodSource("all")
    void sumsTensorsWithPartsThatAreEmpty(final HostAlgorithm algorithm, final Dtype dtype, final int world) throws Exception {
        check(algorithm, "", dtype, world, 16, 9, Payload.values());
        check(algorithm, "", dtype, world, 48, 9, Payload.values());
    }

    @ParameterizedTest(name = "{0} {1} world {2}")
    @MethodSource("all")
    void sumsTensorsAtTheEdgesOfChunks(final HostAlgorithm algorithm, final Dtype dtype, final int world) throws Exception {
        for (final var bytes : new int[] {CHUNK - 16, CHUNK, CHUNK + 16, 2 * CHUNK, 3 * CHUNK + 16, 4112}) {
            check(algorithm, "chunk=" + CHUNK, dtype, world, bytes, 5, Payload.RANDOM, Payload.SPECIAL);
        }
    }

    @ParameterizedTest(name = "{0} {1} world {2}")
    @MethodSource("all")
    void sumsTheWorkloadsTensor(final HostAlgorithm algorithm, final Dtype dtype, final int world) throws Exception {
        check(algorithm, "", dtype, world, 43_008, 5, world <= 4 ? Payload.values() : new Payload[] {Payload.RANDOM});
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("pairs")
    void sumsTheSameWhoeverCopies(final HostAlgorithm algorithm, final Dtype dtype) throws Exception {
        final var copies = !algorithm.copies() ? List.<String>of() : LibcCopy.unavailable().isPresent() ? List.of("copy=jvm") : List.of("copy=jvm", "copy=libc");
        for (final var copy : copies) {
            check(algorithm, copy, dtype, 2, 43_008, 5, Payload.RANDOM, Payload.SPECIAL);
            check(algorithm, copy + ";chunk=262144", dtype, 3, (1 << 19) + 16, 5, Payload.RANDOM);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("pairs")
    void sumsLargeTensors(final HostAlgorithm algorithm, final Dtype dtype) throws Exception {
        check(algorithm, "", dtype, 3, (1 << 20) + 16, 3, Payload.RANDOM);
    }

    private static void check(final HostAlgorithm algorithm, final String settings, final Dtype dtype, final int world, final int bytes,
            final int calls, final Payload... payloads) throws Exception {
        final var spec = settings.isEmpty() ? new CollectiveSpec(HostBackend.NAME, algorithm.id(), new TreeMap<>())
                : CollectiveSpec.parse(HostBackend.NAME + "/" + algorithm.id() + ":" + settings);
        final var configuration = new Configuration(spec, world, bytes, dtype, Launch.EAGER, calls);
        final var collective = new HostBackend().collective(spec);
        ThreadRanks.run(world, ThreadRanks.memory(collective.sharedBytes(configuration)), group -> {
            try (var communicator = collective.open(group, configuration); var cycle = communicator.prepare()) {
                final var check = new CycleCheck(group, cycle, configuration.elements(), dtype);
                for (final var payload : payloads) {
                    check.round(payload);
                }
            }
        });
    }
}
