package org.verifycycle.collective.cuda;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verifycycle.collective.CollectiveSpec;

import java.util.OptionalInt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings that users give, and the grid that comes of them. */
class IpcSettingsTest {
    private static final int H200_THREADS = 132 * 2_048;
    private static final String KNOWN = "known: blocks (1 to 512), threads (a multiple of 32 from 32 to 512), pdl (on, off)";

    @Test
    void allSettingsAreRead() {
        assertThat(parse("blocks=12;threads=256;pdl=on")).isEqualTo(new IpcSettings(OptionalInt.of(12), OptionalInt.of(256), true));
        assertThat(IpcSettings.parse(CollectiveSpec.parse("ipc/one-shot-ll"))).isEqualTo(new IpcSettings(OptionalInt.empty(), OptionalInt.empty(), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks=0", "blocks=513", "blocks=x", "blocks=-1", "blocks=99999999999", "threads=33", "threads=0", "threads=544", "pdl=yes", "grid=3"})
    void aWrongSettingNamesTheKnownOnes(final String settings) {
        assertThatThrownBy(() -> parse(settings)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ipc/one-shot-ll").hasMessageContaining(KNOWN)
                .hasMessageContaining(settings.split("=")[0]);
    }

    @Test
    void anUnknownAlgorithmNamesTheKnownOnes() {
        assertThatThrownBy(() -> IpcAlgorithm.parse("ring")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'ring'").hasMessageContaining("one-shot-pull, two-shot-pull")
                .hasMessageContaining("exchange-only");
    }

    @Property(tries = 300)
    void aDefaultGridIsValidAndResident(@ForAll final IpcAlgorithm algorithm, @ForAll @IntRange(min = 1, max = 4_194_304) final int packs, @ForAll @IntRange(min = 0, max = 3) final int w,
                                        @ForAll @IntRange(min = 1, max = 16) final int share, @ForAll @IntRange(min = 16, max = 1_000) final int resident) {
        final var grid = Geometry.of(algorithm, parse("pdl=off"), packs, Requirements.WORLDS.get(w), share, threads -> resident);
        assertThat(grid.blocks()).isBetween(1, Geometry.MAX_BLOCKS);
        assertThat(grid.threads()).isBetween(Geometry.MIN_THREADS, Geometry.MAX_THREADS).matches(t -> t % 32 == 0);
        if (algorithm.waits()) {
            assertThat(grid.blocks() * share).isLessThanOrEqualTo(resident);
        }
        if (w > 0 || !algorithm.twoShot()) {
            assertThat(grid.blocks()).as("no block without a pack").isLessThanOrEqualTo(Math.max(1, (packs + grid.threads() - 1) / grid.threads()));
        }
    }

    /** Taken by hand from the sweeps in native/README.md: the fastest grid at that size, or one within 2 % of it. */
    @ParameterizedTest
    @CsvSource({"ONE_SHOT_SENTINEL, 43008, 2, 21x128", "ONE_SHOT_SENTINEL, 524288, 2, 256x128", "ONE_SHOT_SENTINEL, 1048576, 2, 512x128", "ONE_SHOT_SENTINEL, 8388608, 2, 512x128",
        "ONE_SHOT_LL, 1048576, 2, 512x128", "ONE_SHOT_PULL, 524288, 2, 256x128", "TWO_SHOT_SENTINEL, 43008, 2, 11x128", "TWO_SHOT_SENTINEL, 524288, 2, 128x128",
        "TWO_SHOT_SENTINEL, 1048576, 2, 128x512", "TWO_SHOT_SENTINEL, 8388608, 2, 128x512", "HOST_SENTINEL, 43008, 2, 6x512", "HOST_LL, 43008, 2, 6x512", "EXCHANGE_ONLY, 43008, 2, 21x128",
        "FLAG_EXCHANGE, 43008, 2, 1x32", "ONE_SHOT_SENTINEL, 43008, 4, 21x128", "ONE_SHOT_SENTINEL, 43008, 8, 11x256", "ONE_SHOT_SENTINEL, 1048576, 8, 32x512"})
    void aDefaultGridIsOneThatWasMeasuredFastest(final IpcAlgorithm algorithm, final int bytes, final int world, final String grid) {
        assertThat(Geometry.of(algorithm, parse("pdl=on"), bytes / Region.PACK_BYTES, world, 2, threads -> H200_THREADS / threads)).hasToString(grid);
    }

    @Property(tries = 100)
    void whatIsAskedForIsTaken(@ForAll final IpcAlgorithm algorithm, @ForAll @IntRange(min = 1, max = 512) final int blocks, @ForAll @IntRange(min = 1, max = 16) final int warps) {
        assertThat(Geometry.of(algorithm, parse("blocks=" + blocks + ";threads=" + 32 * warps), 2688, 2, 1, threads -> 528)).isEqualTo(new Geometry(blocks, 32 * warps));
    }

    private static IpcSettings parse(final String settings) {
        return IpcSettings.parse(CollectiveSpec.parse("ipc/one-shot-ll:" + settings));
    }
}
