// Element types: a pack into floats, floats rounded once into a pack.
//
// Sums are float32 in rank order and start from rank 0's value, not from 0: -0 + -0 must stay -0. Conversions are
// written out (PTX, or bits on the host and before sm_80) so that the emulation rounds exactly as the device does. NaN
// rounds to the device's canonical NaN.
#pragma once

#include <string.h>

#include "memory.cuh"

namespace vc {

VC_HOST_DEVICE inline float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
VC_HOST_DEVICE inline uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

// Round to nearest even; NaN becomes 0x7FFF as cvt.rn.bf16.f32 does.
VC_HOST_DEVICE inline uint32_t bf16_bits(float f) {
    const uint32_t bits = bits_of(f);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0x7FFFu;
    return (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
}

// IEEE half in software, for the host.
inline float half_to_float(uint32_t h) {
    const uint32_t sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 0x3FFu;
    if (exponent == 31u) return float_of(sign | 0x7F800000u | (fraction << 13));
    if (exponent != 0u) return float_of(sign | ((exponent + 112u) << 23) | (fraction << 13));
    const float f = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
    return float_of(sign | bits_of(f));
}
inline uint32_t half_bits(float f) {
    const uint32_t bits = bits_of(f), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return 0x7FFFu;
    if (magnitude >= 0x477FF000u) return sign | 0x7C00u;  // rounds to 2^16 or more
    if (magnitude < 0x38800000u) {                        // subnormal half: add so that the float rounds at 2^-24
        const float shifted = float_of(magnitude) + 0.5f;
        return sign | (bits_of(shifted) - 0x3F000000u);
    }
    return sign | ((magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13);
}

struct F32 {
    static constexpr int kPerWord = 1;
    __device__ static void widen(uint32_t word, float* to) { to[0] = float_of(word); }
    __device__ static uint32_t round(const float* from) { return bits_of(from[0]); }
};

struct Bf16 {
    static constexpr int kPerWord = 2;
    __device__ static void widen(uint32_t word, float* to) {
        to[0] = float_of(word << 16);
        to[1] = float_of(word & 0xFFFF0000u);
    }
    __device__ static uint32_t round(const float* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        uint32_t word;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(from[1]), "f"(from[0]));
        return word;
#else
        return bf16_bits(from[0]) | (bf16_bits(from[1]) << 16);
#endif
    }
};

struct Fp16 {
    static constexpr int kPerWord = 2;
    __device__ static void widen(uint32_t word, float* to) {
#if defined(__CUDA_ARCH__)
        asm("{.reg .f16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
            : "=f"(to[0]), "=f"(to[1]) : "r"(word));
#else
        to[0] = half_to_float(word & 0xFFFFu);
        to[1] = half_to_float(word >> 16);
#endif
    }
    __device__ static uint32_t round(const float* from) {
#if defined(__CUDA_ARCH__)
        uint32_t word;
        asm("{.reg .f16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h};}"
            : "=r"(word) : "f"(from[0]), "f"(from[1]));
        return word;
#else
        return half_bits(from[0]) | (half_bits(from[1]) << 16);
#endif
    }
};

// Sum of one pack over all ranks, in rank order: the order that gives every rank the same bits.
template <class T, int W>
__device__ __forceinline__ Pack sum_in_rank_order(const Pack (&v)[W]) {
    constexpr int n = T::kPerWord;
    float sum[4 * n], next[n];
    Pack result;
    T::widen(v[0].x, sum);
    T::widen(v[0].y, sum + n);
    T::widen(v[0].z, sum + 2 * n);
    T::widen(v[0].w, sum + 3 * n);
#pragma unroll
    for (int r = 1; r < W; r++) {
        const uint32_t words[4] = {v[r].x, v[r].y, v[r].z, v[r].w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            T::widen(words[k], next);
#pragma unroll
            for (int j = 0; j < n; j++) sum[k * n + j] += next[j];
        }
    }
    result.x = T::round(sum);
    result.y = T::round(sum + n);
    result.z = T::round(sum + 2 * n);
    result.w = T::round(sum + 3 * n);
    return result;
}

}  // namespace vc
