// A world of emulated ranks around one kernel: memory laid out as abi.h says, and a checked sequence of calls.
#pragma once

#include <string.h>

#include <atomic>
#include <random>
#include <string>

#include "kernels.cu"
#include "../../driver/payload.h"

namespace emulation {

using Kernel = void (*)(VcParams);

struct Setup {
    Kernel kernel;
    VcAlgorithm algorithm;  // for the region's layout
    payload::Dtype dtype;
    unsigned world;
    uint32_t first_epoch = 0;             // epoch of the call before the first
    uint64_t deadline_nanos = 5000000000ull;
    uint32_t capacity = 96;               // packs
    unsigned min_blocks = 1, max_blocks = 3, max_threads = 8;
    unsigned max_blocks_told = 0;         // to the kernel, if not max_blocks
    bool in_place = false;
    bool is_floor = false;                // writes no sums: only its end is checked
};

// A fault record for a person.
inline std::string text(const VcFault& f) {
    const auto of = [](const char* what, uint32_t n) { return std::string(what) + " " + std::to_string(n); };
    const std::string wanted = of(", expected", f.expected) + of(", saw", f.seen);
    switch (f.code) {
        case VC_OK: return "no fault";
        case VC_FAULT_DEADLINE:
            return "fault: a wait passed its deadline" + of(": for rank", f.peer) + of(", slot or phase", f.slot) +
                   of(", block", f.block) + of(", position", f.position) + wanted;
        case VC_FAULT_ARGUMENTS:
            return "fault: launch and parameters don't fit the kernel (launch_fits)" + wanted +
                   "; if it sends flags, a block needs a thread a rank, which it has here where vc_sends_flags or vc_pulls "
                   "of abi.h names the algorithm";
    }
    return of("fault of unknown code", f.code);
}

class World {
public:
    explicit World(const Setup& setup) : setup_(setup) {
        const unsigned w = setup.world;
        const uint64_t board_bytes = vc_board_bytes(setup.algorithm, setup.capacity, w);
        board_ = aligned(board_bytes + 16);
        memset(board_.get(), vc_slot_fill(setup.algorithm), board_bytes);
        for (unsigned r = 0; r < w; r++) {
            devices_.push_back(std::make_unique<Device>(setup.max_blocks, setup.max_threads));
            const uint64_t bytes = vc_region_bytes(setup.algorithm, setup.capacity, w);
            regions_.push_back(aligned(bytes));
            memset(regions_[r].get() + VC_SLOTS_OFFSET, vc_slot_fill(setup.algorithm), bytes - VC_SLOTS_OFFSET);
            for (unsigned b = 0; b < VC_MAX_BLOCKS; b++) entry(r, b)->epoch = setup.first_epoch;
            inputs_.push_back(aligned(setup.capacity * 16));
            outputs_.push_back(aligned(setup.capacity * 16));
        }
        faults_.resize(w);
    }

    // `calls` calls on every rank in `ranks`, without any synchronisation of the ranks but the kernel's own: sizes,
    // grids and payloads change from call to call. Empty, or what went wrong first.
    std::string run(unsigned calls, std::vector<unsigned> ranks = {}) {
        if (ranks.empty())
            for (unsigned r = 0; r < setup_.world; r++) ranks.push_back(r);
        hashes_.assign(calls, std::vector<uint64_t>(setup_.world, 0));
        errors_.assign(setup_.world, "");
        std::vector<std::thread> hosts;
        for (unsigned r : ranks) hosts.emplace_back([this, r, calls] { errors_[r] = run_rank(r, calls); });
        for (auto& h : hosts) h.join();
        // A rank that stops at a wrong sum makes the others miss a deadline: name the cause, not the consequence.
        for (const bool fault : {false, true})
            for (unsigned r : ranks)
                if (!errors_[r].empty() && (errors_[r].find("fault") != std::string::npos) == fault)
                    return "rank " + std::to_string(r) + ": " + errors_[r];
        for (unsigned c = 0; c < calls; c++)
            for (unsigned r : ranks)
                if (hashes_[c][r] != hashes_[c][ranks[0]]) return "call " + std::to_string(c) + ": bits differ over ranks";
        return "";
    }

