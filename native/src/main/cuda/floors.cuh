// Floors: what a call can't be faster than on this box, each a kernel like any other (same launch, same control area).
//
//   empty      a node that does nothing
//   flag       one thread per peer sends one flag and awaits one: the least synchronising call (one thread at world 2)
//   exchange   a sentinel call without reading the input and without writing the output: same grid, same bytes on the
//              links. Each pack is {e e e e}, so there is nothing to reset and two slots do.
//   copy       input to output within this rank
#pragma once

#include "push.cuh"

namespace vc {

__device__ __forceinline__ void floor_empty() {
    pdl_wait();
    pdl_trigger();
}

template <int W>
__device__ __forceinline__ void floor_flag(const VcParams& p) {
    if (!launch_fits<W>(p, W)) return;
    const Bookkeeping own = bookkeeping(p);
    const Flags<W> flags(p, held(p.rank));
    pdl_wait();
    Call call;
    if (!begin<2>(own, call)) return;
    // One barrier a call, so a peer may be in the next call before its flag of this one has been seen: two words in turn.
    const uint32_t phase = call.slot;
    flags.template send<Order::kBoundary>(phase, call.epoch);
    pdl_trigger();
    block_barrier();
    advance(p, own, call);
    flags.template await<Order::kBoundary>(p, phase, call.epoch);
}

// A pack that is its own epoch.
struct EpochPack {
    static constexpr uint32_t kSlots = 2;
    static constexpr bool kClears = false;
    static constexpr uint64_t kBytes = 16;
    using Raw = Pack;
    __device__ static __forceinline__ Pack sendable(Pack v) { return v; }
    __device__ static __forceinline__ void send(char* area, uint64_t, uint32_t i, Pack, uint32_t e) {
        store_pack(reinterpret_cast<Pack*>(area) + i, Pack{e, e, e, e});
    }
    __device__ static __forceinline__ Raw load(const char* area, uint64_t, uint32_t i) {
        return load_pack(reinterpret_cast<const Pack*>(area) + i);
    }
    __device__ static __forceinline__ bool arrived(const Raw& r, uint32_t epoch) {
        return r.x == epoch && r.y == epoch && r.z == epoch && r.w == epoch;
    }
    __device__ static __forceinline__ Pack payload(const Raw& r) { return r; }
    __device__ static uint32_t seen(const Raw& r) { return r.x; }
    __device__ static void clear(char*, uint32_t) {}
};

template <int W>
__device__ __forceinline__ void floor_exchange(const VcParams& p) {
    one_shot_push<F32, W, EpochPack, Place::kRegions, false>(p);
}

__device__ __forceinline__ void floor_copy(const VcParams& p) {
    const Pack* input = reinterpret_cast<const Pack*>(p.input);
    Pack* output = reinterpret_cast<Pack*>(p.output);
    pdl_wait();
    pdl_trigger();
    for (uint32_t i = grid_thread(); i < p.packs; i += grid_threads()) store_output(output + i, load_input(input + i));
}

// Keeps one thread busy for a given time: to give ranks a known skew. globaltimer counts nanoseconds whatever the clock
// does; it steps by up to 1 us, so ask for 5 us or more.
__device__ __forceinline__ void spin(const VcSpin& s) {
    pdl_wait();
    pdl_trigger();
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const uint64_t start = now_nanos();
    while (now_nanos() - start < s.nanos) spin_pause();
}

}  // namespace vc
