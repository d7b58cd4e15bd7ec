package org.verifycycle.device;

import org.junit.jupiter.api.Test;
import org.verifycycle.device.Fabric.Finding;
import org.verifycycle.device.Fabric.Kind;
import org.verifycycle.device.Fabric.Pair;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class FabricFindingsTest {
    private static Pair pair(final int from, final int to, final double store, final double load, final double storeAll) {
        return new Pair(from, to, Optional.empty(), 800, store, load, storeAll, load, 0, 0, 0, 0, 0, 0);
    }

    private static Pair counts(final int from, final int to, final long wrong, final long torn8, final long torn16) {
        return new Pair(from, to, Optional.empty(), 800, 25, 25, 25, 25, 0, 0, 0, wrong, torn8, torn16);
    }

    private static List<Kind> kinds(final Pair... pairs) {
        return FabricFindings.of(List.of(pairs)).stream().map(Finding::kind).toList();
    }

    @Test
    void goodLinksHaveNoFindings() {
        assertThat(kinds(pair(0, 1, 380, 350, 370), pair(1, 0, 380, 350, 370))).isEmpty();
    }

    @Test
    void storesThatShareALinkDoNotCollapse() {
        // Three peers over one link of 25 GB/s: 8 each, 24 together.
        assertThat(kinds(pair(0, 1, 25, 25, 8), pair(0, 2, 25, 25, 8), pair(0, 3, 25, 25, 8))).isEmpty();
    }

    @Test
    void storesThatGetLessTogetherThanHalfOfOneAloneDo() {
        final var findings = FabricFindings.of(List.of(pair(3, 1, 25.4, 24, 0.9), pair(3, 2, 25, 24, 1.8), pair(4, 1, 25, 24, 10), pair(4, 2, 25, 24, 10)));
        assertThat(findings).containsExactly(new Finding(Kind.STORES_COLLAPSE,
                "stores collapse when concurrent (GPU 3: 2.7 GB/s to all others together, 25.4 alone; loads together 48.0): prefer pull"));
    }

    @Test
    void slowStoresNameTheWorstPair() {
        assertThat(FabricFindings.of(List.of(pair(0, 1, 10, 27, 10), pair(1, 0, 2.7, 27, 2.7)))).containsExactly(new Finding(Kind.STORES_SLOW, "stores are slow (1->0: 2.7 GB/s, loads 27.0): prefer pull"));
    }

    @Test
    void theWorstComesFirstAndPairsAreNamed() {
        assertThat(FabricFindings.of(List.of(counts(0, 1, 0, 1, 7), counts(2, 5, 12, 0, 0), Pair.unmeasured(4, 5, FabricFindings.NO_ANSWER + ": flags did not come")))).extracting(Finding::text)
                .containsExactly("wrong data on 2->5: do not use P2P there (NCCL_P2P_DISABLE=1 for NCCL)", "no answer on 4->5: do not use P2P there (NCCL_P2P_DISABLE=1 for NCCL)",
                        "8-byte stores tear on 0->1: LL kernels off", "16-byte stores tear on 0->1: sentinel kernels off");
    }

    @Test
    void manyPairsAreCounted() {
        final var all = IntStream.range(1, 8).mapToObj(i -> counts(0, i, 1, 0, 0)).toList();
        assertThat(FabricFindings.of(all).get(0).text()).startsWith("wrong data on 0->1, 0->2, 0->3, 0->4 and 3 more:");
    }

    @Test
    void whatWasNotMeasuredIsNoFinding() {
        assertThat(kinds(Pair.unmeasured(0, 1, "the driver reports no peer access"))).isEmpty();
    }
}
