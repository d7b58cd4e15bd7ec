// What the links between GPUs do, by stores and loads of multiprocessors: the operations of the all-reduce kernels, never a
// memset or a copy, which take other ways (flashinfer#4393: stores collapsed where copies did not).
//
//   flag        one thread on each of two GPUs, to and fro: latency
//   store       every block stores to one of the peers, `rounds` times, all blocks at once: bandwidth, alone (one peer) or to all
//   load        the same, reading
//   write       one block fills the peer's memory with the pattern of this call, by stores of 4, 8 or 16 bytes, then a flag
//   check       one block awaits that flag, compares every word, answers by a flag
//   tear_write  each thread stores {n n n n}, n = 1, 2, ..., over and over to one place in the peer's memory
//   tear_read   each thread reads that place until the last n: words that differ are parts of two stores
//
// write and check: which call it is stands in device memory, so every replay of a graph has another pattern.
// Every wait ends at the deadline and is then in the result.
#pragma once

#include "protocol.cuh"

namespace vc {

__device__ __forceinline__ VcProbeControl* probe_control(uint64_t memory) {
    return reinterpret_cast<VcProbeControl*>(memory);
}
template <class T>
__device__ __forceinline__ T* probe_data(uint64_t memory) {
    return reinterpret_cast<T*>(memory + VC_PROBE_DATA_OFFSET);
}
__device__ __forceinline__ VcProbeResult* probe_result(const VcProbe& p) {
    return reinterpret_cast<VcProbeResult*>(p.result);
}

// As Wait, without a fault word to look at.
struct ProbeWait {
    uint64_t since = 0;
    uint32_t spins = 0;

    __device__ __forceinline__ bool again(const VcProbe& p) {
        spin_pause();
        if ((++spins & 63u) != 0u) return true;
        const uint64_t now = now_nanos();
        if (since == 0) since = now;
        if (now - since <= p.deadline_nanos) return true;
        store_host(&probe_result(p)->code, VC_FAULT_DEADLINE);
        return false;
    }
};

__device__ __forceinline__ bool await_flag(const VcProbe& p, const uint32_t* at, uint32_t value) {
    ProbeWait wait;
    while (load_flag_acquire(at) != value)
        if (!wait.again(p)) return false;
    return true;
}

// Relaxed, as the flags of the kernels: what is timed must be what they do.
__device__ __forceinline__ void probe_flag(const VcProbe& p) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    uint32_t* mine = &probe_control(p.own)->flag;
    uint32_t* theirs = &probe_control(p.peer[0])->flag;
    ProbeWait wait;
    uint64_t start = 0;
    for (uint32_t i = 1; i <= p.warmup + p.rounds; i++) {
        if (i == p.warmup + 1u) start = now_nanos();
        if (p.begins) store_flag_boundary(theirs, i);
        wait.since = 0, wait.spins = 0;
        while (load_flag_boundary(mine) != i)
            if (!wait.again(p)) return;
        if (!p.begins) store_flag_boundary(theirs, i);
    }
    *reinterpret_cast<volatile uint64_t*>(&probe_result(p)->nanos) = now_nanos() - start;
}

// One thread of a block waits until the host has launched all that is to run at the same time.
__device__ __forceinline__ bool gate_opens(const VcProbe& p) {
    bool open = true;
    if (p.gate != 0 && threadIdx.x == 0) open = await_flag(p, reinterpret_cast<const uint32_t*>(p.gate), 1u);
    return block_agrees(open);
}

// Block b is for peer b % peers.
struct Share {
    uint32_t peer, first, step;
    __device__ __forceinline__ explicit Share(const VcProbe& p)
        : peer(blockIdx.x % p.peers), first(blockIdx.x / p.peers * blockDim.x + threadIdx.x),
          step((gridDim.x - peer + p.peers - 1u) / p.peers * blockDim.x) {}
};

__device__ __forceinline__ void note_time(const VcProbe& p, uint64_t start) {
    fence_system();  // the stores have arrived, not only left
    block_barrier();
    if (threadIdx.x != 0) return;
    volatile uint64_t* times = reinterpret_cast<volatile uint64_t*>(&probe_result(p)->block[blockIdx.x]);
    times[0] = start;
    times[1] = now_nanos();
}

__device__ __forceinline__ void probe_store(const VcProbe& p) {
    const Share share(p);
    if (!gate_opens(p)) return;
    const uint64_t start = now_nanos();
    Pack* to = probe_data<Pack>(p.peer[share.peer]);
    for (uint32_t pass = 0; pass < p.rounds; pass++)
        for (uint64_t i = share.first; i < p.bytes / 16; i += share.step) {
            const uint32_t word = uint32_t(i);
            store_pack(to + i, Pack{word, word, word, word});
        }
    note_time(p, start);
}

__device__ __forceinline__ void probe_load(const VcProbe& p) {
    constexpr int kInFlight = 4;
    const Share share(p);
    if (!gate_opens(p)) return;
    const uint64_t start = now_nanos();
    const Pack* from = probe_data<const Pack>(p.peer[share.peer]);
    const uint64_t packs = p.bytes / 16, step = share.step;
    bool all = true;
    for (uint32_t pass = 0; pass < p.rounds; pass++)
        for (uint64_t i = share.first; i < packs; i += kInFlight * step) {
            Pack v[kInFlight] = {};
#pragma unroll
            for (int k = 0; k < kInFlight; k++)
                if (i + k * step < packs) v[k] = load_pack(from + i + k * step);
            all = loaded(v) && all;
        }
    if (block_agrees(all)) note_time(p, start);
}

