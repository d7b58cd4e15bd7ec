// The two ways in which a pack says for itself that it has arrived. A Wire puts packs into a peer's slot and takes them
// out of the own one; the push algorithms are written over it.
//
//   Ll         16 bytes of payload -> two lines {d0 e d1 e} {d2 e d3 e}, e = epoch. Twice the bytes, nothing to reset,
//              any payload. 8 bytes (data and its epoch) are one access, so a line may arrive in halves.
//   Sentinel   16 bytes -> the same 16 bytes; a 32-bit word of all ones means "not arrived". Once the bytes, but the
//              receiver resets the slot of the previous call, and there are three slots in rotation.
//
// Sentinel and special values. All ones is a NaN in bf16, fp16 (both halves) and fp32, so only NaNs are touched: a word
// 0xFFFFFFFF is sent as 0xFFFFFFFE, again a NaN in each of its elements. +0, -0, subnormals and infinities go through
// bit for bit. (FlashInfer and SGLang use +0 as the sentinel and turn data's +0 into -0; their test per 16 bytes needs
// 16-byte stores that arrive whole. Here each of the four words is tested, as integers: a float comparison flushes
// subnormals and hung once, flashinfer#3304.)
//
// Why the slots suffice. Every output depends on every input, so a rank that has finished call n+1 knows that every
// rank has begun n+1, i.e. has completed its grid of call n (pdl_wait comes before the sends). A rank in call n+2 may
// therefore overwrite what was read in call n (Ll: two slots), and slots that were cleared in call n (Sentinel: call n
// clears slot n-1, which is next written in call n+2: three slots). Where all ranks read the same copy (BoardSentinel) the writer
// clears, and only what all have read: call n clears slot n-2, whose calls all ranks have completed, and everyone in call
// n+2 knows that all have completed call n, clearing included: four slots.
#pragma once

#include "protocol.cuh"

namespace vc {

struct Ll {
    static constexpr uint32_t kSlots = 2;
    static constexpr bool kClears = false;
    static constexpr uint64_t kBytes = 32;  // on the wire, per pack
    struct Raw {
        Line low, high;
    };

    __device__ static Pack sendable(Pack v) { return v; }
    // Low halves of all packs, then high halves: a warp's store covers 512 consecutive bytes either way.
    __device__ static __forceinline__ void send(char* area, uint64_t area_packs, uint32_t i, Pack v, uint32_t epoch) {
        const uint64_t e = uint64_t(epoch) << 32;
        Line* at = reinterpret_cast<Line*>(area) + i;
        store_line(at, Line{e | v.x, e | v.y});
        store_line(at + area_packs, Line{e | v.z, e | v.w});
    }
    __device__ static __forceinline__ Raw load(const char* area, uint64_t area_packs, uint32_t i) {
        const Line* at = reinterpret_cast<const Line*>(area) + i;
        return Raw{load_line(at), load_line(at + area_packs)};
    }
    __device__ static __forceinline__ bool arrived(const Raw& r, uint32_t epoch) {
        return uint32_t(r.low.a >> 32) == epoch && uint32_t(r.low.b >> 32) == epoch &&
               uint32_t(r.high.a >> 32) == epoch && uint32_t(r.high.b >> 32) == epoch;
    }
    __device__ static __forceinline__ Pack payload(const Raw& r) {
        return Pack{uint32_t(r.low.a), uint32_t(r.low.b), uint32_t(r.high.a), uint32_t(r.high.b)};
    }
    __device__ static uint32_t seen(const Raw& r) { return uint32_t(r.low.a >> 32); }
    __device__ static void clear(char*, uint32_t) {}
};

struct Sentinel {
    static constexpr uint32_t kSlots = 3;
    static constexpr bool kClears = true;
    static constexpr uint64_t kBytes = 16;
    static constexpr uint32_t kAbsent = 0xFFFFFFFFu;
    using Raw = Pack;

