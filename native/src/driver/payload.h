// Inputs of a check and what the sum of them must be. Shared by the driver and the emulation tests.
//
// Every element is a function of (call, rank, index), so each rank can compute what all ranks sent. The expected sum is
// float32 in rank order, rounded once: bits must match, except that any NaN is as good as another (all ranks must still
// agree on its bits). A float64 sum checks that reference in turn.
#pragma once

#include <math.h>

#include <string>
#include <vector>

namespace payload {

enum Dtype { kBf16, kFp16, kFp32 };
enum Pattern { kIntegers, kRandom, kSpecial, kPatterns };

inline unsigned element_bytes(Dtype d) { return d == kFp32 ? 4 : 2; }

inline float widen(Dtype d, uint32_t bits) {
    if (d == kBf16) return vc::float_of(bits << 16);
    return d == kFp16 ? vc::half_to_float(bits) : vc::float_of(bits);
}
inline uint32_t rounded(Dtype d, float f) {
    if (d == kBf16) return vc::bf16_bits(f);
    return d == kFp16 ? vc::half_bits(f) : vc::bits_of(f);
}

inline uint64_t mix(uint64_t x) {  // splitmix64
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Zeros of both signs, subnormals, infinities, NaNs (all ones is the sentinel), largest and smallest finite numbers.
inline uint32_t special(Dtype d, uint64_t h) {
    static const uint32_t bf16[] = {0, 0x8000, 1, 0x807F, 0x7F80, 0xFF80, 0x7FC0, 0xFFFF, 0x7F7F, 0x0080, 0xFFFF, 0x3F80};
    static const uint32_t fp16[] = {0, 0x8000, 1, 0x83FF, 0x7C00, 0xFC00, 0x7E00, 0xFFFF, 0x7BFF, 0x0400, 0xFFFF, 0x3C00};
    static const uint32_t fp32[] = {0,          0x80000000, 1,          0x807FFFFF, 0x7F800000, 0xFF800000,
                                    0x7FC00000, 0xFFFFFFFF, 0x7F7FFFFF, 0x00800000, 0x7F800001, 0x3F800000};
    const uint32_t* table = d == kBf16 ? bf16 : d == kFp16 ? fp16 : fp32;
    return table[h % 12];
}

inline uint32_t element(Dtype d, Pattern pattern, uint64_t call, unsigned rank, uint32_t index) {
    const uint64_t h = mix(mix(call * 8191 + rank) + index);
    if (pattern == kIntegers) return rounded(d, static_cast<float>(static_cast<int>(h % 17) - 8));
    if (pattern == kRandom) return rounded(d, static_cast<float>(static_cast<double>(h >> 11) / 4503599627370496.0 - 1.0));
    // Per index one of: every rank the same special value, one rank only, any mixture. Adjacent elements often share
    // it, so that whole words are the sentinel.
    const uint64_t group = mix(call * 131 + index / 4);
    if (group % 4 == 0) return special(d, group >> 8);
    if (group % 4 == 1) return rank == group / 4 % 2 ? special(d, group >> 8) : rounded(d, static_cast<float>(h % 5));
    if (group % 4 == 2) return rounded(d, 0.0f) | (h & 1 ? (d == kFp32 ? 0x80000000u : 0x8000u) : 0u);
    return special(d, h);
}

inline uint32_t get(Dtype d, const void* at, uint32_t index) {
    return d == kFp32 ? static_cast<const uint32_t*>(at)[index] : static_cast<const uint16_t*>(at)[index];
}

inline void fill(Dtype d, Pattern pattern, uint64_t call, unsigned rank, void* to, uint32_t elements) {
    for (uint32_t i = 0; i < elements; i++) {
        const uint32_t bits = element(d, pattern, call, rank, i);
        if (d == kFp32) static_cast<uint32_t*>(to)[i] = bits;
        else static_cast<uint16_t*>(to)[i] = static_cast<uint16_t>(bits);
    }
}

// The bits every rank must end with; one rank can compute them once and share them.
inline std::vector<uint32_t> expected(Dtype d, Pattern pattern, uint64_t call, unsigned world, uint32_t elements) {
    std::vector<uint32_t> bits(elements);
    for (uint32_t i = 0; i < elements; i++) {
        float sum = widen(d, element(d, pattern, call, 0, i));
        double exact = sum, magnitude = fabs(exact);
        for (unsigned r = 1; r < world; r++) {
            const float x = widen(d, element(d, pattern, call, r, i));
            sum += x, exact += x, magnitude += fabs(static_cast<double>(x));
        }
        bits[i] = rounded(d, sum);
        // The reference itself: off by at most one rounding to the type and world roundings to float32.
        const double unit = d == kBf16 ? 1.0 / 256 : d == kFp16 ? 1.0 / 2048 : 1.0 / 16777216;
        const double slack = fabs(exact) * unit + magnitude * world / 16777216 + 1e-7;
        if (pattern != kSpecial && !(fabs(widen(d, bits[i]) - exact) <= slack)) bits[i] = ~0u;
    }
    return bits;
}

inline bool matches(Dtype d, uint32_t got, uint32_t want) {
    return got == want || (isnan(widen(d, got)) && isnan(widen(d, want)));
}

// Empty if all is right, else the first wrong element.
inline std::string mismatch(Dtype d, const void* output, const std::vector<uint32_t>& want) {
    size_t wrong = 0;
    std::string first;
    for (uint32_t i = 0; i < want.size(); i++) {
        const uint32_t got = get(d, output, i);
        if (matches(d, got, want[i])) continue;
        if (wrong++ == 0) {
            char text[96];
            snprintf(text, sizeof text, "element %u is 0x%x, want 0x%x", i, got, want[i]);
            first = text;
        }
    }
    return wrong == 0 ? first : first + " (" + std::to_string(wrong) + " wrong of " + std::to_string(want.size()) + ")";
}

inline uint64_t hash(const void* bytes, size_t count) {
    uint64_t h = 1469598103934665603ull;
    for (size_t i = 0; i < count; i++) h = (h ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211ull;
    return h;
}

}  // namespace payload
