package org.verifycycle.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class DispatchFileTest {
    @Test
    void everyFieldIsWritten() throws Exception {
        final var table = new Dispatch.Table(8, "bf16", "graph", 122, List.of("shared GPU"), List.of(new Dispatch.Range(16, 4096, "ipc/one-shot-ll", false, List.of("nccl/default"), List.of(16, 4096))),
                List.of(new Dispatch.Crossover("ipc/one-shot-ll", "nccl/default", 4096, Optional.empty(), Optional.of(8192))));
        final var sizes = new TreeMap<String, SortedMap<Integer, Integer>>(Map.of("9.0", new TreeMap<>(Map.of(8, 4096))));
        final var tree = new ObjectMapper().readTree(DispatchFile.text(new Dispatch("run-1", "a1b2c3d", List.of("GPU 0: H200"), List.of(table), sizes)));
        assertThat(tree).isEqualTo(new ObjectMapper().readTree("""
                {"version": 1, "run": "run-1", "commit": "a1b2c3d", "devices": ["GPU 0: H200"],
                 "tables": [{"world": 8, "dtype": "bf16", "launch": "graph", "calls": 122, "marks": ["shared GPU"],
                   "ranges": [{"fromBytes": 16, "toBytes": 4096, "collective": "ipc/one-shot-ll", "status": "undecided", "undecidedWith": ["nccl/default"], "measuredBytes": [16, 4096]}],
                   "crossovers": [{"from": "ipc/one-shot-ll", "to": "nccl/default", "bytes": 4096, "lowBytes": null, "highBytes": 8192}]}],
                 "vllmMaxBytes": {"9.0": {"8": 4096}}}"""));
    }
}
