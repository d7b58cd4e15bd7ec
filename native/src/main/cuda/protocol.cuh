// What all algorithms share: which call this is, who advances that, and how a wait ends.
//
// The call number (epoch) lives in the owner's control area, so a graph replay advances it; parameters are frozen at
// capture and can't. It is per call, not per block: per-block counters part ways as soon as the grid changes.
//
//   every thread      read {epoch, slot, last_packs, fault}            one 16-byte load, beside the load of the input
//   every block       block_barrier(), then thread 0 counts it in `arrived`
//   the last block    writes epoch + 1 and the slot after it: all have read by then; the next grid reads after this one
#pragma once

#include "dtype.cuh"

namespace vc {

struct Call {
    uint32_t epoch;
    uint32_t slot;
    uint32_t previous_slot;
    uint32_t dirty_packs;  // size of the previous call
};

__device__ __forceinline__ VcControl* control_of(const VcParams& p) { return reinterpret_cast<VcControl*>(p.control); }

// Device address `offset` bytes into rank r's region.
template <class T>
__device__ __forceinline__ T* region_at(const VcParams& p, uint32_t r, uint64_t offset) {
    return reinterpret_cast<T*>(p.region[r] + offset);
}

// First failure wins; the record's code is written last, so a host that sees it sees the rest.
__device__ inline void report(const VcParams& p, uint32_t code, uint32_t peer, uint32_t slot, uint32_t position,
                              uint32_t expected, uint32_t seen) {
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

// Epochs skip 0: fresh memory is zero and must never look like an arrival.
__device__ __forceinline__ uint32_t epoch_after(uint32_t epoch) { return epoch + 1u == 0u ? 1u : epoch + 1u; }

// Which call this is. False: an earlier call failed, or the launch doesn't fit the kernel (then reported).
template <int W, uint32_t kSlots>
__device__ __forceinline__ bool begin(const VcParams& p, Call& call) {
    const Pack c = load_control(control_of(p));
    call.epoch = epoch_after(c.x);
    call.previous_slot = c.y;
    call.slot = c.y + 1u == kSlots ? 0u : c.y + 1u;
    call.dirty_packs = c.z;
    if (c.w != VC_OK) return false;
    if (p.world != W || p.rank >= W || p.packs == 0u || p.packs > p.capacity || p.version != VC_ABI_VERSION) {
        report(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, W, p.world);
        return false;
    }
    return true;
}

// Counts this block as having read the control area; call it after a block_barrier() that follows begin(). The answer
// is used only by conclude(), so that no thread waits for the atomic while it could poll.
__device__ __forceinline__ uint32_t count_block(const VcParams& p) {
    return threadIdx.x == 0 ? increment_wrapping(&control_of(p)->arrived, gridDim.x - 1u) : gridDim.x;
}
__device__ __forceinline__ void conclude(const VcParams& p, const Call& call, uint32_t count) {
    if (count != gridDim.x - 1u) return;
    VcControl* c = control_of(p);  // not the fault word: another block may be writing it
    store_control(&c->epoch, call.epoch);
    store_control(&c->slot, call.slot);
    store_control(&c->last_packs, p.packs);
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

template <int W, Order kOrder>
__device__ __forceinline__ void send_flag(const VcParams& p, uint32_t phase, uint32_t epoch) {
    if (threadIdx.x >= W || threadIdx.x == p.rank) return;
    uint32_t* to = flag_at(p, threadIdx.x, phase, p.rank);
    if (kOrder == Order::kRelease) store_flag_release(to, epoch);
    else store_flag_boundary(to, epoch);
}
template <int W, Order kOrder>
__device__ __forceinline__ bool await_flag(const VcParams& p, uint32_t phase, uint32_t epoch) {
    if (threadIdx.x >= W || threadIdx.x == p.rank) return true;
    const uint32_t* from = flag_at(p, p.rank, phase, threadIdx.x);
    Wait wait;
    while (true) {
        const uint32_t seen = kOrder == Order::kRelease ? load_flag_acquire(from) : load_flag_boundary(from);
        if (seen == epoch) return true;
        if (!wait.again(p)) {
            report(p, VC_FAULT_DEADLINE, threadIdx.x, phase, blockIdx.x, epoch, seen);
            return false;
        }
    }
}

// Grids of the pull algorithms: a flag for every block, a thread for every rank.
template <int W>
__device__ __forceinline__ bool flags_fit(const VcParams& p) {
    if (gridDim.x <= VC_MAX_BLOCKS && blockDim.x >= W) return true;
    report(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, VC_MAX_BLOCKS, gridDim.x);
    return false;
}

}  // namespace vc
