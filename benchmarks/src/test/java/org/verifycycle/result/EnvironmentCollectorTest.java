package org.verifycycle.result;

import org.junit.jupiter.api.Test;
import org.verifycycle.device.Machine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class EnvironmentCollectorTest {
    @Test
    void onlyVariablesOnTheListAreStored() {
        final var stored = EnvironmentCollector.variables(Map.of("NCCL_PROTO", "LL,LL128", "CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c,1",
                "NCCL_API_TOKEN", "hunter2", "NCCL_SOCKET_IFNAME", "eth0", "HOME", "/home/ann", "AWS_SECRET_ACCESS_KEY", "k"));
        assertThat(stored).isEqualTo(Map.of("NCCL_PROTO", "LL,LL128", "CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c,1"));
    }

    @Test
    void pathsCommandsAndOddValuesAreNotShown() {
        final var stored = EnvironmentCollector.variables(Map.of("CUDA_MPS_PIPE_DIRECTORY", "/home/ann/mps", "NCCL_LIB", "/home/ann/libnccl.so.2",
                "NCCL_ALGO", "x".repeat(500), "NCCL_NET", "ann@node", "JAVA_TOOL_OPTIONS", "-Dpassword=hunter2"));
        assertThat(stored).hasSize(5).allSatisfy((name, value) -> assertThat(value).isEqualTo("(set)"));
    }

    @Test
    void theEnvironmentOfThisMachineCanBeStored() {
        final var environment = EnvironmentCollector.collect(Machine.detect(), List.of(), Map.of("driver", "580"));
        assertThat(environment.cores()).isPositive();
        assertThat(environment.facts()).containsEntry("driver", "580").containsKeys("programVersion", "cpuGovernor", "loadAverage1m",
                "transparentHugePages", "transparentHugePagesShared", "virtualised", "sharedMemory", "sharedMemoryFreeMiB");
        assertThat(environment.toString()).doesNotContain("/home/");
        final var run = Runs.fresh();
        final var with = new Run(run.schema(), run.id(), run.startedAt(), run.finishedAt(), run.command(), run.workload(), run.plan(), environment,
                run.entries(), run.leftOut());
        assertThat(RunJson.read(RunJson.write(with), "run.json")).isEqualTo(with);
    }

    @Test
    void whatMustNotBeMixedInOneRunIsNamed() {
        final var was = Runs.fresh().environment();
        assertThat(EnvironmentCollector.differences(was, was, List.of())).isEmpty();
        final var is = new Environment(was.host(), was.os(), was.cpu(), 4, was.memoryMiB(), was.jvm(), "e4f5a6b", was.devices(),
                new TreeMap<>(), was.facts());
        assertThat(EnvironmentCollector.differences(was, is, List.of())).containsExactly("cores was 2, is 4", "commit was a1b2c3d+dirty, is e4f5a6b",
                "NCCL_PROTO was LL, is not set");
    }

    @Test
    void ofTheFactsThoseThatBindMustNotDiffer() {
        final var was = with("nccl", "one");
        assertThat(EnvironmentCollector.differences(was, with("nccl", "two"), List.of("gpuIds", "nccl"))).containsExactly("nccl was one, is two");
        assertThat(EnvironmentCollector.differences(was, Runs.fresh().environment(), List.of("nccl"))).containsExactly("nccl was one, is unknown");
        assertThat(EnvironmentCollector.differences(was, with("nccl", "two"), List.of("gpuIds"))).isEmpty();
    }

    private static Environment with(final String fact, final String value) {
        final var e = Runs.fresh().environment();
        final var facts = new TreeMap<>(e.facts());
        facts.put(fact, value);
        return new Environment(e.host(), e.os(), e.cpu(), e.cores(), e.memoryMiB(), e.jvm(), e.commit(), e.devices(), e.variables(), facts);
    }
}
