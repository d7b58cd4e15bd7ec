package org.verifycycle.collective.nccl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verifycycle.collective.CollectiveSpec;

import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NcclSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nccl/default                     | NCCL_NVLS_ENABLE=0",
        "nccl/ring:proto=LL128            | NCCL_ALGO=Ring NCCL_NVLS_ENABLE=0 NCCL_PROTO=LL128",
        "nccl/tree:channels=4             | NCCL_ALGO=Tree NCCL_MAX_NCHANNELS=4 NCCL_NVLS_ENABLE=0",
        "nccl/default:p2p=off             | NCCL_NVLS_ENABLE=0 NCCL_P2P_DISABLE=1",
        "nccl/default:p2p-level=SYS       | NCCL_NVLS_ENABLE=0 NCCL_P2P_LEVEL=SYS",
        "nccl/default:symmetric=nowin     | NCCL_NVLS_ENABLE=0 NCCL_SYM_NOWIN_ENABLE=1",
        "nccl/default:symmetric=on        | NCCL_NVLS_ENABLE=0",
        "nccl/default:ctas=16;symmetric=on | NCCL_MAX_CTAS=16 NCCL_MIN_CTAS=16 NCCL_NVLS_ENABLE=0",
        "nccl/default:nccl-graph-mixing-support=0 | NCCL_GRAPH_MIXING_SUPPORT=0 NCCL_NVLS_ENABLE=0",
        "nccl/ring:channels=2;nccl-cga-cluster-size=0 | NCCL_ALGO=Ring NCCL_CGA_CLUSTER_SIZE=0 NCCL_MAX_NCHANNELS=2 NCCL_NVLS_ENABLE=0",
        "nccl/default:sym-kernel=AGxLL_R;symmetric=on | NCCL_NVLS_ENABLE=0 NCCL_SYM_KERNEL=AllReduce_AGxLL_R"})
    void settingsBecomeVariables(final String spec, final String variables) {
        assertThat(shown(spec, Map.of())).isEqualTo(variables);
    }

    @Test
    void whatTheUserSaysOfMulticastStays() {
        assertThat(shown("nccl/default", Map.of("NCCL_NVLS_ENABLE", "1"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nccl/rings                        | known: default, ring, tree",
        "nccl/ring:protocol=LL             | known: channels=1 to 32, ctas=1 to 64, inplace=on|off, p2p=on|off",
        "nccl/ring:proto=ll                | known: LL|LL128|Simple",
        "nccl/ring:channels=0              | known: 1 to 32",
        "nccl/ring:channels=two            | known: 1 to 32",
        "nccl/ring:symmetric=on            | use nccl/default:symmetric=on",
        "nccl/default:ctas=65;symmetric=on | known: 1 to 64",
        "nccl/default:ctas=8               | add symmetric=on, or use channels=",
        "nccl/ring:sym-kernel=AGxLL_R      | add symmetric=on",
        "nccl/default:sym-kernel=AGxLLMC_R;symmetric=on | known: AGxLL_R|RSxLD_AGxST",
        "nccl/ring:ncclx=1                 | and nccl-<name>=<value> for any variable NCCL_<NAME>",
        "nccl/ring:nccl-=1                 | unknown setting 'nccl-'",
        "nccl/ring:nccl-proto=LL           | NCCL_PROTO has a name of its own here, use proto=",
        "nccl/default:nccl-min-ctas=4;symmetric=on | use ctas=",
        "nccl/default:nccl-nvls-enable=1   | NCCL_NVLS_ENABLE is for your environment to set",
        "nccl/default:nccl-debug-file=x    | NCCL_DEBUG_FILE is for your environment to set",
        "nccl/ring:p2p=off;p2p-level=SYS   | contradict"})
    void whatIsNotKnownIsRefusedWithWhatIs(final String spec, final String told) {
        assertThatThrownBy(() -> NcclSettings.parse(CollectiveSpec.parse(spec))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(told);
    }

    @Test
    void multicastIsNeverSwitchedOnWhateverIsAsked() {
        assertThat(new NcclBackend().catalogue()).allSatisfy(spec -> {
            assertThat(NcclSettings.parse(spec).variables(Map.of())).containsEntry("NCCL_NVLS_ENABLE", "0");
            assertThat(NcclSettings.parse(spec).variables(Map.of("NCCL_NVLS_ENABLE", "2"))).doesNotContainKey("NCCL_NVLS_ENABLE");
            assertThat(NcclSettings.parse(spec).variables(Map.of()).keySet()).doesNotContain("NCCL_MULTICAST_ENABLE");
        });
    }

    @ParameterizedTest
    @CsvSource({"nccl/default,false", "nccl/default:inplace=on,false", "nccl/ring,true", "nccl/default:proto=LL,true", "nccl/ring:channels=2,true", "nccl/default:p2p=off,true",
        "nccl/default:p2p-level=SYS,true", "nccl/default:symmetric=nowin,true", "nccl/default:nccl-buffsize=65536,true"})
    void onlyWhatIsAskedForCanBeDeclined(final String spec, final boolean asks) {
        assertThat(NcclSettings.parse(CollectiveSpec.parse(spec)).asks()).isEqualTo(asks);
    }

    @Test
    void theBackendKnowsWhatItOffers() {
        final var backend = new NcclBackend();
        assertThat(backend.catalogue()).doesNotHaveDuplicates().containsAll(backend.defaults()).contains(backend.baseline().orElseThrow())
                .allSatisfy(spec -> assertThat(backend.collective(spec).spec()).isEqualTo(spec));
    }

    private static String shown(final String spec, final Map<String, String> users) {
        return NcclSettings.parse(CollectiveSpec.parse(spec)).variables(users).entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" "));
    }
}