    const VcFault& fault(unsigned rank) const { return faults_[rank]; }
    VcEntry* entry(unsigned rank, unsigned block) {
        return reinterpret_cast<VcEntry*>(regions_[rank].get() + VC_ENTRIES_OFFSET) + block;
    }

    VcParams params(unsigned rank, uint32_t packs) {
        VcParams p{};
        p.input = address(inputs_[rank].get());
        p.output = setup_.in_place ? p.input : address(outputs_[rank].get());
        p.control = address(regions_[rank].get());
        p.fault = address(&faults_[rank]);
        p.deadline_nanos = setup_.deadline_nanos;
        p.rank = rank, p.world = setup_.world, p.packs = packs, p.capacity = setup_.capacity, p.version = VC_ABI_VERSION;
        p.max_blocks = setup_.max_blocks_told ? setup_.max_blocks_told : setup_.max_blocks;
        for (unsigned r = 0; r < setup_.world; r++) {
            p.region[r] = address(vc_board_bytes(setup_.algorithm, setup_.capacity, setup_.world) > 0 ? board_.get() : regions_[r].get());
            p.peer_input[r] = address(inputs_[r].get());
        }
        return p;
    }

private:
    struct Free {
        void operator()(char* p) const { free(p); }
    };
    using Bytes = std::unique_ptr<char, Free>;
    static Bytes aligned(uint64_t bytes) {
        char* p = static_cast<char*>(aligned_alloc(128, (bytes + 127) / 128 * 128));
        memset(p, 0, (bytes + 127) / 128 * 128);
        return Bytes(p);
    }
    static uint64_t address(const void* p) { return reinterpret_cast<uint64_t>(p); }

    std::string run_rank(unsigned rank, unsigned calls) {
        std::minstd_rand own(rank + 1);   // this rank's pauses
        std::minstd_rand common(4711);    // sizes and grids: the same on all ranks
        for (unsigned c = 0; c < calls; c++) {
            const uint32_t packs = common() % 4 == 0 ? 1 + common() % 3 : 1 + common() % setup_.capacity;
            const unsigned blocks = setup_.min_blocks + common() % (setup_.max_blocks - setup_.min_blocks + 1);
            const unsigned least = vc_sends_flags(setup_.algorithm) ? setup_.world : 2;
            const unsigned threads = least + common() % (setup_.max_threads - least + 1);
            const auto pattern = static_cast<payload::Pattern>(c % payload::kPatterns);
            const uint32_t elements = packs * 16 / payload::element_bytes(setup_.dtype);

            payload::fill(setup_.dtype, pattern, c, rank, inputs_[rank].get(), elements);
            memset(outputs_[rank].get(), 0xA5, setup_.capacity * 16);
            const VcParams p = params(rank, packs);
            const char* output = reinterpret_cast<const char*>(p.output);
            if (own() % 8 == 0) usleep(own() % 300);
            devices_[rank]->launch(blocks, threads, [&] { setup_.kernel(p); });
            const std::string at = "call " + std::to_string(c) + " (" + std::to_string(packs) + " packs, " +
                                   std::to_string(blocks) + "x" + std::to_string(threads) + "): ";
            if (faults_[rank].code != VC_OK) return at + text(faults_[rank]);
            if (setup_.is_floor) continue;
            const auto want = payload::expected(setup_.dtype, pattern, c, setup_.world, elements);
            const std::string wrong = payload::mismatch(setup_.dtype, output, want);
            if (!wrong.empty()) return at + wrong;
            if (!setup_.in_place)
                for (uint32_t i = packs * 16; i < setup_.capacity * 16; i++)
                    if (output[i] != char(0xA5)) return at + "wrote behind the output";
            hashes_[c][rank] = payload::hash(output, packs * 16);
        }
        return "";
    }

    Setup setup_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::vector<Bytes> regions_, inputs_, outputs_;
    Bytes board_;
    std::vector<VcFault> faults_;
    std::vector<std::vector<uint64_t>> hashes_;
    std::vector<std::string> errors_;
};

}  // namespace emulation
