// What to run: the variants of one world, from the command line.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../main/cuda/abi.h"
#include "payload.h"

namespace driver {

struct Algorithm {
    const char* name;
    int id;
    bool checked;  // produces sums
};
inline const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> all = {
        {"one_shot_pull", VC_ONE_SHOT_PULL, true},         {"two_shot_pull", VC_TWO_SHOT_PULL, true},
        {"one_shot_ll", VC_ONE_SHOT_LL, true},             {"one_shot_sentinel", VC_ONE_SHOT_SENTINEL, true},
        {"two_shot_ll", VC_TWO_SHOT_LL, true},             {"two_shot_sentinel", VC_TWO_SHOT_SENTINEL, true},
        {"host_ll", VC_HOST_LL, true},                     {"host_sentinel", VC_HOST_SENTINEL, true},
        {"floor_empty", VC_FLOOR_EMPTY, false},
        {"floor_flag", VC_FLOOR_FLAG, false},              {"floor_exchange", VC_FLOOR_EXCHANGE, false},
        {"floor_copy", VC_FLOOR_COPY, false}};
    return all;
}

struct Variant {
    Algorithm algorithm;
    payload::Dtype dtype;
    uint64_t bytes;
    unsigned blocks, threads;
    bool pdl;
    uint32_t packs() const { return static_cast<uint32_t>(bytes / 16); }
};

struct Options {
    unsigned world = 2, calls = 122, replays = 200, warmup = 20, limit_s = 120;
    bool sweep = false, check_only = false, prelude = true, header = true;
    std::vector<Variant> variants;
};

inline const char* dtype_name(payload::Dtype d) {
    return d == payload::kBf16 ? "bf16" : d == payload::kFp16 ? "fp16" : "fp32";
}

inline bool is_two_shot(int algorithm) {
    return algorithm == VC_TWO_SHOT_PULL || algorithm == VC_TWO_SHOT_LL || algorithm == VC_TWO_SHOT_SENTINEL;
}

// Packs that one pass over the grid has to cover.
inline uint32_t work_packs(int algorithm, uint32_t packs, unsigned world) {
    return is_two_shot(algorithm) ? vc_part_packs(packs, world) : packs;
}

// One pack a thread while that fits: all of them in flight at once. World 2: 128 threads a block and up to 512 blocks; through
// host memory 512 threads (the fewer blocks the better); two-shot beyond 16,384 packs a part 128x512, even where half of
// the blocks have nothing to do. Larger worlds: 128 threads (256 at worlds 6 and 8: at world 8 the sentinel takes 4.06 us
// against 4.31 for 43,008 bytes), more when blocks run out. The limit keeps two grids (pdl) of eight ranks that share one
// GPU resident: a waiting block must not keep out the block it waits for.
inline void default_geometry(int algorithm, uint32_t packs, unsigned world, unsigned& blocks, unsigned& threads) {
    if (algorithm == VC_FLOOR_EMPTY || algorithm == VC_FLOOR_FLAG) {
        blocks = 1, threads = 32;
        return;
    }
    const uint32_t work = work_packs(algorithm, packs, world);
    if (world <= 2) {
        const bool host = algorithm == VC_HOST_LL || algorithm == VC_HOST_SENTINEL, two = is_two_shot(algorithm);
        const bool one_for_all = two && work > 128 * 128;
        const unsigned limit = two ? 128 : 512;
        threads = host || one_for_all ? 512 : 128;
        blocks = one_for_all ? limit : std::min(limit, (work + threads - 1) / threads);
        return;
    }
    const unsigned limit = world <= 4 ? 64 : 32;
    threads = world <= 4 ? 128 : 256;
    while (threads < 512 && (work + threads - 1) / threads > limit) threads *= 2;
    blocks = std::min(limit, (work + threads - 1) / threads);
}

[[noreturn]] inline void usage(const std::string& problem) {
    fprintf(stderr, "%s\n%s", problem.c_str(),
            "driver [--world N] [--algorithms a,b|all] [--bytes n,n] [--dtypes bf16,fp16,fp32] [--blocks n,n]\n"
            "       [--threads n,n] [--pdl on,off] [--calls 122] [--replays 200] [--warmup 20] [--limit-s 120]\n"
            "       [--sweep]       blocks x threads around one pack a thread, and the floors of each grid\n"
            "       [--check-only]  no timing\n"
            "       [--prelude off] no spin and flag exchange before each replay (as a serving engine launches)\n"
            "       [--header off]\n");
    exit(1);
}

