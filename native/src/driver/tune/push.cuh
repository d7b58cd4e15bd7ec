// one_shot_push (main/cuda/push.cuh) with the switches of call.cuh.
#pragma once

#include "call.cuh"

namespace tune {

// Bare packs that carry their epoch in the last word: wrong sums, but no slot to clear. For floors and stage-outs.
struct Tagged {
    static constexpr uint32_t kSlots = 2;
    static constexpr bool kClears = false;
    static constexpr uint64_t kBytes = 16;
    using Raw = Pack;
    __device__ static __forceinline__ Pack sendable(Pack v) { return v; }
    __device__ static __forceinline__ void send(char* area, uint64_t, uint32_t i, Pack v, uint32_t epoch) {
        store_pack(reinterpret_cast<Pack*>(area) + i, Pack{v.x, v.y, v.z, epoch});
    }
    __device__ static __forceinline__ Raw load(const char* area, uint64_t, uint32_t i) {
        return load_pack(reinterpret_cast<const Pack*>(area) + i);
    }
    __device__ static __forceinline__ bool arrived(const Raw& r, uint32_t epoch) { return r.w == epoch; }
    __device__ static __forceinline__ Pack payload(const Raw& r) { return r; }
    __device__ static uint32_t seen(const Raw& r) { return r.w; }
    __device__ static void clear(char*, uint32_t) {}
};

// World 2: the one peer's pack, Polls<F>::kCount polls in flight. (No array of them: it would go to local memory.)
template <class Wire, unsigned F>
__device__ __forceinline__ bool take_one(const VcParams& p, const Call& call, const char* area, uint64_t area_packs,
                                         uint32_t peer, uint32_t i, Pack& other) {
    constexpr int K = Polls<F>::kCount;
    using Raw = typename Wire::Raw;
    Patience<F> patience;
    Raw a = Wire::load(area, area_packs, i), b{}, c{};
    if (K > 1) {
        pause_cycles(kRoundTripCycles / K);
        b = Wire::load(area, area_packs, i);
    }
    if (K > 2) {
        pause_cycles(kRoundTripCycles / K);
        c = Wire::load(area, area_packs, i);
    }
    while (true) {
        if (Wire::arrived(a, call.epoch)) break;
        if (!patience.again(p)) {
            report_as<F>(p, VC_FAULT_DEADLINE, peer, call.slot, i, call.epoch, Wire::seen(a));
            return false;
        }
        a = Wire::load(area, area_packs, i);
        if (K > 1) {
            if (Wire::arrived(b, call.epoch)) {
                a = b;
                break;
            }
            b = Wire::load(area, area_packs, i);
        }
        if (K > 2) {
            if (Wire::arrived(c, call.epoch)) {
                a = c;
                break;
            }
            c = Wire::load(area, area_packs, i);
        }
    }
    other = Wire::payload(a);
    return true;
}

template <class Wire, int W>
__device__ __forceinline__ void load_all(typename Wire::Raw (&raw)[W], const char* areas, uint64_t area_packs,
                                         uint32_t rank, uint32_t i) {
#pragma unroll
    for (int r = 0; r < W; r++)
        if (r != int(rank)) raw[r] = Wire::load(areas + r * area_packs * Wire::kBytes, area_packs, i);
}
template <class Wire, int W>
__device__ __forceinline__ bool have_all(const typename Wire::Raw (&raw)[W], uint32_t rank, uint32_t epoch, Pack own,
                                         Pack (&v)[W]) {
    bool all = true;
#pragma unroll
    for (int r = 0; r < W; r++) all = all && (r == int(rank) || Wire::arrived(raw[r], epoch));
    if (!all) return false;
#pragma unroll
    for (int r = 0; r < W; r++) v[r] = r == int(rank) ? own : Wire::payload(raw[r]);
    return true;
}

// Any world: what has arrived stays, so a round that finds everything is enough, and needs no mask.
template <class Wire, int W, unsigned F>
__device__ __forceinline__ bool take_all(const VcParams& p, const Call& call, const char* areas, uint64_t area_packs,
                                         uint32_t rank, uint32_t i, Pack own, Pack (&v)[W]) {
    constexpr int K = Polls<F>::kCount;
    static_assert(K <= 2, "three rounds of a large world don't fit the registers");
    typename Wire::Raw a[W], b[W];
    Patience<F> patience;
    load_all<Wire, W>(a, areas, area_packs, rank, i);
    if (K > 1) {
        pause_cycles(kRoundTripCycles / K);
        load_all<Wire, W>(b, areas, area_packs, rank, i);
    }
    while (true) {
        if (have_all<Wire, W>(a, rank, call.epoch, own, v)) return true;
        if (!patience.again(p)) {
#pragma unroll
            for (int r = 0; r < W; r++)
                if (r != int(rank) && !Wire::arrived(a[r], call.epoch))
                    report_as<F>(p, VC_FAULT_DEADLINE, r, call.slot, i, call.epoch, Wire::seen(a[r]));
            return false;
        }
        load_all<Wire, W>(a, areas, area_packs, rank, i);
        if (K > 1) {
            if (have_all<Wire, W>(b, rank, call.epoch, own, v)) return true;
            load_all<Wire, W>(b, areas, area_packs, rank, i);
        }
    }
}

template <class Wire, int W, unsigned F>
__device__ __forceinline__ bool take(const VcParams& p, const Call& call, const char* areas, uint64_t area_packs,
                                     uint32_t rank, uint32_t i, Pack own, Pack (&v)[W]) {
    if constexpr (W == 2) {
        const uint32_t peer = 1u - rank;
        Pack other;
        const char* area = areas + peer * area_packs * Wire::kBytes;
        if (!take_one<Wire, F>(p, call, area, area_packs, peer, i, other)) return false;
        v[0] = rank == 0 ? own : other;
        v[1] = rank == 0 ? other : own;
        return true;
    } else if constexpr ((F & (kSimple | kPoll2 | kPoll3)) != 0) {
        return take_all<Wire, W, F>(p, call, areas, area_packs, rank, i, own, v);
    } else {
        return receive<Wire, W>(p, call, areas, area_packs, i, peers<W>(p), own, v);
    }
}

template <class T, int W, class Wire, unsigned F>
__device__ __forceinline__ void push(const VcParams& p) {
    const uint32_t zero = (F & kHeld) ? opaque_zero() : 0u;
    uint32_t rank = p.rank + zero, packs = p.packs + zero, capacity = p.capacity + zero;
    uint64_t control = p.control + zero, area = capacity * Wire::kBytes;
    const uint32_t first = grid_thread(), step = grid_threads();
    const Pack* input = reinterpret_cast<const Pack*>(p.input + zero) + first;  // of this thread
    Pack* output = reinterpret_cast<Pack*>(p.output + zero) + first;
    char* target[W - 1];
#pragma unroll
    for (int k = 0; k < W - 1; k++) target[k] = region_at<char>(p, (rank + k + 1u) % W, VC_SLOTS_OFFSET + rank * area) + zero;
    char* own_slots = region_at<char>(p, rank, VC_SLOTS_OFFSET) + zero;
    if (F & kHeld) {
        held(rank), held(packs), held(capacity), held(control), held(area), held(input), held(output), held(own_slots);
#pragma unroll
        for (int k = 0; k < W - 1; k++) held(target[k]);
    }
    State s;
    if (!before_wait<W, Wire::kSlots, F>(p, control, s)) return;

    pdl_wait();
    if (F & kTriggerWait) pdl_trigger();
    const bool busy = first < packs;
    Pack mine{0, 0, 0, 0};
    if (!(F & kNoData) && busy) mine = load_input(input);
    if (F & kTriggerLoad) pdl_trigger();
    if (!begin_call<W, Wire::kSlots, F>(p, control, s)) return;
    const Call& call = s.call;
    mine = Wire::sendable(mine);
    const uint64_t slot = call.slot * W * area;
    const auto pack_at = [&](uint32_t i) {
        return i == first || (F & kNoData) ? mine : Wire::sendable(load_input(input + (i - first)));
    };
    const auto send = [&](uint32_t i, Pack v) {
#pragma unroll
        for (int k = 0; k < W - 1; k++) Wire::send(target[k] + slot, capacity, i, v, call.epoch);
    };

    if (F & kPeeled) {
        if (busy) send(first, mine);
        for (uint32_t i = first + step; i < packs; i += step) send(i, pack_at(i));
    } else {
        for (uint32_t i = first; i < packs; i += step) send(i, pack_at(i));
    }
    before_trigger<F>(control, s);
    if (F & kTriggerOwn) pdl_trigger();
    if (!(F & kFrozen)) block_barrier();
    if (!(F & (kTriggerWait | kTriggerLoad | kTriggerOwn))) pdl_trigger();
    if (!advance<F>(p, control, s)) return;

    if (Wire::kClears) {
        char* previous = own_slots + call.previous_slot * W * area;
        for (uint32_t i = first; i < call.dirty_packs; i += step)
#pragma unroll
            for (int r = 0; r < W; r++)
                if (r != int(rank)) Wire::clear(previous + r * area, i);
    }

    const auto finish = [&](uint32_t i, Pack own) {
        Pack v[W];
        if (!take<Wire, W, F>(p, call, own_slots + slot, capacity, rank, i, own, v)) return false;
        if (!(F & kNoData)) store_output(output + (i - first), sum_in_rank_order<T, W>(v));
        return true;
    };
    if (F & kPeeled) {
        if (busy && !finish(first, mine)) return;
        for (uint32_t i = first + step; i < packs; i += step)
            if (!finish(i, pack_at(i))) return;
    } else {
        for (uint32_t i = first; i < packs; i += step)
            if (!finish(i, pack_at(i))) return;
    }
    end_call<F>(p, s);
}

}  // namespace tune
