// The two push algorithms, written once over a Wire (wire.cuh). The files one_shot_ll.cuh, one_shot_sentinel.cuh,
// two_shot_ll.cuh, two_shot_sentinel.cuh, host_ll.cuh and host_sentinel.cuh draw what each pair does and name it.
//
// Thread t of block b handles the same packs on every rank, in every step. So a block only ever waits for the block of
// the same number, and ranks must launch the same grid for the same call (they do: the plan fixes it).
#pragma once

#include "wire.cuh"

namespace vc {

// Where the slots lie: every rank's own region (pushed to W - 1 peers), or one board in host memory (written once).
enum class Place { kRegions, kBoard };

// kData false: neither reads the input nor writes the output (floor_exchange).
//
// A thread's first pack is handled in straight-line code at world 2: the usual grid has one a thread (-0.05 us).
template <class T, int W, class Wire, Place kPlace = Place::kRegions, bool kData = true>
__device__ __forceinline__ void one_shot_push(const VcParams& p) {
    constexpr int kTargets = kPlace == Place::kBoard ? 1 : W - 1;
    constexpr uint64_t kSlotsAt = kPlace == Place::kBoard ? 0 : VC_SLOTS_OFFSET;
    if (!launch_fits<W>(p)) return;
    const Bookkeeping own = bookkeeping(p);
    const uint32_t rank = held(p.rank), packs = held(p.packs), capacity = held(p.capacity);
    const uint64_t area = held(capacity * Wire::kBytes);
    const uint32_t first = grid_thread(), step = grid_threads();
    const Pack* input = held(reinterpret_cast<const Pack*>(p.input) + first);  // of this thread
    Pack* output = held(reinterpret_cast<Pack*>(p.output) + first);
    char* target[kTargets];  // own area in the first slot of each peer, nearest rank above first
#pragma unroll
    for (int k = 0; k < kTargets; k++)
        target[k] = held(region_at<char>(p, (rank + k + 1u) % W, kSlotsAt + rank * area));
    char* own_slots = held(region_at<char>(p, rank, kSlotsAt));

    pdl_wait();
    const bool busy = first < packs;
    Pack mine{0, 0, 0, 0};
    if (kData && busy) mine = load_input(input);
    Call call;
    if (!begin<Wire::kSlots>(own, call)) return;
    mine = Wire::sendable(mine);
    const uint64_t slot = call.slot * W * area;
    const auto pack_at = [&](uint32_t i) { return kData ? Wire::sendable(load_input(input + (i - first))) : mine; };

    // 1. send everything, so that all of it is in flight at once
    const auto send = [&](uint32_t i, Pack v) {
#pragma unroll
        for (int k = 0; k < kTargets; k++) Wire::send(target[k] + slot, capacity, i, v, call.epoch);
    };
    if (busy) send(first, mine);
    for (uint32_t i = first + step; i < packs; i += step) send(i, pack_at(i));
    pdl_trigger();
    block_barrier();
    advance(p, own, call);

    // 2. while it travels, reset what the previous call left; on the board, what this rank wrote in the one before that
    if (Wire::kClears && kPlace == Place::kRegions) {
        char* previous = own_slots + call.previous_slot * W * area;
        for (uint32_t i = first; i < call.dirty_packs; i += step)
#pragma unroll
            for (int r = 0; r < W; r++)
                if (r != int(rank)) Wire::clear(previous + r * area, i);
    }
    if (Wire::kClears && kPlace == Place::kBoard) {
        char* older = target[0] + (call.slot + Wire::kSlots - 2u) % Wire::kSlots * W * area;
        for (uint32_t i = first; i < call.older_packs; i += step) Wire::clear(older, i);
    }

    // 3. take each pack from all ranks, sum, write
    const auto finish = [&](uint32_t i, Pack from_here) {
        Pack v[W];
        if (!receive<Wire, W>(p, call, own_slots + slot, capacity, rank, i, peers<W>(rank), from_here, v)) return false;
        if (kData) store_output(output + (i - first), sum_in_rank_order<T, W>(v));
        return true;
    };
    if (W == 2 && busy && !finish(first, mine)) return;
    // In larger worlds the polls need the registers (LL at world 8 spilled): one loop, and the own pack is read again.
    for (uint32_t i = W == 2 ? first + step : first; i < packs; i += step)
        if (!finish(i, pack_at(i))) return;
}

// A two-shot slot: W scatter areas (from each source, its share of my part), then W gather areas (each owner's sums).
template <class T, int W, class Wire>
__device__ __forceinline__ void two_shot_push(const VcParams& p) {
    const Pack* input = reinterpret_cast<const Pack*>(p.input);
    Pack* output = reinterpret_cast<Pack*>(p.output);
    if (!launch_fits<W>(p)) return;
    const Bookkeeping own = bookkeeping(p);
    const uint32_t rank = held(p.rank), first = grid_thread(), step = grid_threads();
    const uint32_t part = vc_part_packs(p.packs, W);
    const uint64_t area_packs = vc_part_packs(p.capacity, W), area = area_packs * Wire::kBytes;
    char* own_slots = region_at<char>(p, rank, VC_SLOTS_OFFSET);
    const uint32_t mine_at = rank * part;
    const uint32_t mine = mine_at >= p.packs ? 0u : (p.packs - mine_at < part ? p.packs - mine_at : part);

    pdl_wait();
    Call call;
    if (!begin<Wire::kSlots>(own, call)) return;
    const uint64_t slot = call.slot * 2u * W * area;

    // 1. scatter: to every owner the packs of its part; all loads first, they would wait for each other's stores
    for (uint32_t i = first; i < part; i += step) {
        Pack v[W];
#pragma unroll
        for (int k = 1; k < W; k++) {
            const uint32_t at = (rank + k) % W * part + i;
            if (at < p.packs) v[k] = load_input(input + at);
        }
#pragma unroll
        for (int k = 1; k < W; k++) {
            const uint32_t owner = (rank + k) % W;
            if (owner * part + i < p.packs)
                Wire::send(region_at<char>(p, owner, VC_SLOTS_OFFSET + slot + rank * area), area_packs, i,
                           Wire::sendable(v[k]), call.epoch);
        }
    }
    pdl_trigger();
    block_barrier();
    advance(p, own, call);

    // 2. meanwhile reset what the previous call left: its split may have been another
    if (Wire::kClears) {
        char* previous = own_slots + call.previous_slot * 2u * W * area;
        const uint32_t old_part = vc_part_packs(call.dirty_packs, W);
        for (uint32_t i = first; i < old_part; i += step)
#pragma unroll
            for (int r = 0; r < 2 * W; r++) Wire::clear(previous + r * area, i);
    }

    // 3. sum the own part, round once, broadcast the rounded packs
    for (uint32_t i = first; i < mine; i += step) {
        const Pack from_here = Wire::sendable(load_input(input + mine_at + i));
        Pack v[W];
        if (!receive<Wire, W>(p, call, own_slots + slot, area_packs, rank, i, peers<W>(rank), from_here, v)) return;
        const Pack sum = Wire::sendable(sum_in_rank_order<T, W>(v));
#pragma unroll
        for (int k = 1; k < W; k++)
            Wire::send(region_at<char>(p, (rank + k) % W, VC_SLOTS_OFFSET + slot + (W + rank) * area), area_packs,
                       i, sum, call.epoch);
        store_output(output + mine_at + i, sum);
    }

    // 4. gather the other parts; parts at the end may be short, so each owner is asked for what it has
    for (uint32_t i = first; i < part && i < p.packs; i += step) {
        const uint32_t owners = (p.packs - i + part - 1u) / part;  // owners 0 .. owners-1 have a pack i
        const uint32_t missing = peers<W>(rank) & ((1u << owners) - 1u);
        Pack v[W];
        if (!receive<Wire, W>(p, call, own_slots + slot + W * area, area_packs, rank, i, missing, Pack{0, 0, 0, 0}, v))
            return;
#pragma unroll
        for (int r = 0; r < W; r++)
            if (missing >> r & 1u) store_output(output + r * part + i, v[r]);
    }
}

}  // namespace vc
