package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verifycycle.device.Fabric;
import org.verifycycle.device.FabricFindings;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class FabricLimitsTest {
    private static FabricLimits limits(final Fabric.Pair... pairs) {
        return FabricLimits.of(new Fabric(Optional.empty(), 1, List.of(pairs), List.of(), FabricFindings.of(List.of(pairs))));
    }

    private static Fabric.Pair pair(final int from, final int to, final long wrong, final long torn8, final long torn16) {
        return new Fabric.Pair(from, to, Optional.empty(), 800, 25, 25, 25, 25, wrong, 0, 0, 0, torn8, torn16);
    }

    private static List<IpcAlgorithm> off(final FabricLimits limits, final int used) {
        return Arrays.stream(IpcAlgorithm.values()).filter(a -> limits.unmet(a, used).isPresent()).toList();
    }

    @AfterEach
    void forget() {
        Stream.of("pairs", "ll", "sentinel").forEach(name -> System.clearProperty("verifycycle.fabric." + name));
    }

    @Test
    void goodLinksForbidNothing() {
        assertThat(off(limits(pair(0, 1, 0, 0, 0)), 2)).isEmpty();
    }

    @Test
    void aWrongPairForbidsPeerAccessInWorldsThatUseBothItsGpus() {
        final var limits = limits(pair(0, 1, 0, 0, 0), pair(2, 5, 3, 0, 0));
        assertThat(off(limits, 4)).isEmpty();
        assertThat(off(limits, 6)).containsExactlyElementsOf(Arrays.stream(IpcAlgorithm.values()).filter(IpcAlgorithm::needsPeerAccess).toList());
        assertThat(limits.unmet(IpcAlgorithm.ONE_SHOT_PULL, 6)).contains("the probe of the links found wrong data on 2->5; ipc/host-sentinel needs no peer access");
    }

    @Test
    void aSilentPairForbidsPeerAccessToo() {
        assertThat(limits(Fabric.Pair.unmeasured(1, 0, FabricFindings.NO_ANSWER + ": flags did not come")).unmet(IpcAlgorithm.FLAG_EXCHANGE, 2))
                .contains("the probe of the links found no answer on 1->0; ipc/host-sentinel needs no peer access");
    }

    @Test
    void tornStoresForbidWhatStandsOnThem() {
        assertThat(off(limits(pair(0, 1, 0, 0, 4)), 2)).containsExactly(IpcAlgorithm.ONE_SHOT_SENTINEL, IpcAlgorithm.TWO_SHOT_SENTINEL);
        assertThat(off(limits(pair(0, 1, 0, 4, 0)), 2)).containsExactly(IpcAlgorithm.ONE_SHOT_LL, IpcAlgorithm.TWO_SHOT_LL);
    }

    @Test
    void aTornPairTurnsNothingOffInWorldsWithoutIt() {
        final var limits = limits(pair(0, 1, 0, 0, 0), pair(2, 5, 0, 4, 4));
        assertThat(off(limits, 4)).isEmpty();
        assertThat(limits.unmet(IpcAlgorithm.ONE_SHOT_LL, 6)).contains("the probe of the links found 8-byte stores tear on 2->5: LL kernels off");
        assertThat(limits.unmet(IpcAlgorithm.TWO_SHOT_SENTINEL, 6)).contains("the probe of the links found 16-byte stores tear on 2->5: sentinel kernels off");
    }

    @Test
    void whoPlansLaterInThisProcessIsTold() {
        assertThat(off(FabricLimits.ofThisProcess(), 8)).isEmpty();
        final var told = limits(pair(2, 5, 3, 0, 0), pair(0, 1, 0, 1, 1));
        told.tellThisProcess();
        assertThat(FabricLimits.ofThisProcess()).isEqualTo(told);
    }
}
