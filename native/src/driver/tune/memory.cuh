// Operations that only the variants need, each with a device and a host (emulation) definition.
#pragma once

#include "../../main/cuda/push.cuh"

namespace tune {

#if defined(__CUDACC__)
// Zero, but ptxas can't know: x + opaque_zero() can't be replaced by c[0][...] at its first use, after the wait, where a
// cold constant line is on the critical path. held() keeps the sum where it stands.
__device__ __forceinline__ uint32_t opaque_zero() {
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm >> 24;
}
__device__ __forceinline__ void held(uint32_t& x) { asm volatile("" : "+r"(x)::"memory"); }
template <class P>
__device__ __forceinline__ void held(P*& x) {
    asm volatile("" : "+l"(x)::"memory");
}
__device__ __forceinline__ void held(uint64_t& x) { asm volatile("" : "+l"(x)::"memory"); }
__device__ __forceinline__ void store_entry(uint32_t* at, vc::Pack v) {
    asm volatile("st.relaxed.gpu.global.v4.b32 [%0], {%1,%2,%3,%4};"
                 ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
__device__ __forceinline__ void pause_cycles(uint32_t cycles) {
    uint32_t start, now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
    do asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    while (now - start < cycles);
}
#define VC_OUT_OF_LINE __noinline__
#else
inline uint32_t opaque_zero() { return 0; }
template <class X>
inline void held(X&) {}
inline void store_entry(uint32_t* at, vc::Pack v) { vc::store_pack(reinterpret_cast<vc::Pack*>(at), v); }
inline void pause_cycles(uint32_t) {}
#define VC_OUT_OF_LINE
#endif

}  // namespace tune