inline std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char c : list)
        if (c == ',') parts.emplace_back();
        else parts.back() += c;
    return parts;
}

inline Options parse(int argc, char** argv) {
    Options o;
    std::vector<std::string> names = {"all"}, bytes = {"43008"}, dtypes = {"bf16"}, pdls = {"on"};
    std::vector<std::string> blocks = {"0"}, threads = {"0"};
    for (int i = 1; i < argc; i++) {
        const std::string key = argv[i];
        if (key == "--sweep") o.sweep = true;
        else if (key == "--check-only") o.check_only = true;
        else if (i + 1 == argc) usage("unknown option or value missing: " + key);
        else {
            const std::string value = argv[++i];
            const auto number = [&] { return static_cast<unsigned>(strtoul(value.c_str(), nullptr, 10)); };
            if (key == "--world") o.world = number();
            else if (key == "--algorithms") names = split(value);
            else if (key == "--bytes") bytes = split(value);
            else if (key == "--dtypes") dtypes = split(value);
            else if (key == "--blocks") blocks = split(value);
            else if (key == "--threads") threads = split(value);
            else if (key == "--pdl") pdls = split(value);
            else if (key == "--calls") o.calls = number();
            else if (key == "--replays") o.replays = number();
            else if (key == "--warmup") o.warmup = number();
            else if (key == "--limit-s") o.limit_s = number();
            else if (key == "--prelude") o.prelude = value != "off";
            else if (key == "--header") o.header = value != "off";
            else usage("unknown option: " + key);
        }
    }
    if (o.world != 2 && o.world != 4 && o.world != 6 && o.world != 8) usage("--world must be 2, 4, 6 or 8");
    std::vector<Algorithm> chosen;
    for (const std::string& name : names) {
        const size_t before = chosen.size();
        for (const Algorithm& a : algorithms())
            if (name == a.name || name == "all" || (name == "sums" && a.checked) || (name == "floors" && !a.checked))
                chosen.push_back(a);
        if (chosen.size() == before) usage("unknown algorithm: " + name);
    }
    for (const Algorithm& a : chosen)
        for (const std::string& d : dtypes)
            for (const std::string& b : bytes)
                for (const std::string& pdl : pdls) {
                    if (d != "bf16" && d != "fp16" && d != "fp32") usage("unknown dtype: " + d);
                    if (!a.checked && d != dtypes[0]) continue;  // floors know no dtype
                    Variant v{a, d == "bf16" ? payload::kBf16 : d == "fp16" ? payload::kFp16 : payload::kFp32,
                              strtoull(b.c_str(), nullptr, 10), 0, 0, pdl == "on"};
                    if (v.bytes == 0 || v.bytes % 16 != 0 || v.bytes / 16 > VC_MAX_PACKS)
                        usage("--bytes must be multiples of 16 up to 64 MiB: " + b);
                    const bool one_grid = a.id == VC_FLOOR_EMPTY || a.id == VC_FLOOR_FLAG;
                    std::vector<std::string> bs = blocks, ts = threads;
                    if (o.sweep) ts = {"64", "128", "256", "512"};
                    if (one_grid) bs = ts = {"0"};
                    for (const std::string& t : ts)
                        for (const std::string& n : bs) {
                            Variant w = v;
                            default_geometry(a.id, v.packs(), o.world, w.blocks, w.threads);
                            if (t != "0") w.threads = static_cast<unsigned>(strtoul(t.c_str(), nullptr, 10));
                            const uint32_t work = work_packs(a.id, v.packs(), o.world);
                            if (t != "0") w.blocks = (work + w.threads - 1) / w.threads;
                            if (n != "0") w.blocks = static_cast<unsigned>(strtoul(n.c_str(), nullptr, 10));
                            if (w.blocks > VC_MAX_BLOCKS) w.blocks = VC_MAX_BLOCKS;
                            if (w.threads < 32 || w.threads > VC_MAX_THREADS) usage("--threads must be 32..512: " + t);
                            o.variants.push_back(w);
                            if (o.sweep && !one_grid && w.blocks > 1) {  // two packs a thread
                                w.blocks = (w.blocks + 1) / 2;
                                o.variants.push_back(w);
                            }
                        }
                }
    return o;
}

}  // namespace driver
