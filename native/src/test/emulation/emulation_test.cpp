// The kernels' own source, run as threads on the host: every algorithm, dtype and world, and what must fail.
//
//   emulation_test [calls] [no-races]   all tests, one line each, then "N passed, N failed"; no-races leaves out the
//                                       negative controls, which ThreadSanitizer rightly reports
//   emulation_test probes               the probe kernels only
//   emulation_test no-end-barrier       only the racy negative control: under ThreadSanitizer it must be reported
#include <chrono>

#include "probe_test.h"
#include "world.h"

namespace {

using emulation::Kernel;
using emulation::Setup;
using emulation::World;

struct Entry {
    const char* algorithm;
    const char* dtype_name;
    payload::Dtype dtype;
    unsigned world;
    VcAlgorithm id;
    Kernel kernel;
};
constexpr payload::Dtype dtype_bf16 = payload::kBf16, dtype_fp16 = payload::kFp16, dtype_fp32 = payload::kFp32;
#define ENTRY(algorithm, id, dtype, T, world) \
    {#algorithm, #dtype, dtype_##dtype, world, id, vc_##algorithm##_##dtype##_w##world},
const Entry kEntries[] = {VC_EACH_KERNEL(ENTRY)};
#define FLOOR(floor, id, world) {#floor, "", payload::kBf16, world, id, vc_##floor##_w##world},
const Entry kFloors[] = {VC_EACH_FLOOR(FLOOR)};

// A sentinel that resets the slot the next call will use, and lines that are overwritten while they may be unread.
struct TwoSlotSentinel : vc::Sentinel {
    static constexpr uint32_t kSlots = 2;
};
struct OneSlotLl : vc::Ll {
    static constexpr uint32_t kSlots = 1;
};
// one_shot_pull without its end barrier (and so with start flags in turn): inputs are overwritten while they are read.
void broken_pull(VcParams p) {
    const vc::Bookkeeping own = vc::bookkeeping(p);
    const vc::Flags<2> flags(p, p.rank);
    vc::Call call;
    if (!vc::begin<2>(own, call)) return;
    flags.send<vc::Order::kBoundary>(call.slot, call.epoch);
    flags.await<vc::Order::kBoundary>(p, call.slot, call.epoch);
    vc::block_barrier();
    vc::advance(p, own, call);
    for (uint32_t i = vc::grid_thread(); i < p.packs; i += vc::grid_threads()) {
        vc::Pack v[2];
        for (int r = 0; r < 2; r++) v[r] = vc::load_published(reinterpret_cast<const vc::Pack*>(p.peer_input[r]) + i);
        vc::store_output(reinterpret_cast<vc::Pack*>(p.output) + i, vc::sum_in_rank_order<vc::Bf16, 2>(v));
    }
}
void broken_sentinel(VcParams p) { vc::one_shot_push<vc::Bf16, 2, TwoSlotSentinel>(p); }
void broken_ll(VcParams p) { vc::one_shot_push<vc::Bf16, 2, OneSlotLl>(p); }
// Resets what the next call's readers may already look at; late, so that they do.
struct ThreeSlotBoard : vc::BoardSentinel {
    static constexpr uint32_t kSlots = 3;
    static void clear(char* area, uint32_t i) {
        usleep(50);
        BoardSentinel::clear(area, i);
    }
};
void broken_board(VcParams p) { vc::one_shot_push<vc::Bf16, 2, ThreeSlotBoard, vc::Place::kBoard>(p); }

unsigned passed = 0, failed = 0;

void verdict(const std::string& name, const std::string& error) {
    static auto last = std::chrono::steady_clock::now();
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    (error.empty() ? passed : failed)++;
    printf("%s %s (%.2f s)%s%s\n", error.empty() ? "ok  " : "FAIL", name.c_str(), seconds, error.empty() ? "" : ": ",
           error.c_str());
    fflush(stdout);
}

Setup setup_of(const Entry& e) {
    Setup s{};
    s.kernel = e.kernel, s.algorithm = e.id, s.dtype = e.dtype, s.world = e.world;
    if (e.world > 4) s.max_blocks = 2;  // 128 threads are enough for two cores
    return s;
}

void sums_are_right(const Entry& e, unsigned calls) {
    Setup s = setup_of(e);
    s.first_epoch = 0u - calls / 2u;  // wraps half way through
    verdict(std::string(e.algorithm) + " " + e.dtype_name + " w" + std::to_string(e.world) +
                ": sums, sizes, grids, specials, epoch wrap", World(s).run(calls));
    if (e.dtype != payload::kBf16 || e.world != 4 || vc_pulls(e.id)) return;
    s.in_place = true;
    verdict(std::string(e.algorithm) + " w4: output in place of the input", World(s).run(calls));
}

void floor_ends(const Entry& e) {
    Setup s = setup_of(e);
    s.is_floor = true;
    s.first_epoch = 0u - 20u;
    verdict(std::string(e.algorithm) + " w" + std::to_string(e.world) + ": ends over sizes, grids and the epoch wrap",
            World(s).run(60));
}

// Whether `peer` can be the rank that `rank` reports, where `absent` never came.
bool blames_rightly(const Entry& e, unsigned rank, unsigned peer, unsigned absent) {
    // Owners of a two-shot push are late too, because they wait for the absent rank themselves; pull stops at its first barrier.
    const bool owners_late = vc_is_two_shot(e.id) && !vc_pulls(e.id);
    return peer == absent || (owners_late && peer < e.world && peer != rank);
}

void absent_rank_is_named(const Entry& e, bool is_floor) {
    Setup s = setup_of(e);
    s.is_floor = is_floor;
    s.min_blocks = s.max_blocks;   // so that block 0 is not the only one to report
    s.deadline_nanos = 200000000;  // those present may come late on a busy machine
    World world(s);
    std::vector<unsigned> present;
    const unsigned absent = e.world - 1;
    for (unsigned r = 0; r < absent; r++) present.push_back(r);
    world.run(1, present);
    std::string error;
    for (unsigned r : present) {
        const VcFault& f = world.fault(r);
        const uint32_t slot = vc_pulls(e.id) ? 0u : 1u;  // flags of pull: the phase of the first barrier
        const bool position = !vc_sends_flags(e.id) || f.position == f.block;
        if (f.code != VC_FAULT_DEADLINE || f.rank != r || !blames_rightly(e, r, f.peer, absent) || f.slot != slot ||
            f.expected != 1u || !position)
            error = "rank " + std::to_string(r) + " recorded: " + emulation::text(f);
    }
    // Counted, not timed: a busy machine makes any call take as long as a deadline.
    const uint64_t before = emulation::polls.load();
    if (world.run(1, present).empty()) error = "a call after a fault did not fail";
    const uint64_t waited = emulation::polls.load() - before;
    if (waited != 0) error = "a call after a fault waited: " + std::to_string(waited) + " polls";
    verdict(std::string(e.algorithm) + " w" + std::to_string(e.world) + ": an absent rank is named, later calls fail fast",
            error);
}

void wrong_world_is_a_fault(const Entry& e) {
    Setup s = setup_of(e);
    s.world = 2;  // a kernel for four ranks, launched by two
    World world(s);
    const bool silent = world.run(1).empty();
    verdict(std::string(e.algorithm) + ": a launch that doesn't fit is a fault, not a no-op",
            !silent && world.fault(0).code == VC_FAULT_ARGUMENTS ? "" : "no fault recorded");
}

void large_grid_is_a_fault(const Entry& e) {
    Setup s = setup_of(e);
    s.max_blocks_told = 1;
    World world(s);
    const bool silent = world.run(20).empty();
    const VcFault& f = world.fault(0);
    verdict(std::string(e.algorithm) + ": a grid larger than max_blocks is a fault",
            !silent && f.code == VC_FAULT_ARGUMENTS && f.expected == 1 && f.seen > 1 ? "" : "no fault recorded");
}

std::string run_broken(Kernel kernel, VcAlgorithm algorithm) {
    Setup s{};
    s.kernel = kernel, s.algorithm = algorithm, s.dtype = payload::kBf16, s.world = 2;
    s.deadline_nanos = 500000000;
    return World(s).run(400);
}

void broken_is_caught(const char* name, Kernel kernel, VcAlgorithm algorithm) {
    std::string found;
    for (int attempt = 0; attempt < 5 && found.empty(); attempt++) found = run_broken(kernel, algorithm);
    verdict(std::string("negative control, ") + name + ": caught" + (found.empty() ? "" : " (" + found + ")"),
            found.empty() ? "passed although it is broken" : "");
}

void probes() {
    static uint32_t closed = 0;
    const auto same = [](VcProbe p) { return p; };
    const auto begins = [](VcProbe p) { p.begins = 1; return p; };
    const auto gated = [](VcProbe p) { p.gate = reinterpret_cast<uint64_t>(&closed); return p; };
    verdict("probe_flag: timed to and fro", emulation::probe_flag_is_timed());
    for (uint32_t width : {4u, 8u, 16u})
        verdict("probe_write, probe_check: " + std::to_string(width) + "-byte stores, another pattern each call", emulation::probe_data_is_right(width));
    verdict("probe_check: stale data is found", emulation::probe_finds_stale_data());
    verdict("probe_tear: 8-byte stores never torn", emulation::probe_tears(8, false));
    verdict("probe_tear: a pack of four stores is seen torn", emulation::probe_tears(16, true));
    verdict("probe_store: all packs", emulation::probe_moves_all_of(vc_probe_store, true));
    verdict("probe_load: ends", emulation::probe_moves_all_of(vc_probe_load, false));
    verdict("probe_flag alone: ends at the deadline", emulation::probe_alone_ends(vc_probe_flag, begins));
    verdict("probe_write alone: ends at the deadline", emulation::probe_alone_ends(vc_probe_write, same));
    verdict("probe_check alone: ends at the deadline", emulation::probe_alone_ends(vc_probe_check, same));
    verdict("probe_tear_write alone: ends at the deadline", emulation::probe_alone_ends(vc_probe_tear_write, same));
    verdict("probe_store at a closed gate: ends at the deadline", emulation::probe_alone_ends(vc_probe_store, gated));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "no-end-barrier") {
        run_broken(broken_pull, VC_ONE_SHOT_PULL);
        return 0;
    }
    if (argc > 1 && std::string(argv[1]) == "probes") {
        probes();
        printf("%u passed, %u failed\n", passed, failed);
        return failed == 0 ? 0 : 1;
    }
    const unsigned calls = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 60;
    for (const Entry& e : kEntries) sums_are_right(e, calls);
    for (const Entry& e : kFloors) floor_ends(e);
    for (const Entry& e : kEntries)
        if (e.dtype == payload::kBf16 && e.world <= 4) absent_rank_is_named(e, false);
    for (const Entry& e : kFloors)
        if (e.world <= 4) absent_rank_is_named(e, true);
    for (const Entry& e : kEntries)
        if (e.dtype == payload::kBf16 && e.world == 4) wrong_world_is_a_fault(e);
    for (const Entry& e : kEntries)
        if (e.dtype == payload::kBf16 && e.world == 2) large_grid_is_a_fault(e);
    probes();
    if (argc < 3) {
        broken_is_caught("pull without end barrier", broken_pull, VC_ONE_SHOT_PULL);
        broken_is_caught("sentinel with two slots", broken_sentinel, VC_ONE_SHOT_SENTINEL);
        broken_is_caught("LL with one slot", broken_ll, VC_ONE_SHOT_LL);
        broken_is_caught("board sentinel with three slots", broken_board, VC_HOST_SENTINEL);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
