// Host definitions of memory.cuh's operations, and the few CUDA words the kernels use: a CUDA thread is a std::thread.
//
// Every operation on memory that ranks or blocks share is a relaxed atomic of at most 8 bytes (a pack tears into four),
// with a random pause now and then to shake the schedule. Flags are acquire/release, boundary flags as well: the device's
// kernel boundary shows what a grid wrote to every GPU, a launch here to its own rank only, so the flag has to carry it. A
// protocol that takes a boundary flag where it needs a release one therefore passes. The fault word is relaxed.
// Packs published by a flag, inputs, outputs and the blocks' entries are plain accesses: ThreadSanitizer then proves that
// the flags, barriers and launches order them. The device's kernel boundary (flush on completion) is Device::launch, which synchronises.
#pragma once

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "emulated_block.h"

#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define VC_COLD

namespace emulation {
// How often any wait of any rank has looked in vain; relaxed, so that it orders nothing.
inline std::atomic<uint64_t> polls{0};
}  // namespace emulation

namespace vc {

using emulation::blockDim;
using emulation::blockIdx;
using emulation::gridDim;
using emulation::threadIdx;

inline void shake() {
    thread_local uint32_t state = 0x9E3779B9u ^ static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&state));
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    if ((state & 31u) == 0u) sched_yield();
    if ((state & 4095u) == 4095u) usleep(100);
}

template <class T>
T atomic_load(const T* at, int order = __ATOMIC_RELAXED) {
    shake();
    return __atomic_load_n(at, order);
}
template <class T>
void atomic_store(T* at, T v, int order = __ATOMIC_RELAXED) {
    shake();
    __atomic_store_n(at, v, order);
}

inline Pack load_input(const Pack* at) { return *at; }
inline void store_output(Pack* at, Pack v) { *at = v; }

inline Pack load_pack(const Pack* at) {
    const uint32_t w = atomic_load(&at->w), x = atomic_load(&at->x), z = atomic_load(&at->z);
    return Pack{x, atomic_load(&at->y), z, w};
}
inline void store_pack(Pack* at, Pack v) {
    atomic_store(&at->z, v.z);
    atomic_store(&at->x, v.x);
    atomic_store(&at->w, v.w);
    atomic_store(&at->y, v.y);
}
inline Line load_line(const Line* at) {
    const uint64_t b = atomic_load(&at->b);
    return Line{atomic_load(&at->a), b};
}
inline void store_line(Line* at, Line v) {
    atomic_store(&at->b, v.b);
    atomic_store(&at->a, v.a);
}

inline Pack load_published(const Pack* at) { return *at; }
inline void store_published(Pack* at, Pack v) { *at = v; }

inline void store_flag_boundary(uint32_t* at, uint32_t v) { atomic_store(at, v, __ATOMIC_RELEASE); }
inline uint32_t load_flag_boundary(const uint32_t* at) { return atomic_load(at, __ATOMIC_ACQUIRE); }
inline void store_flag_release(uint32_t* at, uint32_t v) { atomic_store(at, v, __ATOMIC_RELEASE); }
inline uint32_t load_flag_acquire(const uint32_t* at) { return atomic_load(at, __ATOMIC_ACQUIRE); }

// Plain: blocks of a grid touch each other's entries in no way, and ThreadSanitizer says if they do.
inline Pack load_entry(const VcEntry* at) { return Pack{at->epoch, at->slot, at->last_packs, at->older_packs}; }
inline void store_entry(VcEntry* at, Pack v) {
    at->epoch = v.x, at->slot = v.y, at->last_packs = v.z, at->older_packs = v.w;
}
inline uint32_t load_control_word(const uint32_t* at) { return atomic_load(at); }
inline uint32_t compare_and_swap(uint32_t* at, uint32_t expected, uint32_t v) {
    __atomic_compare_exchange_n(at, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

inline void store_host(uint32_t* at, uint32_t v) { atomic_store(at, v, __ATOMIC_RELEASE); }
inline void fence_system() {}

template <class X>
X held(X x) {
    return x;
}
template <int N>
bool loaded(const Pack (&)[N]) {  // a load is done where it stands
    return true;
}

inline void block_barrier() { emulation::current_block->arrive_and_wait(); }
inline bool block_agrees(bool good) { return emulation::current_block->arrive_and_vote(good); }
inline void spin_pause() {
    emulation::polls.fetch_add(1, std::memory_order_relaxed);
    sched_yield();
}
inline uint64_t now_nanos() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}
inline void pdl_wait() {}
inline void pdl_trigger() {}

}  // namespace vc
