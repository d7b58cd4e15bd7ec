// What all algorithms share: which call this is, who advances that, and how a wait ends.
//
// The call number (epoch) lives in the owner's region, so a graph replay advances it; parameters are frozen at capture and
// can't. Every block has a copy of it, its entry:
//
//   before pdl_wait   launch_fits(), and what held() takes out of the parameters: the wait hides both
//   every thread      reads its block's entry {epoch, slot, sizes}      one 16-byte load, beside the load of the input
//   every block       block_barrier(), then writes the entry of this call: nobody else reads it before the next grid
//   blocks too few    block b also writes entries b + grid, b + 2 grid ... below max_blocks, so the next grid may be larger
//
// No atomic, no last block, nothing to write after the polls. Entries are copies of one number and never part ways, as
// counters per block would when the grid changes. One thread a block writes while the grid is the largest of the region.
#pragma once

#include "dtype.cuh"

namespace vc {

struct Call {
    uint32_t epoch;
    uint32_t slot;
    uint32_t previous_slot;
    uint32_t dirty_packs;  // size of the previous call
    uint32_t older_packs;  // and of the one before it
};

__device__ __forceinline__ uint32_t grid_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ uint32_t grid_threads() { return gridDim.x * blockDim.x; }

__device__ __forceinline__ VcControl* control_of(const VcParams& p) { return reinterpret_cast<VcControl*>(p.control); }
__device__ __forceinline__ VcEntry* entry_at(const VcParams& p, uint32_t block) {
    return reinterpret_cast<VcEntry*>(p.control + VC_ENTRIES_OFFSET) + block;
}

// Device address `offset` bytes into rank r's region.
template <class T>
__device__ __forceinline__ T* region_at(const VcParams& p, uint32_t r, uint64_t offset) {
    return reinterpret_cast<T*>(p.region[r] + offset);
}

// First failure wins; the record's code is written last, so a host that sees it sees the rest.
__device__ __forceinline__ void report_inline(const VcParams& p, uint32_t code, uint32_t peer, uint32_t slot,
                                              uint32_t position, uint32_t expected, uint32_t seen) {
    if (compare_and_swap(&control_of(p)->fault, VC_OK, code) != VC_OK) return;
    VcFault* f = reinterpret_cast<VcFault*>(p.fault);
    store_host(&f->rank, p.rank);
    store_host(&f->peer, peer);
    store_host(&f->slot, slot);
    store_host(&f->block, blockIdx.x);
    store_host(&f->position, position);
    store_host(&f->expected, expected);
    store_host(&f->seen, seen);
    fence_system();
    store_host(&f->code, code);
}

VC_COLD __device__ inline void report(const VcParams& p, uint32_t code, uint32_t peer, uint32_t slot, uint32_t position,
                                      uint32_t expected, uint32_t seen) {
    report_inline(p, code, peer, slot, position, expected, seen);
}

// Epochs skip 0: fresh memory is zero and must never look like an arrival.
__device__ __forceinline__ uint32_t epoch_after(uint32_t epoch) { return epoch + 1u == 0u ? 1u : epoch + 1u; }

// Whether launch and parameters fit the kernel; if not, that is reported. To be asked before pdl_wait().
template <int W>
__device__ __forceinline__ bool launch_fits(const VcParams& p, uint32_t least_threads = 1) {
    const bool grid = gridDim.x <= p.max_blocks && p.max_blocks <= VC_MAX_BLOCKS && blockDim.x >= least_threads;
    bool fits = grid && p.world == W && p.rank < W && p.packs != 0u && p.packs <= p.capacity && p.version == VC_ABI_VERSION;
#pragma unroll
    for (int r = 0; r < W; r++) fits = fits && p.region[r] != 0u;
    if (fits) return true;
    pdl_wait();
    if (grid) report(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, W, p.world);
    else report(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, p.max_blocks, gridDim.x);
    return false;
}

// This thread's way to the entry of its block and to the rank's fault word, held before the wait.
struct Bookkeeping {
    VcEntry* entry;
    const uint32_t* fault;
};
__device__ __forceinline__ Bookkeeping bookkeeping(const VcParams& p) {
    return Bookkeeping{held(entry_at(p, blockIdx.x)), held(&control_of(p)->fault)};
}

// Which call this is; after pdl_wait(). False: an earlier call failed. Then nothing may be sent: nobody is to take a
// failed rank for a present one.
template <uint32_t kSlots>
__device__ __forceinline__ bool begin(const Bookkeeping& own, Call& call) {
    const Pack entry = load_entry(own.entry);
    const uint32_t fault = load_control_word(own.fault);
    call.epoch = epoch_after(entry.x);
    call.previous_slot = entry.y;
    call.slot = entry.y + 1u == kSlots ? 0u : entry.y + 1u;
    call.dirty_packs = entry.z;
    call.older_packs = entry.w;
    return fault == VC_OK;
}

// Makes this call the last one for the next grid; after a block_barrier() that follows begin().
__device__ __forceinline__ void advance(const VcParams& p, const Bookkeeping& own, const Call& call) {
    for (uint32_t ahead = threadIdx.x * gridDim.x; blockIdx.x + ahead < p.max_blocks; ahead += grid_threads())
        store_entry(own.entry + ahead, Pack{call.epoch, call.slot, p.packs, call.dirty_packs});
}

// A bounded spin: `while (!arrived()) if (!wait.again(p)) { report(...); break; }`.
struct Wait {
    uint32_t spins = 0;
    uint64_t since = 0;

