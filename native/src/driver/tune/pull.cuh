// one_shot_pull (main/cuda/one_shot_pull.cuh) with the switches of call.cuh, the flag floor, and launches without work.
#pragma once

#include "push.cuh"

namespace tune {

template <int W, unsigned F>
__device__ __forceinline__ bool await(const VcParams& p, uint32_t rank, uint32_t* from, uint32_t phase, uint32_t epoch) {
    if (threadIdx.x >= W || threadIdx.x == rank) return true;
    constexpr int K = Polls<F>::kCount;
    uint32_t seen[K];
    Patience<F> patience;
    seen[0] = load_flag_boundary(from);
#pragma unroll
    for (int k = 1; k < K; k++) {
        pause_cycles(kRoundTripCycles / K);
        seen[k] = load_flag_boundary(from);
    }
    while (true) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            if (seen[k] == epoch) return true;
            if (k == K - 1 && !patience.again(p)) {
                report_as<F>(p, VC_FAULT_DEADLINE, threadIdx.x, phase, blockIdx.x, epoch, seen[k]);
                return false;
            }
            seen[k] = load_flag_boundary(from);
        }
    }
}

template <class T, int W, unsigned F>
__device__ __forceinline__ void pull(const VcParams& p) {
    constexpr uint32_t kStart = 0, kEnd = 1;
    const uint32_t zero = (F & kHeld) ? opaque_zero() : 0u;
    uint32_t rank = p.rank + zero, packs = p.packs + zero;
    uint64_t control = p.control + zero;
    Pack* output = reinterpret_cast<Pack*>(p.output + zero);
    const Pack* input[W];
#pragma unroll
    for (int r = 0; r < W; r++) input[r] = reinterpret_cast<const Pack*>(p.peer_input[r] + zero);
    const uint32_t first = grid_thread(), step = grid_threads();
    const bool talks = threadIdx.x < W && threadIdx.x != rank;
    uint32_t* to[2] = {};
    uint32_t* from[2] = {};
    if (talks)
#pragma unroll
        for (uint32_t phase = kStart; phase <= kEnd; phase++) {
            to[phase] = flag_at(p, threadIdx.x, phase, rank) + zero;
            from[phase] = flag_at(p, rank, phase, threadIdx.x) + zero;
        }
    if (F & kHeld) {
        held(rank), held(packs), held(control), held(output);
        held(to[kStart]), held(to[kEnd]), held(from[kStart]), held(from[kEnd]);
#pragma unroll
        for (int r = 0; r < W; r++) held(input[r]);
    }
    State s;
    if (!before_wait<W, 2, F>(p, control, s)) return;

    pdl_wait();
    if (F & kTriggerWait) pdl_trigger();
    if (!begin_call<W, 2, F>(p, control, s)) return;
    const Call& call = s.call;
    if (!(F & (kWarm | kHeld)) && !flags_fit<W>(p)) return;
    // Nobody may take a failed rank for a present one: the rank's fault word stands before the first flag, or (ahead: its
    // load would be what the flag waits for) at least before the wait.
    if ((F & kEntries) && !(F & kNoChecks) && s.fault != VC_OK) return;
    // Without the end barrier a peer may be one call ahead: two words in turn, as floor_flag.
    const uint32_t start = (F & kNoEnd) ? call.slot : kStart;
    if (talks) store_flag_boundary(start == kStart ? to[kStart] : to[kEnd], call.epoch);
    if ((F & kAhead) && !(F & kNoChecks) && s.fault != VC_OK) return;
    before_trigger<F>(control, s);
    if (F & kAhead) block_barrier();
    if (!(F & kTriggerWait)) pdl_trigger();
    if (!block_agrees(await<W, F>(p, rank, start == kStart ? from[kStart] : from[kEnd], start, call.epoch))) return;
    if (!advance<F>(p, control, s)) return;

    if ((F & kEndEarly) && packs <= step) {  // at most one pack a thread
        Pack v[W];
        if (first < packs)
#pragma unroll
            for (int r = 0; r < W; r++) v[r] = load_published(input[r] + first);
        uint32_t used = 0;
        if (first < packs)
#pragma unroll
            for (int r = 0; r < W; r++) used |= v[r].x & v[r].y & v[r].z & v[r].w;
        block_agrees(used != 0x12345678u);  // a barrier that can't be reached before the loads have returned
        if (talks) store_flag_boundary(to[kEnd], call.epoch);
        if (first < packs) store_output(output + first, sum_in_rank_order<T, W>(v));
    } else {
        for (uint32_t i = first; i < packs; i += step) {
            Pack v[W];
#pragma unroll
            for (int r = 0; r < W; r++) v[r] = load_published(input[r] + i);
            store_output(output + i, sum_in_rank_order<T, W>(v));
        }
        if (F & kNoEnd) {
            end_call<F>(p, s);
            return;
        }
        block_barrier();
        if (talks) store_flag_boundary(to[kEnd], call.epoch);
    }
    await<W, F>(p, rank, from[kEnd], kEnd, call.epoch);
    end_call<F>(p, s);
}

// Nothing but the launch, on the grid of a data kernel. kTriggerWait: trigger; else the end of the grid is the trigger.
template <unsigned F>
__device__ __forceinline__ void empty(const VcParams& p) {
    if (F & kWarm) {
        uint64_t all = p.deadline_nanos | p.input | p.output | p.control | p.packs;
        for (uint32_t r = 0; r < VC_MAX_WORLD; r++) all |= p.region[r] | p.peer_input[r];
        if (all == 0) return;
    }
    pdl_wait();
    if (F & kTriggerWait) pdl_trigger();
}

template <unsigned F>
__device__ __forceinline__ void copy(uint64_t from, uint64_t to, uint32_t count) {
    const uint32_t zero = (F & kHeld) ? opaque_zero() : 0u;
    const Pack* input = reinterpret_cast<const Pack*>(from + zero) + grid_thread();
    Pack* output = reinterpret_cast<Pack*>(to + zero) + grid_thread();
    uint32_t busy = grid_thread() < count + zero ? 1u : 0u;
    if (F & kHeld) held(input), held(output), held(busy);
    pdl_wait();
    if (F & kTriggerWait) pdl_trigger();
    if (busy == 0u) return;
    const Pack v = load_input(input);
    if (F & kTriggerLoad) pdl_trigger();
    store_output(output, v);
}

}  // namespace tune
