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
    pdl_wait();
    Call call;
    if (!begin<W, 2>(p, call) || !flags_fit<W>(p)) return;
    // One barrier a call, so a peer may be in the next call before its flag of this one has been seen: two words in turn.
    const uint32_t phase = call.slot;
    send_flag<W, Order::kBoundary>(p, phase, call.epoch);
    pdl_trigger();
    block_barrier();
    const uint32_t count = count_block(p);
    await_flag<W, Order::kBoundary>(p, phase, call.epoch);
    conclude(p, call, count);
}

// A pack that is its own epoch.
struct EpochPack {
    static constexpr uint32_t kSlots = 2;
    static constexpr uint64_t kBytes = 16;
    using Raw = Pack;
    __device__ static __forceinline__ Raw load(const char* area, uint64_t, uint32_t i) {
        return load_pack(reinterpret_cast<const Pack*>(area) + i);
    }
    __device__ static __forceinline__ bool arrived(const Raw& r, uint32_t epoch) {
        return r.x == epoch && r.y == epoch && r.z == epoch && r.w == epoch;
    }
    __device__ static __forceinline__ Pack payload(const Raw& r) { return r; }
    __device__ static uint32_t seen(const Raw& r) { return r.x; }
};

template <int W>
__device__ __forceinline__ void floor_exchange(const VcParams& p) {
    const uint32_t first = grid_thread(), step = grid_threads();
    const uint64_t area = p.capacity * EpochPack::kBytes;
    pdl_wait();
    Call call;
    if (!begin<W, EpochPack::kSlots>(p, call)) return;
    const uint64_t slot = VC_SLOTS_OFFSET + call.slot * W * area;
    const Pack v{call.epoch, call.epoch, call.epoch, call.epoch};
    for (uint32_t i = first; i < p.packs; i += step)
#pragma unroll
        for (int k = 1; k < W; k++)
            store_pack(region_at<Pack>(p, (p.rank + k) % W, slot + p.rank * area) + i, v);
    block_barrier();
    pdl_trigger();
    const uint32_t count = count_block(p);
    for (uint32_t i = first; i < p.packs; i += step) {
        Pack got[W];
        if (!receive<EpochPack, W>(p, call, region_at<char>(p, p.rank, slot), p.capacity, i, peers<W>(p), v, got)) return;
    }
    conclude(p, call, count);
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
