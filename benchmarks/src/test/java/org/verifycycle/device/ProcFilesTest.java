package org.verifycycle.device;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcFilesTest {
    private static final String X86 = """
            processor\t: 0
            vendor_id\t: AuthenticAMD
            model\t\t: 2
            model name\t: AMD EPYC 9575F
            flags\t\t: fpu vme hypervisor avx512f

            processor\t: 1
            model name\t: other
            """;

    @Test
    void theModelIsThatOfTheFirstProcessor() {
        assertThat(ProcFiles.cpuModel(X86)).contains("AMD EPYC 9575F");
        assertThat(ProcFiles.cpuModel("processor : 0\nBogoMIPS : 50.00\n\nHardware : BCM2835\nModel : Raspberry Pi 4\n")).contains("Raspberry Pi 4");
        assertThat(ProcFiles.cpuModel("processor : 0\nCPU implementer : 0x41\n")).isEmpty();
        assertThat(ProcFiles.cpuModel("")).isEmpty();
    }

    @Test
    void aHypervisorIsToldByItsFlag() {
        assertThat(ProcFiles.hypervisor(X86)).contains(true);
        assertThat(ProcFiles.hypervisor("flags : fpu hypervisorish")).contains(false);
        assertThat(ProcFiles.hypervisor("Features : fp asimd")).isEmpty();
    }

    @Test
    void memoryIsInBytes() {
        assertThat(ProcFiles.memoryBytes("MemTotal:       49367240 kB\nMemFree:        1 kB\n")).hasValue(49_367_240L * 1024);
        assertThat(ProcFiles.memoryBytes("MemFree: 1 kB\n")).isEmpty();
    }

    @Test
    void loadIsThatOfTheLastMinute() {
        assertThat(ProcFiles.load1m("0.52 0.58 0.59 1/467 12345\n")).hasValue(0.52);
        assertThat(ProcFiles.load1m("")).isEmpty();
    }

    @Test
    void theChoiceIsInBrackets() {
        assertThat(ProcFiles.bracketed("always within_size advise [never] deny force\n")).contains("never");
        assertThat(ProcFiles.bracketed("performance\n")).isEmpty();
    }

    @Test
    void hostNamesAreShort() {
        assertThat(ProcFiles.shortHost("node7.example.org\n")).contains("node7");
        assertThat(ProcFiles.shortHost("(none)\n")).isEmpty();
        assertThat(ProcFiles.shortHost("\n")).isEmpty();
    }
}
