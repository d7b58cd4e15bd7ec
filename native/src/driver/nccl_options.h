// What nccl_loop is to run, from the command line.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "options.h"

namespace driver {

// How a time is taken; see the top of nccl_loop.cu.
enum Method { kCycle, kLinedUp, kTests, kTestsInPlace };
inline const char* method_name(Method m) {
    static const char* const names[] = {"cycle", "lined-up", "nccl-tests", "nccl-tests-in-place"};
    return names[m];
}

struct NcclOptions {
    std::string library = "libnccl.so.2";
    unsigned world = 2, calls = 122, sets = 0, replays = 200, warmup = 20, limit_s = 120;
    unsigned iters = 20, launches = 1, repeats = 50, tests_warmup = 5;  // nccl-tests: -n, -G, none, -w
    payload::Dtype dtype = payload::kBf16;
    bool symmetric = false, header = true;
    std::vector<uint64_t> bytes = {43008};
    std::vector<Method> methods = {kCycle, kLinedUp, kTests, kTestsInPlace};

    unsigned samples(Method m) const { return m == kCycle || m == kLinedUp ? replays : repeats; }
    unsigned samples_most() const { return replays > repeats ? replays : repeats; }
    // Pairs of buffers that the calls of a cycle take in turn: as PreparedCycle.bufferSetsFor of the Java program.
    unsigned buffer_sets(uint64_t size) const { return sets != 0 ? sets : size <= (1u << 20) ? 4 : 2; }
};

[[noreturn]] inline void nccl_usage(const std::string& problem) {
    fprintf(stderr, "%s\n%s", problem.c_str(),
            "nccl_loop [--nccl libnccl.so.2] [--world N] [--bytes n,n] [--dtype bf16|fp16|fp32] [--symmetric on|off]\n"
            "          [--methods cycle,lined-up,nccl-tests,nccl-tests-in-place] [--limit-s 120] [--header on|off]\n"
            "  cycle, lined-up: [--calls 122] [--sets n] [--replays 200] [--warmup 20]\n"
            "  nccl-tests:      [--iters 20] [--launches 1] [--tests-warmup 5] [--repeats 50]\n"
            "NCCL's own variables (NCCL_ALGO, NCCL_PROTO, ...) are taken from the environment.\n");
    exit(1);
}

inline NcclOptions parse_nccl(int argc, char** argv) {
    NcclOptions o;
    if (const char* path = getenv("NCCL_LIB")) o.library = path;
    for (int i = 1; i < argc; i += 2) {
        const std::string key = argv[i];
        if (i + 1 == argc) nccl_usage("unknown option or value missing: " + key);
        const std::string value = argv[i + 1];
        const auto number = [&](unsigned least) {
            char* end = nullptr;
            const unsigned long n = strtoul(value.c_str(), &end, 10);
            if (value.empty() || *end != 0 || n < least || n > 1000000) nccl_usage("not a number in range: " + key + " " + value);
            return static_cast<unsigned>(n);
        };
        const auto is_on = [&] {
            if (value != "on" && value != "off") nccl_usage(key + " is on or off, not " + value);
            return value == "on";
        };
        if (key == "--nccl") o.library = value;
        else if (key == "--world") o.world = number(1);
        else if (key == "--calls") o.calls = number(1);
        else if (key == "--sets") o.sets = number(1);
        else if (key == "--replays") o.replays = number(1);
        else if (key == "--warmup") o.warmup = number(0);
        else if (key == "--iters") o.iters = number(1);
        else if (key == "--launches") o.launches = number(1);
        else if (key == "--tests-warmup") o.tests_warmup = number(0);
        else if (key == "--repeats") o.repeats = number(1);
        else if (key == "--limit-s") o.limit_s = number(1);
        else if (key == "--symmetric") o.symmetric = is_on();
        else if (key == "--header") o.header = is_on();
        else if (key == "--dtype") {
            if (value == "bf16") o.dtype = payload::kBf16;
            else if (value == "fp16") o.dtype = payload::kFp16;
            else if (value == "fp32") o.dtype = payload::kFp32;
            else nccl_usage("unknown dtype: " + value);
        } else if (key == "--bytes") {
            o.bytes.clear();
            for (const std::string& b : split(value)) {
                const uint64_t n = strtoull(b.c_str(), nullptr, 10);
                if (n == 0 || n % 16 != 0 || n > (64u << 20)) nccl_usage("--bytes must be multiples of 16 up to 64 MiB: " + b);
                o.bytes.push_back(n);
            }
        } else if (key == "--methods") {
            o.methods.clear();
            for (const std::string& name : split(value)) {
                const size_t before = o.methods.size();
                for (const Method m : {kCycle, kLinedUp, kTests, kTestsInPlace})
                    if (name == method_name(m)) o.methods.push_back(m);
                if (o.methods.size() == before) nccl_usage("unknown method: " + name);
            }
        } else nccl_usage("unknown option: " + key);
    }
    if (o.world > VC_MAX_WORLD) nccl_usage("--world must be 1.." + std::to_string(VC_MAX_WORLD));
    return o;
}

}  // namespace driver
