package org.verifycycle.collective.host;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every algorithm and dtype between real processes over one mapped file. */
class ProcessRanksTest {
    @ParameterizedTest(name = "world {0}")
    @ValueSource(ints = {2, 4})
    void processesGetTheSum(final int world) throws Exception {
        ProcessRanks.checkAll(world);
    }
}
