package org.verifycycle.bench;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.CollectiveSpec;

import static org.assertj.core.api.Assertions.assertThat;

class GroupStateTest {
    /** Else a new algorithm would be missing where JMH is used directly, and nobody would notice. */
    @Test
    void jmhAloneMeasuresWhatTheHostBackendOffers() throws NoSuchFieldException {
        final var offered = Collectives.installed().backend("host").catalogue().stream().map(CollectiveSpec::toString).toList();
        assertThat(GroupState.class.getField("collective").getAnnotation(Param.class).value()).containsExactlyInAnyOrderElementsOf(offered);
    }
}
