// What to run: the variants of one world, from the command line.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "../main/cuda/kernel_list.h"
#include "grid.h"
#include "payload.h"

namespace driver {

struct Algorithm {
    const char* name;
    VcAlgorithm id;
    bool checked;  // produces sums
};
inline const std::vector<Algorithm>& algorithms() {
#define VC_DRIVER_ALGORITHM(checked, algorithm, id) {#algorithm, id, checked},
#define VC_DRIVER_LOCAL(floor, id) {#floor, id, false},
    static const std::vector<Algorithm> all = {VC_EACH_ALGORITHM(VC_DRIVER_ALGORITHM, true)
                                               VC_EACH_FLOOR_KIND(VC_DRIVER_ALGORITHM, false)
                                               VC_EACH_LOCAL_FLOOR(VC_DRIVER_LOCAL)};
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
                            const unsigned given_blocks = static_cast<unsigned>(strtoul(n.c_str(), nullptr, 10));
                            const unsigned given_threads = static_cast<unsigned>(strtoul(t.c_str(), nullptr, 10));
                            const VcGrid grid = vc_grid(a.id, v.packs(), o.world, given_blocks, given_threads);
                            w.blocks = grid.blocks, w.threads = grid.threads;
                            if (o.sweep && !one_grid && given_blocks == 0)  // as many as one pack a thread takes
                                w.blocks = vc_blocks_for(vc_work_packs(a.id, v.packs(), o.world), w.threads);
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
