// The memory operations of the protocols, named once, with a device and a host definition.
//
// Protocol code uses these and nothing else to touch memory that another rank or block touches too. The host definition
// (emulation under ThreadSanitizer) tears as much as the device may: a pack is four separate 32-bit accesses and a line two
// 64-bit ones, so a protocol that relied on 16-byte stores arriving whole would fail there. PTX promises no more either: a
// vector access is a set of scalar accesses in no order (PTX ISA, "Vector data types"). In its order it is stronger: every
// flag there is release and acquire, and x86 keeps the order of stores, so that a missing release or acquire passes
// (native/README.md, "What the emulation can't see").
#pragma once

#include "abi.h"

namespace vc {

// 16 bytes of payload: the unit of every algorithm.
struct alignas(16) Pack {
    uint32_t x, y, z, w;
};

// An LL line: two 8-byte words, each 4 bytes of data (low half) and the epoch (high half). 8 bytes arrive whole.
struct alignas(16) Line {
    uint64_t a, b;
};

}  // namespace vc

#if defined(__CUDACC__)

namespace vc {

// ---- payload of this rank: written by earlier grids or the host, so ordinary accesses --------------------------------
// asm volatile keeps the load where it is written: before the control word is tested, so that both are in flight.
__device__ __forceinline__ Pack load_input(const Pack* at) {
    Pack v;
    asm volatile("ld.global.v4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
    return v;
}
__device__ __forceinline__ void store_output(Pack* at, Pack v) {
    asm volatile("st.global.v4.b32 [%0], {%1,%2,%3,%4};" ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

// ---- packs and lines shared between ranks --------------------------------------------------------------------------
// relaxed.sys and volatile cost the same here (measured); relaxed says what is meant and is defined by the PTX model.
__device__ __forceinline__ Pack load_pack(const Pack* at) {
    Pack v;
    asm volatile("ld.relaxed.sys.global.v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at) : "memory");
    return v;
}
__device__ __forceinline__ void store_pack(Pack* at, Pack v) {
    asm volatile("st.relaxed.sys.global.v4.b32 [%0], {%1,%2,%3,%4};"
                 ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
__device__ __forceinline__ Line load_line(const Line* at) {
    Line v;
    asm volatile("ld.relaxed.sys.global.v2.b64 {%0,%1}, [%2];" : "=l"(v.a), "=l"(v.b) : "l"(at) : "memory");
    return v;
}
__device__ __forceinline__ void store_line(Line* at, Line v) {
    asm volatile("st.relaxed.sys.global.v2.b64 [%0], {%1,%2};" ::"l"(at), "l"(v.a), "l"(v.b) : "memory");
}

// ---- packs that a flag publishes (pull algorithms): no race on them, the flags order them ------------------------------
// The load is relaxed.sys all the same: a weak one may be served from a stale line of the L1.
__device__ __forceinline__ Pack load_published(const Pack* at) { return load_pack(at); }
__device__ __forceinline__ void store_published(Pack* at, Pack v) { store_output(at, v); }

// ---- flags of the barriers -------------------------------------------------------------------------------------------
// "boundary": the flag publishes only what *earlier grids* wrote (flushed when they completed) or that loads are done.
// Nothing of this grid stands behind it, so no fence; a release.sys here costs several hundred ns (membar.sys).
__device__ __forceinline__ void store_flag_boundary(uint32_t* at, uint32_t v) {
    asm volatile("st.relaxed.sys.global.b32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}
__device__ __forceinline__ uint32_t load_flag_boundary(const uint32_t* at) {
    uint32_t v;
    asm volatile("ld.relaxed.sys.global.b32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}
// Publishes what this block wrote before its last block_barrier().
__device__ __forceinline__ void store_flag_release(uint32_t* at, uint32_t v) {
    asm volatile("st.release.sys.global.b32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}
__device__ __forceinline__ uint32_t load_flag_acquire(const uint32_t* at) {
    uint32_t v;
    asm volatile("ld.acquire.sys.global.b32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// ---- control area of this rank ------------------------------------------------------------------------------------------
__device__ __forceinline__ Pack load_entry(const VcEntry* at) {
    Pack v;
    asm volatile("ld.relaxed.gpu.global.v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at) : "memory");
    return v;
}
__device__ __forceinline__ void store_entry(VcEntry* at, Pack v) {
    asm volatile("st.relaxed.gpu.global.v4.b32 [%0], {%1,%2,%3,%4};"
                 ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
__device__ __forceinline__ uint32_t load_control_word(const uint32_t* at) {
    uint32_t v;
    asm volatile("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}
__device__ __forceinline__ uint32_t compare_and_swap(uint32_t* at, uint32_t expected, uint32_t v) {
    return atomicCAS(at, expected, v);
}

// ---- fault record in mapped host memory ------------------------------------------------------------------------------
__device__ __forceinline__ void store_host(uint32_t* at, uint32_t v) { *static_cast<volatile uint32_t*>(at) = v; }
__device__ __forceinline__ void fence_system() { __threadfence_system(); }

// ---- registers ---------------------------------------------------------------------------------------------------------
// Zero, but ptxas can't know.
__device__ __forceinline__ uint32_t opaque_zero() {
    uint32_t sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm >> 24;
}
// x, in a register from here on. Otherwise ptxas reads a kernel parameter where it is first used, after pdl_wait(), and
// pays for the cold line of the constant cache there (0 to 0.15 us a call at world 2, 0.2 to 0.36 at world 8). The sum keeps it from
// being the parameter again, the empty asm keeps it above the wait.
__device__ __forceinline__ uint32_t held(uint32_t x) {
    x += opaque_zero();
    asm volatile("" : "+r"(x)::"memory");
    return x;
}
__device__ __forceinline__ uint64_t held(uint64_t x) {
    x += opaque_zero();
    asm volatile("" : "+l"(x)::"memory");
    return x;
}
template <class P>
__device__ __forceinline__ P* held(P* x) {
    return reinterpret_cast<P*>(held(reinterpret_cast<uint64_t>(x)));
}
// True, but not known before every load of v has come back: for a barrier that says "my block's loads are done".
template <int N>
__device__ __forceinline__ bool loaded(const Pack (&v)[N]) {
    uint32_t any = 0;
#pragma unroll
    for (int n = 0; n < N; n++) any |= v[n].x | v[n].y | v[n].z | v[n].w;
    return (any & opaque_zero()) == 0u;
}

// ---- execution -------------------------------------------------------------------------------------------------------
// What happens once in a broken run: a call, so that its code doesn't lie between the steps of every other run.
#define VC_COLD __noinline__
__device__ __forceinline__ void block_barrier() { __syncthreads(); }
// A barrier that tells every thread whether `good` held for all.
__device__ __forceinline__ bool block_agrees(bool good) { return __syncthreads_and(good) != 0; }
__device__ __forceinline__ void spin_pause() {}
__device__ __forceinline__ uint64_t now_nanos() {
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
// Programmatic dependent launch. Both are no-ops in a grid launched without the attribute, so one kernel serves pdl=on
// and pdl=off. wait returns when the earlier grids are complete and their writes visible: it must stand before any read
// of memory, and before trigger: else more than two grids pile up (with several ranks on one GPU that deadlocks). trigger
// belongs right after the own sends, later costs 0.1-0.5 us (measured).
__device__ __forceinline__ void pdl_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ __forceinline__ void pdl_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace vc

#else
#include "host_memory.h"  // src/test/emulation: the same names over __atomic builtins and threads
#endif
