package org.verifycycle.collective.cuda;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.collective.CollectiveSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The grid of a call. */
class GeometryTest {
    /** An H200, 132 multiprocessors with room for 2,048 threads and 65,536 registers each, and a kernel that takes 40 registers a thread. */
    private static final Geometry.Residency H200 = threads -> 132 * Math.min(2_048 / threads, 65_536 / (40 * threads));

    @Property(tries = 300)
    void aDefaultGridIsValidAndResident(@ForAll final IpcAlgorithm algorithm, @ForAll @IntRange(min = 1, max = 4_194_304) final int packs, @ForAll @IntRange(min = 0, max = 3) final int w,
                                        @ForAll @IntRange(min = 1, max = 16) final int share, @ForAll @IntRange(min = 16, max = 1_000) final int resident) {
        final var world = Requirements.WORLDS.get(w);
        final var grid = Geometry.of(algorithm, asked(0, 0), packs, world, share, threads -> resident);
        assertThat(grid.blocks()).isBetween(1, Geometry.MAX_BLOCKS);
        assertThat(grid.threads()).isBetween(Geometry.MIN_THREADS, Geometry.MAX_THREADS).matches(t -> t % 32 == 0);
        if (algorithm.waits()) {
            assertThat(grid.blocks() * share).isLessThanOrEqualTo(resident);
        }
        final var work = algorithm.twoShot() ? Region.partPacks(packs, world) : packs;
        if (world == 2 && algorithm.twoShot() && work > 16_384) {
            assertThat(grid).isEqualTo(new Geometry(Math.min(128, resident / share), work > 24_576 ? 512 : 256));
        } else {
            assertThat(grid.blocks()).as("no block without a pack").isLessThanOrEqualTo(Math.max(1, (work + grid.threads() - 1) / grid.threads()));
        }
    }

    @Property(tries = 100)
    void whatIsAskedForIsTaken(@ForAll final IpcAlgorithm algorithm, @ForAll @IntRange(min = 1, max = 512) final int blocks, @ForAll @IntRange(min = 1, max = 16) final int warps) {
        assertThat(Geometry.of(algorithm, asked(blocks, 32 * warps), 2688, 2, 1, threads -> 528)).isEqualTo(new Geometry(blocks, 32 * warps));
    }

    @ParameterizedTest
    @CsvSource({"ONE_SHOT_SENTINEL, 43008, 2, 21x128", "ONE_SHOT_SENTINEL, 524288, 2, 256x128", "ONE_SHOT_SENTINEL, 1048576, 2, 512x128", "ONE_SHOT_SENTINEL, 8388608, 2, 512x128",
        "ONE_SHOT_LL, 1048576, 2, 512x128", "ONE_SHOT_PULL, 524288, 2, 256x128", "TWO_SHOT_SENTINEL, 43008, 2, 11x128", "TWO_SHOT_SENTINEL, 524288, 2, 128x128", "TWO_SHOT_SENTINEL, 524544, 2, 128x256", "TWO_SHOT_LL, 786432, 2, 128x256", "TWO_SHOT_SENTINEL, 786688, 2, 128x512",
        "TWO_SHOT_SENTINEL, 1048576, 2, 128x512", "TWO_SHOT_SENTINEL, 8388608, 2, 128x512", "HOST_SENTINEL, 43008, 2, 21x128", "HOST_LL, 1048576, 2, 128x512", "EXCHANGE_ONLY, 43008, 2, 21x128",
        "FLAG_EXCHANGE, 43008, 2, 1x32", "ONE_SHOT_SENTINEL, 43008, 4, 21x128", "ONE_SHOT_SENTINEL, 1048576, 4, 64x512", "ONE_SHOT_SENTINEL, 43008, 8, 11x256", "ONE_SHOT_SENTINEL, 1048576, 8, 32x512"})
    void defaultGridsAreThoseOfTheTable(final IpcAlgorithm algorithm, final int bytes, final int world, final String grid) {
        assertThat(Geometry.of(algorithm, asked(0, 0), bytes / Region.PACK_BYTES, world, 2, H200)).hasToString(grid);
    }