    __device__ static __forceinline__ uint32_t sendable(uint32_t word) { return word < kAbsent ? word : kAbsent - 1u; }
    __device__ static __forceinline__ Pack sendable(Pack v) {
        return Pack{sendable(v.x), sendable(v.y), sendable(v.z), sendable(v.w)};
    }
    __device__ static __forceinline__ void send(char* area, uint64_t, uint32_t i, Pack v, uint32_t) {
        store_pack(reinterpret_cast<Pack*>(area) + i, v);
    }
    __device__ static __forceinline__ Raw load(const char* area, uint64_t, uint32_t i) {
        return load_pack(reinterpret_cast<const Pack*>(area) + i);
    }
    __device__ static __forceinline__ bool arrived(const Raw& r, uint32_t) {
        return r.x != kAbsent && r.y != kAbsent && r.z != kAbsent && r.w != kAbsent;
    }
    __device__ static __forceinline__ Pack payload(const Raw& r) { return r; }
    __device__ static uint32_t seen(const Raw& r) { return r.x; }
    __device__ static __forceinline__ void clear(char* area, uint32_t i) {
        store_pack(reinterpret_cast<Pack*>(area) + i, Pack{kAbsent, kAbsent, kAbsent, kAbsent});
    }
};

// On a board that all ranks share (host_sentinel).
struct BoardSentinel : Sentinel {
    static constexpr uint32_t kSlots = 4;
};

// Pack i from every rank in the mask `missing`, waiting for what is not there yet: `areas` holds one area per source
// rank, `area_packs` packs apart. v[rank] becomes `own`; `rank` is p.rank, held. All loads of a round are in flight together (one after the
// other would cost an L2 round trip per peer); a later round repeats only what is missing. False after a fault.
template <class Wire, int W>
__device__ __forceinline__ bool receive(const VcParams& p, const Call& call, const char* areas, uint64_t area_packs,
                                        uint32_t rank, uint32_t i, uint32_t missing, Pack own, Pack (&v)[W]) {
    const uint64_t area_bytes = area_packs * Wire::kBytes;
    Wait wait;
    if (W == 2) {  // one peer: no mask to test between load and test
        if (missing == 0u) return true;
        const uint32_t peer = 1u - rank;
        const char* area = areas + peer * area_bytes;
        typename Wire::Raw raw = Wire::load(area, area_packs, i);
        while (!Wire::arrived(raw, call.epoch)) {
            if (!wait.again(p)) {
                report(p, VC_FAULT_DEADLINE, peer, call.slot, i, call.epoch, Wire::seen(raw));
                return false;
            }
            raw = Wire::load(area, area_packs, i);
        }
        const Pack other = Wire::payload(raw);
        v[0] = rank == 0 ? own : other;
        v[1] = rank == 0 ? other : own;
        return true;
    }
    typename Wire::Raw raw[W] = {};
    while (true) {
#pragma unroll
        for (int r = 0; r < W; r++)
            if (missing >> r & 1u) raw[r] = Wire::load(areas + r * area_bytes, area_packs, i);
#pragma unroll
        for (int r = 0; r < W; r++)
            if ((missing >> r & 1u) && Wire::arrived(raw[r], call.epoch)) missing &= ~(1u << r);
        if (missing == 0u) break;
        if (!wait.again(p)) {
            uint32_t late = 0, seen = 0;
#pragma unroll
            for (int r = W - 1; r >= 0; r--)
                if (missing >> r & 1u) late = r, seen = Wire::seen(raw[r]);
            report_inline(p, VC_FAULT_DEADLINE, late, call.slot, i, call.epoch, seen);  // a call would spill LL at world 8
            return false;
        }
    }
#pragma unroll
    for (int r = 0; r < W; r++) v[r] = r == int(rank) ? own : Wire::payload(raw[r]);
    return true;
}

// All ranks but this one, as a mask for receive().
template <int W>
__device__ __forceinline__ uint32_t peers(uint32_t rank) {
    return ((1u << W) - 1u) & ~(1u << rank);
}

}  // namespace vc
