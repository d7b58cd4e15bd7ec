// The bare C++ loop: all-reduce variants between real processes, checked, then timed as graph replays.
//
// One process per rank, rank r on GPU r modulo the GPUs (several ranks on one GPU need an MPS daemon, or they take turns).
// A replay is a graph of `calls` calls; its time is the longest of the ranks' device times, a variant's the median over
// replays. Variants are interleaved. One CSV line each:
//
//   world,algorithm,dtype,bytes,blocks,threads,pdl,calls,replays,us_median,us_p05,us_p95,us_min,us_host,state
//
// us_* are per call. us_host is the median of (last end - last start) on the host clock: with --prelude off it is what
// a host that launches and waits sees; with the prelude it contains that too. state is "ok" once all checks passed,
// before and after timing, "too-large" for a grid whose blocks could not all be resident (then nothing was run). Build: nvcc -std=c++17 -O3 -arch=native -o driver driver.cu
#include "../main/cuda/kernels.cu"

#include "session.h"

#include <algorithm>

namespace {

double quantile(std::vector<double> sorted, double q) {
    return sorted[static_cast<size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void print(const driver::Options& o, size_t index, const float* device_ns, const uint64_t* host_ns, bool skipped) {
    const driver::Variant& v = o.variants[index];
    std::vector<double> device, host;
    for (unsigned i = 0; i < o.replays && !o.check_only && !skipped; i++) {
        const size_t at = (index * o.replays + i) * o.world;
        double longest = 0;
        uint64_t last_start = 0, last_end = 0;
        for (unsigned r = 0; r < o.world; r++) {
            longest = std::max(longest, static_cast<double>(device_ns[at + r]));
            last_start = std::max(last_start, host_ns[2 * (at + r)]);
            last_end = std::max(last_end, host_ns[2 * (at + r) + 1]);
        }
        device.push_back(longest / 1000 / o.calls);
        host.push_back(static_cast<double>(last_end - last_start) / 1000 / o.calls);
    }
    printf("%u,%s,%s,%llu,%u,%u,%s,%u,%u,", o.world, v.algorithm.name, v.algorithm.checked ? driver::dtype_name(v.dtype) : "-",
           static_cast<unsigned long long>(v.bytes), v.blocks, v.threads, v.pdl ? "on" : "off", o.calls,
           o.check_only ? 0 : o.replays);
    if (device.empty()) {
        printf(",,,,,%s\n", skipped ? "too-large" : "ok");
        return;
    }
    std::sort(device.begin(), device.end());
    std::sort(host.begin(), host.end());
    printf("%.4f,%.4f,%.4f,%.4f,%.4f,ok\n", quantile(device, 0.5), quantile(device, 0.05), quantile(device, 0.95),
           device[0], quantile(host, 0.5));
}

}  // namespace

int main(int argc, char** argv) {
    const driver::Options o = driver::parse(argc, argv);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // loading a kernel while another spins for a peer can wait for it
    uint64_t arena, board_bytes;
    driver::Session::layout(o, arena, board_bytes);
    const size_t samples = o.variants.size() * o.replays * o.world;
    float* device_ns = driver::shared_pages<float>(samples + 1);
    uint64_t* host_ns = driver::shared_pages<uint64_t>(2 * samples + 1);
    char* board = driver::shared_pages<char>(board_bytes + 4096);
    char* skipped = driver::shared_pages<char>(o.variants.size() + 1);
    const bool good = driver::run_group(o.world, o.limit_s * 1000000000ull, [&](driver::Rank& rank) {
        driver::Session(rank, o, board, device_ns, host_ns, skipped).run();
    });
    if (!good) {
        fprintf(stderr, "FAILED: world %u, see the ranks' messages above; no times are shown\n", o.world);
        return 2;
    }
    if (o.header)
        printf("world,algorithm,dtype,bytes,blocks,threads,pdl,calls,replays,us_median,us_p05,us_p95,us_min,us_host,"
               "state\n");
    for (size_t v = 0; v < o.variants.size(); v++) print(o, v, device_ns, host_ns, skipped[v] != 0);
    return 0;
}