// ---- integrity -------------------------------------------------------------------------------------------------------

// Word w of call e: every bit changes from call to call (a finaliser of MurmurHash3).
__device__ __forceinline__ uint32_t probe_word(uint32_t e, uint32_t w) {
    uint32_t h = w * 0x9E3779B9u + e * 0x85EBCA6Bu;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}
__device__ __forceinline__ Pack probe_pack(uint32_t e, uint32_t i) {
    return Pack{probe_word(e, 4u * i), probe_word(e, 4u * i + 1u), probe_word(e, 4u * i + 2u), probe_word(e, 4u * i + 3u)};
}

__device__ __forceinline__ void count(uint32_t* at, uint32_t more) {
    if (more == 0u) return;
    uint32_t before = load_control_word(at);
    for (uint32_t seen; (seen = compare_and_swap(at, before, before + more)) != before; before = seen) {}
}

// All threads of the block get this call's number; thread 0 keeps it.
__device__ __forceinline__ uint32_t probe_epoch(const VcProbe& p) {
    uint32_t* at = &probe_control(p.own)->epoch;
    const uint32_t epoch = load_control_word(at) + 1u;
    block_barrier();
    if (threadIdx.x == 0) compare_and_swap(at, epoch - 1u, epoch);
    return epoch;
}

__device__ __forceinline__ void probe_write(const VcProbe& p) {
    const uint32_t epoch = probe_epoch(p), packs = uint32_t(p.bytes / 16);
    Pack* to = probe_data<Pack>(p.peer[0]);
    for (uint32_t i = threadIdx.x; i < packs; i += blockDim.x) {
        const Pack v = probe_pack(epoch, i);
        if (p.width == 16u) {
            store_pack(to + i, v);
        } else if (p.width == 8u) {
            store_line(reinterpret_cast<Line*>(to + i), Line{v.x | uint64_t(v.y) << 32, v.z | uint64_t(v.w) << 32});
        } else {
            uint32_t* words = reinterpret_cast<uint32_t*>(to + i);
            store_flag_boundary(words, v.x), store_flag_boundary(words + 1, v.y);
            store_flag_boundary(words + 2, v.z), store_flag_boundary(words + 3, v.w);
        }
    }
    fence_system();
    block_barrier();
    if (threadIdx.x != 0) return;
    store_flag_release(&probe_control(p.peer[0])->flag, epoch);
    await_flag(p, &probe_control(p.own)->flag, epoch);
}

__device__ __forceinline__ void probe_check(const VcProbe& p) {
    const uint32_t epoch = probe_epoch(p), packs = uint32_t(p.bytes / 16);
    VcProbeControl* own = probe_control(p.own);
    const bool came = threadIdx.x != 0 || await_flag(p, &own->flag, epoch);
    if (!block_agrees(came)) return;
    uint32_t wrong = 0;
    for (uint32_t i = threadIdx.x; i < packs; i += blockDim.x) {
        const Pack want = probe_pack(epoch, i), got = load_pack(probe_data<const Pack>(p.own) + i);
        wrong += (got.x != want.x) + (got.y != want.y) + (got.z != want.z) + (got.w != want.w);
    }
    count(&own->wrong, wrong);
    block_barrier();
    if (threadIdx.x != 0) return;
    store_host(&probe_result(p)->wrong, load_control_word(&own->wrong));
    store_host(&probe_result(p)->calls, epoch);
    store_flag_release(&probe_control(p.peer[0])->flag, epoch);
}

// Starts when the reader reads.
__device__ __forceinline__ void probe_tear_write(const VcProbe& p) {
    const bool ready = threadIdx.x != 0 || await_flag(p, &probe_control(p.own)->flag, 1u);
    if (!block_agrees(ready)) return;
    Pack* to = probe_data<Pack>(p.peer[0]) + threadIdx.x;
    for (uint32_t n = 1; n <= p.rounds; n++) {
        const uint64_t both = n | uint64_t(n) << 32;
        if (p.width == 16u) store_pack(to, Pack{n, n, n, n});
        else store_line(reinterpret_cast<Line*>(to), Line{both, both});
    }
}

__device__ __forceinline__ void probe_tear_read(const VcProbe& p) {
    VcProbeControl* own = probe_control(p.own);
    if (threadIdx.x == 0) store_flag_release(&probe_control(p.peer[0])->flag, 1u);
    const Pack* at = probe_data<const Pack>(p.own) + threadIdx.x;
    uint32_t torn = 0;
    ProbeWait wait;
    while (true) {
        uint32_t least;
        if (p.width == 16u) {
            const Pack v = load_pack(at);
            torn += v.x != v.y || v.y != v.z || v.z != v.w;
            least = v.x == v.y && v.y == v.z && v.z == v.w ? v.x : 0u;
        } else {
            const Line v = load_line(reinterpret_cast<const Line*>(at));
            torn += (uint32_t(v.a) != uint32_t(v.a >> 32)) + (uint32_t(v.b) != uint32_t(v.b >> 32));
            least = v.a == v.b ? uint32_t(v.a) : 0u;
        }
        if (least == p.rounds || !wait.again(p)) break;
    }
    count(&own->torn, torn);
    block_barrier();
    if (threadIdx.x != 0) return;
    store_host(&probe_result(p)->torn, load_control_word(&own->torn));
    store_host(&probe_result(p)->calls, 1u);
}

}  // namespace vc
