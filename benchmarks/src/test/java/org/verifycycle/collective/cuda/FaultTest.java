package org.verifycycle.collective.cuda;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a kernel's fault record says to a person. */
class FaultTest {
    private static final Geometry GRID = new Geometry(21, 128);
    private static final long DEADLINE_NANOS = 2_000_000_000L;

    /** The kernel writes its block in the place of a pack where it waits for a flag: {@code Flags::await} of {@code protocol.cuh}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ONE_SHOT_PULL     | 17 | one-shot-pull (21x128), flag 1 of block 17
            TWO_SHOT_PULL     | 17 | two-shot-pull (21x128), flag 1 of block 17
            FLAG_EXCHANGE     | 17 | flag-exchange (21x128), flag 1 of block 17
            EXCHANGE_ONLY     | 40 | exchange-only (21x128), slot 1, block 17, pack 40
            ONE_SHOT_LL       | 40 | one-shot-ll (21x128), slot 1, block 17, pack 40
            ONE_SHOT_SENTINEL | 40 | one-shot-sentinel (21x128), slot 1, block 17, pack 40
            HOST_SENTINEL     | 40 | host-sentinel (21x128), slot 1, block 17, pack 40
            TWO_SHOT_LL       | 40 | two-shot-ll (21x128), slot 1, block 17, pack 40 of a part
            TWO_SHOT_SENTINEL | 40 | two-shot-sentinel (21x128), slot 1, block 17, pack 40 of a part
            """)
    void aMissedWaitNamesWhatDidNotCome(final IpcAlgorithm algorithm, final int position, final String place) {
        assertThat(new Fault(1, 3, 5, 1, 17, position, -1, 7).text(algorithm, GRID, DEADLINE_NANOS))
                .isEqualTo("rank 3 waited 2 s for rank 5 in vain: " + place + "; expected call 4294967295, saw 7");
    }

    @ParameterizedTest
    @EnumSource(IpcAlgorithm.class)
    void aRefusedLaunchAndAnUnknownFaultAreNoWaits(final IpcAlgorithm algorithm) {
        assertThat(new Fault(2, 1, 1, 0, 0, 0, 8, 4).text(algorithm, GRID, DEADLINE_NANOS)).contains("rank 1", algorithm.id(), "refused its launch (expected 8, got 4)").doesNotContain("waited");
        assertThat(new Fault(9, 1, 1, 0, 0, 0, 8, 4).text(algorithm, GRID, DEADLINE_NANOS)).contains("rank 1", algorithm.id(), "unknown fault 9").doesNotContain("waited");
    }
}