    /** Of 132 x 12 blocks of 128 threads; of 40 multiprocessors, 480. */
    @Test
    void whereThereIsRoomForFewerThereAreFewer() {
        assertThat(Geometry.of(IpcAlgorithm.ONE_SHOT_SENTINEL, asked(0, 0), 65_536, 2, 4, H200)).isEqualTo(new Geometry(396, 128));
        assertThat(Geometry.of(IpcAlgorithm.ONE_SHOT_SENTINEL, asked(0, 0), 65_536, 2, 2, threads -> H200.blocks(threads) / 132 * 40)).isEqualTo(new Geometry(240, 128));
    }

    @ParameterizedTest
    @CsvSource({"TWO_SHOT_SENTINEL, 1048576, 128, 0, 128x512", "TWO_SHOT_SENTINEL, 1048576, 0, 512, 128x512", "TWO_SHOT_SENTINEL, 1048576, 0, 256, 128x256", "ONE_SHOT_SENTINEL, 43008, 6, 0, 6x512",
        "ONE_SHOT_SENTINEL, 43008, 0, 256, 11x256", "ONE_SHOT_SENTINEL, 43008, 21, 0, 21x128", "ONE_SHOT_SENTINEL, 1048576, 128, 0, 128x512"})
    void whatIsNotAskedForFitsWhatIs(final IpcAlgorithm algorithm, final int bytes, final int blocks, final int threads, final String grid) {
        assertThat(Geometry.of(algorithm, asked(blocks, threads), bytes / Region.PACK_BYTES, 2, 2, H200)).hasToString(grid);
    }

    @Test
    void theDriverInCTakesTheSameGrids(@TempDir final Path folder) throws IOException, InterruptedException {
        FakeCuda.assumeCompiler();
        final var rows = new StringBuilder();
        final var expected = new ArrayList<String>();
        for (final var algorithm : IpcAlgorithm.values()) {
            for (final var world : Requirements.WORLDS) {
                IntStream.of(1, 128, 512, 896, 2_688, 8_192, 16_384, 16_392, 32_768, 32_784, 49_152, 49_168, 65_536, 65_537, 524_288, 4_194_304).forEach(packs -> {
                    for (final var given : new int[][] {{0, 0}, {0, 64}, {0, 128}, {0, 512}, {6, 0}, {21, 0}, {128, 0}, {512, 0}, {7, 96}}) {
                        final var row = "%s, %d, %d, %d, %d".formatted(AbiTest.inC(algorithm), packs, world, given[0], given[1]);
                        rows.append("    {").append(row).append(", \"").append(row).append("\"},\n");
                        expected.add(row + ": " + Geometry.of(algorithm, asked(given[0], given[1]), packs, world, 1, threads -> Geometry.MAX_BLOCKS));
                    }
                });
            }
        }
        final var c = """
                #include <stdio.h>
                #include "grid.h"
                static const struct { enum VcAlgorithm algorithm; unsigned packs, world, blocks, threads; const char *row; } calls[] = {
                %s};
                int main(void) {
                    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
                        VcGrid g = vc_grid(calls[i].algorithm, calls[i].packs, calls[i].world, calls[i].blocks, calls[i].threads);
                        printf("%%s: %%ux%%u\\n", calls[i].row, g.blocks, g.threads);
                    }
                    return 0;
                }
                """.formatted(rows);
        final var source = Files.writeString(folder.resolve("grids.c"), c);
        final var program = folder.resolve("grids");
        FakeCuda.compile("-I../native/src/driver", "-o", program.toString(), source.toString());
        final var process = new ProcessBuilder(program.toString()).redirectErrorStream(true).start();
        try (var lines = process.inputReader()) {
            final var given = lines.lines().toList();
            assertThat(given).hasSameSizeAs(expected);
            assertThat(IntStream.range(0, given.size()).filter(i -> !given.get(i).equals(expected.get(i))).mapToObj(i -> "C " + given.get(i) + ", Java " + expected.get(i)).limit(10))
                    .as("grids in which grid.h and Geometry differ (algorithm, packs, world, blocks=, threads=)").isEmpty();
        }
        assertThat(process.waitFor()).isZero();
    }

    /** 0: not asked for. */
    private static IpcSettings asked(final int blocks, final int threads) {
        var spec = "ipc/one-shot-ll";
        if (blocks > 0) {
            spec += ":blocks=" + blocks + (threads > 0 ? ";threads=" + threads : "");
        } else if (threads > 0) {
            spec += ":threads=" + threads;
        }
        return IpcSettings.parse(CollectiveSpec.parse(spec));
    }
}