    // False once the deadline has passed or another thread of this rank has failed. The clock is read every 256 spins
    // (a spin is an L2 round trip, 0.3 us), so the deadline costs nothing in a call that goes well.
    __device__ __forceinline__ bool again(const VcParams& p) {
        spin_pause();
        if ((++spins & 255u) != 0u) return true;
        if (load_control_word(&control_of(p)->fault) != VC_OK) return false;
        const uint64_t now = now_nanos();
        if (since == 0) since = now;
        return now - since <= p.deadline_nanos;
    }
};

// ---- barrier of the same block on all ranks (pull algorithms) -----------------------------------------------------------
// flags[phase][block][source]: the value is the epoch, so there is nothing to reset, and the test is equality: a flag
// left behind before a grid change is never taken for a new one (an ordered test would take it, 2^31 calls later). That
// needs flags that are never ahead of their reader. With two barriers a call they are not: nobody passes the second
// before all have passed the first. An algorithm with one barrier a call must use two phases in turn (floor_flag does;
// the emulation found the hang when it didn't).
__device__ __forceinline__ uint32_t* flag_at(const VcParams& p, uint32_t owner, uint32_t phase, uint32_t source) {
    const uint64_t index = (uint64_t(phase) * VC_MAX_BLOCKS + blockIdx.x) * VC_MAX_WORLD + source;
    return region_at<uint32_t>(p, owner, VC_FLAGS_OFFSET + 4u * index);
}

enum class Order { kBoundary, kRelease };

// What one thread does at these barriers: thread t sends to rank t and awaits rank t's flag. Made before pdl_wait().
template <int W>
struct Flags {
    bool talks;
    uint32_t* to[VC_FLAG_PHASES] = {};
    uint32_t* from[VC_FLAG_PHASES] = {};

    __device__ __forceinline__ Flags(const VcParams& p, uint32_t rank) : talks(threadIdx.x < W && threadIdx.x != rank) {
        if (!talks) return;
#pragma unroll
        for (uint32_t phase = 0; phase < VC_FLAG_PHASES; phase++) {
            to[phase] = held(flag_at(p, threadIdx.x, phase, rank));
            from[phase] = held(flag_at(p, rank, phase, threadIdx.x));
        }
    }

    template <Order kOrder>
    __device__ __forceinline__ void send(uint32_t phase, uint32_t epoch) const {
        if (!talks) return;
        uint32_t* at = phase == 0u ? to[0] : to[1];  // a chosen register, not an array in memory
        if (kOrder == Order::kRelease) store_flag_release(at, epoch);
        else store_flag_boundary(at, epoch);
    }
    template <Order kOrder>
    __device__ __forceinline__ bool await(const VcParams& p, uint32_t phase, uint32_t epoch) const {
        if (!talks) return true;
        const uint32_t* at = phase == 0u ? from[0] : from[1];
        Wait wait;
        while (true) {
            const uint32_t seen = kOrder == Order::kRelease ? load_flag_acquire(at) : load_flag_boundary(at);
            if (seen == epoch) return true;
            if (!wait.again(p)) {
                report(p, VC_FAULT_DEADLINE, threadIdx.x, phase, blockIdx.x, epoch, seen);
                return false;
            }
        }
    }
};

}  // namespace vc
