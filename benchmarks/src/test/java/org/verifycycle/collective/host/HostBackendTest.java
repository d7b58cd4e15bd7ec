package org.verifycycle.collective.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.collective.Collective.Role;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

class HostBackendTest {
    private final HostBackend backend = new HostBackend();

    @Test
    void isInstalledAndAvailable() {
        assertThat(Collectives.installed().backend("host")).isInstanceOf(HostBackend.class);
        assertThat(backend.unavailable()).isEmpty();
    }

    @Test
    void offersItsAlgorithmsWithRingAsBaselineAndTheFlagExchangeAsFloor() {
        assertThat(backend.catalogue()).map(CollectiveSpec::toString).containsExactly("host/one-shot-pull", "host/two-shot-pull",
                "host/one-shot-ll", "host/two-shot-ll", "host/ring", "host/flag-exchange");
        assertThat(backend.baseline()).map(CollectiveSpec::toString).contains("host/ring");
        assertThat(backend.floor()).map(CollectiveSpec::toString).contains("host/flag-exchange");
        assertThat(backend.catalogue()).allSatisfy(spec -> assertThat(backend.collective(spec).role())
                .isEqualTo(spec.algorithm().equals("flag-exchange") ? Role.FLOOR : Role.ALL_REDUCE));
    }

    @Test
    void anUnknownAlgorithmIsAnErrorThatListsTheKnown() {
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/tree"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tree").hasMessageContaining("one-shot-pull, two-shot-pull, one-shot-ll, two-shot-ll, ring, flag-exchange");
    }

    @Test
    void anUnknownSettingIsAnErrorThatListsTheKnown() {
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/ring:threads=4"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("threads").hasMessageContaining("known: chunk").hasMessageContaining("copy (libc|jvm)");
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/flag-exchange:chunk=4096")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("known: none");
    }

    @Test
    void whoCopiesCanBeChosenWhereTensorsAreCopied() {
        assertThat(backend.collective(CollectiveSpec.parse("host/ring:copy=jvm")).spec()).hasToString("host/ring:copy=jvm");
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/ring:copy=me"))).hasMessageContaining("'me' of setting copy of host/ring is not one of libc|jvm");
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/one-shot-ll:copy=libc"))).hasMessageContaining("unknown setting 'copy'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8K", "1008", "4097", "0", "-1024", "1048592", "99999999999"})
    void aChunkThatIsNoSuchSizeIsAnErrorThatSaysWhichAre(final String chunk) {
        assertThatThrownBy(() -> backend.collective(CollectiveSpec.parse("host/one-shot-pull:chunk=" + chunk)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + chunk + "'")
                .hasMessageContaining("a multiple of 16 from 1024 to 1048576");
    }

    @Test
    void graphsAreUnsupportedWithAReason() {
        final var spec = CollectiveSpec.parse("host/ring");
        final var collective = backend.collective(spec);
        assertThat(collective.unsupported(new Configuration(spec, 2, 16, Dtype.FP32, Launch.GRAPH, 1))).get().asString().contains("graph");
        assertThat(collective.unsupported(new Configuration(spec, 2, 16, Dtype.FP32, Launch.EAGER, 1))).isEmpty();
    }

    @Test
    void sixteenRanksWithTheLargestTensorNeedLittleSharedMemory() {
        for (final var spec : backend.catalogue()) {
            for (final var dtype : Dtype.values()) {
                for (final var setting : List.of("", ":chunk=1048576")) {
                    if (spec.algorithm().equals("flag-exchange")) {
                        continue;
                    }
                    final var chunked = CollectiveSpec.parse(spec + setting);
                    final var configuration = new Configuration(chunked, 16, Configuration.MAX_BYTES, dtype, Launch.EAGER, 1);
                    assertThat(backend.collective(chunked).unsupported(configuration)).isEmpty();
                    assertThat(backend.collective(chunked).sharedBytes(configuration)).isLessThan(128 << 20);
                }
            }
        }
    }

    @Property(tries = 300, seed = "42")
    void slotsAreDisjointAlignedAndInsideTheRegion(@ForAll @IntRange(min = 2, max = 16) final int world,
            @ForAll @IntRange(min = 1, max = 64) final int packs, @ForAll @IntRange(min = 1, max = 64) final int chunkPacks,
            @ForAll final HostAlgorithm algorithm) {
        final var layout = algorithm.layout(new HostShape(world, packs * 16, Dtype.FP16, chunkPacks * 16));
        var end = world * HostRegionDescriptor.LINE_BYTES;
        for (var rank = 0; rank < world; rank++) {
            for (var slot = 0; slot < layout.inputSlots(); slot++) {
                assertThat(layout.inputOffset(rank, slot)).isGreaterThanOrEqualTo(end);
                assertThat(layout.inputOffset(rank, slot) % HostRegionDescriptor.LINE_BYTES).isZero();
                end = layout.inputOffset(rank, slot) + layout.inputSlotBytes();
            }
            if (layout.resultSlotBytes() > 0) {
                assertThat(layout.resultOffset(rank)).isGreaterThanOrEqualTo(end);
                assertThat(layout.resultOffset(rank) % HostRegionDescriptor.LINE_BYTES).isZero();
                end = layout.resultOffset(rank) + layout.resultSlotBytes();
            }
        }
        assertThat(layout.bytes()).isGreaterThanOrEqualTo(end);
    }

    @Property(tries = 300, seed = "42")
    void partsCoverAChunkOnceAndNoneExceedsTheLargest(@ForAll @IntRange(min = 2, max = 16) final int world,
            @ForAll @IntRange(min = 1, max = 200) final int packs) {
        final var shape = new HostShape(world, packs * 16, Dtype.FP32, 1 << 20);
        var next = 0;
        for (var rank = 0; rank < world; rank++) {
            assertThat(shape.partStart(packs * 16, rank)).isEqualTo(next);
            assertThat(shape.partBytes(packs * 16, rank)).isBetween(0, shape.largestPartBytes());
            next += shape.partBytes(packs * 16, rank);
        }
        assertThat(next).isEqualTo(packs * 16);
    }
}
