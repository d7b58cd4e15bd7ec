// The bare C++ loop over NCCL: what the Java program's NCCL numbers are checked against, on the same box.
//
// One process per rank, rank r on GPU r. NCCL's variables come from the environment. Four ways to take the same time:
//
//   cycle                a graph of `calls` calls, replayed; as the Java program does it, nothing queued before it
//   lined-up             the same behind a spin and one more call: the hosts' lateness and the launch are not in the device time
//   nccl-tests           what all_reduce_perf -G <launches> -n <iters> -w <tests-warmup> reports out of place, time / calls,
//                        mean over ranks (its -a 1); each sample is one whole such measurement, with a capture of its own
//   nccl-tests-in-place  the same in place
//
// One CSV line each:
//
//   world,nccl,dtype,bytes,symmetric,method,calls,samples,us_median,us_p05,us_p95,us_min,us_group,state
//
// us_* are per call. Cycle and lined-up: us_median .. us_min are of the longest of the ranks' device times (events around
// the graph); us_group is the median of the host's group time, last end - last start, which is the Java program's number
// without a prelude. nccl-tests: us_median .. us_min are of its own definition, us_group as above. state is "ok": sums were
// checked before and after; any failure prints no times and exits 2.
// Build: nvcc -std=c++17 -O3 -arch=native -o nccl_loop nccl_loop.cu -ldl
#include <algorithm>

#include "../main/cuda/floors.cuh"

#include "nccl_session.h"

namespace {

double quantile(const std::vector<double>& sorted, double q) {
    return sorted[static_cast<size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void print(const driver::NcclOptions& o, const char* version, size_t size, size_t m, const driver::NcclSample* samples) {
    const driver::Method method = o.methods[m];
    const bool replayed = method == driver::kCycle || method == driver::kLinedUp;
    const unsigned calls = replayed ? o.calls : o.iters * o.launches;
    std::vector<double> own, group;
    for (unsigned i = 0; i < o.samples(method); i++) {
        const driver::NcclSample* ranks = samples + ((size * o.methods.size() + m) * o.samples_most() + i) * o.world;
        double longest = 0, sum = 0;
        uint64_t last_start = 0, last_end = 0;
        for (unsigned r = 0; r < o.world; r++) {
            longest = std::max(longest, ranks[r].device_ns);
            sum += static_cast<double>(ranks[r].end - ranks[r].start);
            last_start = std::max(last_start, ranks[r].start);
            last_end = std::max(last_end, ranks[r].end);
        }
        own.push_back((replayed ? longest : sum / o.world) / 1000 / calls);
        group.push_back(static_cast<double>(last_end - last_start) / 1000 / calls);
    }
    std::sort(own.begin(), own.end());
    std::sort(group.begin(), group.end());
    printf("%u,%s,%s,%llu,%s,%s,%u,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,ok\n", o.world, version, driver::dtype_name(o.dtype),
           static_cast<unsigned long long>(o.bytes[size]), o.symmetric ? "on" : "off", driver::method_name(method), calls,
           own.size(), quantile(own, 0.5), quantile(own, 0.05), quantile(own, 0.95), own[0], quantile(group, 0.5));
}

}  // namespace

int main(int argc, char** argv) {
    const driver::NcclOptions o = driver::parse_nccl(argc, argv);
    auto* shared = driver::shared_pages<driver::NcclShared>(1);
    auto* samples = driver::shared_pages<driver::NcclSample>(o.bytes.size() * o.methods.size() * o.samples_most() * o.world);
    const bool good = driver::run_group(o.world, o.limit_s * 1000000000ull, [&](driver::Rank& rank) {
        driver::NcclSession(rank, o, shared, samples).run();
    });
    if (!good) {
        fprintf(stderr, "FAILED: world %u, see the ranks' messages above; no times are shown\n", o.world);
        return 2;
    }
    if (o.header)
        printf("world,nccl,dtype,bytes,symmetric,method,calls,samples,us_median,us_p05,us_p95,us_min,us_group,state\n");
    for (size_t s = 0; s < o.bytes.size(); s++)
        for (size_t m = 0; m < o.methods.size(); m++) print(o, shared->version, s, m, samples);
    return 0;
}
