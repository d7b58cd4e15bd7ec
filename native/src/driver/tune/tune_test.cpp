// The checked variants under emulation: g++ -std=c++17 -O1 -pthread -I../../main/cuda -I../../test/emulation tune_test.cpp
// (add -fsanitize=thread for races), then ./a.out [calls]
#include "world.h"

#include "kernels.cuh"

int main(int argc, char** argv) {
    const unsigned calls = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 60;
    unsigned count = 0, passed = 0, failed = 0;
    const tune::Entry* entries = tune::entries(count);
    const auto verdict = [&](const tune::Entry& e, unsigned world, const char* what, const std::string& error) {
        (error.empty() ? passed : failed)++;
        if (!error.empty()) printf("FAIL %s w%u, %s: %s\n", e.name, world, what, error.c_str());
    };
    for (unsigned n = 0; n < count; n++)
        for (unsigned w : {2u, 4u}) {
            const tune::Entry& e = entries[n];
            if (!e.checked || e.of(w) == nullptr) continue;
            emulation::Setup s{};
            s.kernel = reinterpret_cast<emulation::Kernel>(const_cast<void*>(e.of(w)));
            s.algorithm = e.id, s.dtype = payload::kBf16, s.world = w, s.first_epoch = 0u - calls / 2u;
            emulation::World world(s);
            for (unsigned r = 0; r < w; r++)
                for (unsigned b = 0; b < VC_MAX_BLOCKS; b++)
                    *tune::entry_at(reinterpret_cast<uint64_t>(world.control(r)), b) = s.first_epoch;
            verdict(e, w, "sums", world.run(calls));

            if (e.flags & (tune::kNoChecks | tune::kNoDeadline)) continue;
            s.first_epoch = 0, s.deadline_nanos = 200000000;
            emulation::World lonely(s);
            std::vector<unsigned> present;
            for (unsigned r = 0; r + 1 < w; r++) present.push_back(r);
            lonely.run(1, present);
            std::string error = lonely.fault(0).code == VC_FAULT_DEADLINE && lonely.fault(0).peer == w - 1 ? "" : "not named";
            for (int again = 0; again < 3; again++) {
                timespec a, b;
                clock_gettime(CLOCK_MONOTONIC, &a);
                if (lonely.run(1, present).empty()) error = "a call after a fault did not fail";
                clock_gettime(CLOCK_MONOTONIC, &b);
                if ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 > 150) error = "a call after a fault waited";
            }
            verdict(e, w, "absent rank", error);
        }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
