package org.verifycycle.collective.nccl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.collective.CollectiveSpec;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** On lines of the shape that NCCL 2.28 writes. */
class NcclLogTest {
    private static final String PREFIX = "node7:4711:4790 [0] NCCL INFO ";
    private static final String RING_LL = PREFIX + "AllReduce: 43008 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..7}";
    private static final String SYMMETRIC = PREFIX + "AllReduce [Symmetric]: 43008 Bytes -> Kernel AllReduce_AGxLL_R nchannels 4 nthreads 512 nWorks 1";

    @Test
    void algorithmProtocolChannelsAndTransportAreRead() {
        final var log = parse(PREFIX + "comm 0x55d0 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 19000 commId 0xabc - Init START",
                PREFIX + "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", PREFIX + "Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read", RING_LL, RING_LL);
        assertThat(log.chosen()).isEqualTo("RING LL, 8 channels");
        assertThat(log.transports()).containsExactly("P2P/CUMEM", "P2P/CUMEM/read");
    }

    @Test
    void numbersOfOtherVersionsAreNamed() {
        assertThat(parse(PREFIX + "AllReduce: 43008 Bytes -> Algo 1 proto 2 time 12.5").chosen()).isEqualTo("RING SIMPLE");
    }

    @Test
    void aSymmetricKernelIsNamed() {
        assertThat(parse(SYMMETRIC).chosen()).isEqualTo("symmetric kernel AllReduce_AGxLL_R, 4 channels");
    }

    @Test
    void callsOfOtherSizesAndOtherOutputDoNotCount() {
        final var log = parse(PREFIX + "AllReduce: 64 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}", "", PREFIX + "Connected all rings", PREFIX + "AllReduce: many Bytes -> Algo");
        assertThat(log.choices()).isEmpty();
        assertThat(log.declined(asked("nccl/tree"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"nccl/default", "nccl/ring", "nccl/ring:proto=LL", "nccl/ring:proto=LL;channels=8", "nccl/ring:channels=16", "nccl/default:p2p-level=SYS"})
    void whatWasDoneIsNotDeclined(final String spec) {
        assertThat(parse(RING_LL).declined(asked(spec))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nccl/tree                     | NCCL declined tree: it chose RING LL, 8 channels",
        "nccl/ring:proto=LL128         | NCCL declined proto=LL128: it chose RING LL, 8 channels",
        "nccl/ring:channels=2          | NCCL declined channels=2: it chose RING LL, 8 channels",
        "nccl/default:symmetric=on     | NCCL declined symmetric: it chose RING LL, 8 channels"})
    void whatWasNotDoneIsDeclinedWithWhatWas(final String spec, final String reason) {
        assertThat(parse(RING_LL).declined(asked(spec))).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nccl/default:ctas=16;symmetric=on                  | NCCL declined ctas=16: it chose symmetric kernel AllReduce_AGxLL_R, 4 channels",
        "nccl/default:ctas=4;sym-kernel=AGxLL_R;symmetric=on |",
        "nccl/default:ctas=2;symmetric=on                   | NCCL declined ctas=2: it chose symmetric kernel AllReduce_AGxLL_R, 4 channels",
        "nccl/default:sym-kernel=RSxLD_AGxST;symmetric=on   | NCCL declined sym-kernel=RSxLD_AGxST: it chose symmetric kernel AllReduce_AGxLL_R, 4 channels"})
    void aSymmetricKernelIsTheOneAskedForOfSoManyBlocks(final String spec, final String reason) {
        assertThat(parse(SYMMETRIC).declined(asked(spec))).isEqualTo(Optional.ofNullable(reason));
    }

    /** The first five: what NCCL 2.28.9 took between two H200. */
    @ParameterizedTest
    @CsvSource({"8192, 32, 8, true", "14336, 32, 14, true", "43008, 32, 21, true", "131072, 32, 32, true", "1048576, 32, 32, true",
        "43008, 32, 32, true", "43008, 32, 20, false", "43008, 32, 25, false", "131072, 32, 31, false", "43008, 32, 33, false", "8192, 32, 7, false", "16, 32, 1, true"})
    void blocksThatWouldHaveNothingToSumAreNotMissed(final long bytes, final int asked, final int taken, final boolean accepted) {
        final var log = NcclLog.parse(List.of(PREFIX + "AllReduce [Symmetric]: " + bytes + " Bytes -> Kernel AllReduce_AGxLL_R nchannels " + taken + " nthreads 512 nWorks 1"), bytes);
        assertThat(log.choices()).hasSize(1);
        assertThat(log.declined(asked("nccl/default:ctas=" + asked + ";symmetric=on")).isEmpty()).isEqualTo(accepted);
    }

    @Test
    void peerAccessThatWasToBeOffIsDeclined() {
        final var lines = List.of(PREFIX + "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC", RING_LL);
        assertThat(NcclLog.parse(lines, 43_008).declined(asked("nccl/default:p2p=off"))).contains("NCCL declined p2p=off: it connected by P2P/IPC");
        assertThat(parse(PREFIX + "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", RING_LL).declined(asked("nccl/default:p2p=off"))).isEmpty();
    }

    @Test
    void peerAccessAtAnyDistanceThatWasNotTakenIsDeclined() {
        assertThat(parse(PREFIX + "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", RING_LL).declined(asked("nccl/default:p2p-level=SYS")))
                .contains("NCCL declined p2p-level=SYS: it connected by SHM/direct/direct");
        assertThat(parse(PREFIX + "Channel 00 : 0[0] -> 1[1] via P2P/IPC", RING_LL).declined(asked("nccl/default:p2p-level=SYS"))).isEmpty();
    }

    @Test
    void aVariableThatNcclDoesNotReadIsDeclined() {
        final var mixing = asked("nccl/default:nccl-graph-mixing-support=0");
        assertThat(parse(PREFIX + "NCCL_GRAPH_MIXING_SUPPORT set by environment to 0.", RING_LL).declined(mixing)).isEmpty();
        assertThat(parse(PREFIX + "NCCL_GRAPH_MIXING set by environment to 0.", RING_LL).declined(mixing))
                .contains("NCCL declined NCCL_GRAPH_MIXING_SUPPORT: it does not say that it read it; is there such a variable in this version?");
        // The user has its output: nothing is known.
        assertThat(parse().declined(mixing)).isEmpty();
    }

    private static NcclLog parse(final String... lines) {
        return NcclLog.parse(List.of(lines), 43_008);
    }

    private static NcclSettings asked(final String spec) {
        return NcclSettings.parse(CollectiveSpec.parse(spec));
    }
}
