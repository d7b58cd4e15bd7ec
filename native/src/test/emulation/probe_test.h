// The probe kernels between two emulated GPUs, and the probes that must fail.
#pragma once

#include <string.h>

#include <array>
#include <string>

#include "world.h"

namespace emulation {

using ProbeKernel = void (*)(VcProbe);

class ProbePair {
public:
    static constexpr uint32_t kPacks = 40;

    ProbePair() {
        for (int g = 0; g < 2; g++) {
            memory_[g] = static_cast<char*>(aligned_alloc(128, VC_PROBE_DATA_OFFSET + kPacks * 16 + 128));
            memset(memory_[g], 0, VC_PROBE_DATA_OFFSET + kPacks * 16 + 128);
            result_[g] = {};
        }
    }
    ~ProbePair() {
        for (char* m : memory_) free(m);
    }

    VcProbe params(int gpu, uint64_t deadline_nanos = 5000000000ull) {
        VcProbe p{};
        p.own = reinterpret_cast<uint64_t>(memory_[gpu]), p.result = reinterpret_cast<uint64_t>(&result_[gpu]);
        p.peer[0] = reinterpret_cast<uint64_t>(memory_[1 - gpu]), p.peers = 1;
        p.deadline_nanos = deadline_nanos, p.bytes = kPacks * 16, p.rounds = 50, p.width = 16;
        return p;
    }
    // Both kernels `calls` times, each GPU at its own pace; a null kernel is a GPU that does nothing.
    void run(ProbeKernel first, VcProbe a, ProbeKernel second, VcProbe b, unsigned calls, unsigned blocks = 1, unsigned threads = 4) {
        const std::array<ProbeKernel, 2> kernels{first, second};
        const std::array<VcProbe, 2> params{a, b};
        std::vector<std::thread> hosts;
        for (int g = 0; g < 2; g++)
            if (kernels[g])
                hosts.emplace_back([&, g] {
                    Device device(blocks, threads);
                    for (unsigned c = 0; c < calls; c++) device.launch(blocks, threads, [&] { kernels[g](params[g]); });
                });
        for (auto& h : hosts) h.join();
    }
    const VcProbeResult& result(int gpu) const { return result_[gpu]; }
    uint32_t word(int gpu, uint32_t at) const {
        uint32_t w;
        memcpy(&w, memory_[gpu] + VC_PROBE_DATA_OFFSET + 4 * at, 4);
        return w;
    }

private:
    char* memory_[2];
    VcProbeResult result_[2];
};

// Forgets that each call has another pattern: what a stale line would look like.
inline void stale_write(VcProbe p) {
    const uint32_t epoch = vc::probe_epoch(p);
    for (uint32_t i = threadIdx.x; i < p.bytes / 16; i += blockDim.x)
        vc::store_pack(vc::probe_data<vc::Pack>(p.peer[0]) + i, vc::probe_pack(1, i));
    vc::block_barrier();
    if (threadIdx.x != 0) return;
    vc::store_flag_release(&vc::probe_control(p.peer[0])->flag, epoch);
    vc::await_flag(p, &vc::probe_control(p.own)->flag, epoch);
}

inline std::string probe_flag_is_timed() {
    ProbePair pair;
    VcProbe a = pair.params(0), b = pair.params(1);
    a.begins = 1, a.warmup = b.warmup = 3;
    pair.run(vc_probe_flag, a, vc_probe_flag, b, 1);
    return pair.result(0).code == VC_OK && pair.result(1).code == VC_OK && pair.result(0).nanos > 0 ? "" : "no time";
}

inline std::string probe_data_is_right(uint32_t width) {
    ProbePair pair;
    VcProbe a = pair.params(0), b = pair.params(1);
    a.width = width;
    pair.run(vc_probe_write, a, vc_probe_check, b, 20);
    const VcProbeResult& r = pair.result(1);
    return r.code == VC_OK && r.calls == 20 && r.wrong == 0 ? "" : std::to_string(r.wrong) + " wrong in " + std::to_string(r.calls) + " calls";
}

inline std::string probe_finds_stale_data() {
    ProbePair pair;
    pair.run(stale_write, pair.params(0), vc_probe_check, pair.params(1), 3);
    // All words of calls 2 and 3, but for a chance of 2^-32 each.
    return pair.result(1).wrong == 2 * 4 * ProbePair::kPacks ? "" : std::to_string(pair.result(1).wrong) + " words found";
}

inline std::string probe_tears(uint32_t width, bool expected) {
    for (int attempt = 0; attempt < 20; attempt++) {
        ProbePair pair;
        VcProbe a = pair.params(0), b = pair.params(1);
        a.width = b.width = width, a.rounds = b.rounds = 400;
        pair.run(vc_probe_tear_write, a, vc_probe_tear_read, b, 1);
        const VcProbeResult& r = pair.result(1);
        if (r.code != VC_OK || r.calls != 1) return "did not end";
        if (!expected && r.torn != 0) return std::to_string(r.torn) + " torn";
        if (expected && r.torn != 0) return "";
    }
    return expected ? "four separate stores were never seen apart" : "";
}

inline std::string probe_moves_all_of(ProbeKernel kernel, bool stores) {
    ProbePair pair;
    uint32_t gate = 1;
    VcProbe a = pair.params(0);
    a.gate = reinterpret_cast<uint64_t>(&gate);
    pair.run(kernel, a, nullptr, a, 1, 3, 4);
    for (uint32_t i = 0; stores && i < ProbePair::kPacks; i++)
        if (pair.word(1, 4 * i) != i || pair.word(1, 4 * i + 3) != i) return "pack " + std::to_string(i) + " was not stored";
    for (int b = 0; b < 3; b++)
        if (pair.result(0).block[b].end < pair.result(0).block[b].start || pair.result(0).block[b].start == 0) return "no times";
    return "";
}

inline std::string probe_alone_ends(ProbeKernel kernel, VcProbe (*change)(VcProbe)) {
    ProbePair pair;
    const VcProbe a = change(pair.params(0, 20000000));
    pair.run(kernel, a, nullptr, a, 1);
    return pair.result(0).code == VC_FAULT_DEADLINE && pair.result(0).calls == 0 ? "" : "no deadline was recorded";
}

}  // namespace emulation
