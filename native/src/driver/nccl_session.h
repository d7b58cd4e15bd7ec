// One rank's side of nccl_loop: communicator, buffers, graphs, checks, and the times of all methods.
#pragma once

#include <memory>

#include "nccl_library.h"
#include "nccl_options.h"

namespace driver {

__global__ void hold(VcSpin s) { vc::spin(s); }

struct NcclSample {
    double device_ns;     // between events around the graph, on this rank
    uint64_t start, end;  // host clock
};

// What the ranks share besides the group's own: rank 0's id, and the samples.
struct NcclShared {
    NcclId id;
    char version[32];
};

class NcclSession {
public:
    // samples: [size][method][sample][rank]
    NcclSession(Rank& rank, const NcclOptions& options, NcclShared* shared, NcclSample* samples)
        : rank_(rank), o_(options), shared_(shared), samples_(samples) {}

    void run() {
        open();
        for (size_t s = 0; s < o_.bytes.size(); s++) {
            check(o_.bytes[s], 0);
            time(s);
            check(o_.bytes[s], 1000);
        }
        close();
    }

private:
    void open() {
        // NVLink multicast is the user's to switch on, never this program's.
        setenv("NCCL_NVLS_ENABLE", "0", 0);
        int gpus = 0;
        rank_.check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
        if (static_cast<unsigned>(gpus) < rank_.world()) rank_.fail("NCCL needs a GPU a rank: %d here", gpus);
        rank_.check(cudaSetDevice(static_cast<int>(rank_.rank())), "cudaSetDevice");
        rank_.check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        rank_.check(cudaEventCreate(&start_), "cudaEventCreate");
        rank_.check(cudaEventCreate(&end_), "cudaEventCreate");
        nccl_ = std::make_unique<NcclLibrary>(rank_, o_.library, o_.symmetric);
        if (rank_.rank() == 0) {
            nccl_->check(nccl_->get_unique_id(&shared_->id), "ncclGetUniqueId");
            snprintf(shared_->version, sizeof shared_->version, "%s", nccl_->version().c_str());
        }
        rank_.barrier();
        NcclConfig21700 config;
        nccl_->check(nccl_->comm_init_rank_config(&comm_, static_cast<int>(rank_.world()), shared_->id,
                                                  static_cast<int>(rank_.rank()), &config), "ncclCommInitRankConfig");
        for (const uint64_t bytes : o_.bytes) arena_bytes_ = std::max(arena_bytes_, 2 * o_.buffer_sets(bytes) * stride(bytes));
        arena_bytes_ = (arena_bytes_ + kGranule - 1) / kGranule * kGranule;
        if (o_.symmetric) {
            nccl_->check(nccl_->mem_alloc(reinterpret_cast<void**>(&arena_), arena_bytes_), "ncclMemAlloc");
            nccl_->check(nccl_->comm_window_register(comm_, arena_, arena_bytes_, &window_, NcclLibrary::kCollectiveSymmetric),
                         "ncclCommWindowRegister", comm_);
            if (window_ == nullptr) rank_.fail("NCCL gave no window: symmetric kernels are not to be had here");
        } else {
            rank_.check(cudaMalloc(&arena_, arena_bytes_), "cudaMalloc");
        }
        rank_.check(cudaMemset(arena_, 0, arena_bytes_), "cudaMemset");
        rank_.check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        rank_.barrier();
    }

    static uint64_t stride(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }
    char* input(uint64_t bytes, unsigned set) { return arena_ + 2 * set * stride(bytes); }
    char* output(uint64_t bytes, unsigned set) { return input(bytes, set) + stride(bytes); }

    void all_reduce(const void* from, void* to, uint64_t bytes) {
        const int type = o_.dtype == payload::kBf16   ? NcclLibrary::kBfloat16
                         : o_.dtype == payload::kFp16 ? NcclLibrary::kFloat16
                                                      : NcclLibrary::kFloat32;
        nccl_->check(nccl_->all_reduce(from, to, bytes / payload::element_bytes(o_.dtype), type, NcclLibrary::kSum, comm_,
                                       stream_), "ncclAllReduce", comm_);
    }

    void finish(const char* what) {
        cudaError_t state;
        for (unsigned polls = 0; (state = cudaStreamQuery(stream_)) == cudaErrorNotReady; polls++) {
            if (polls % 4096 != 4095) continue;
            int error = 0;
            nccl_->check(nccl_->comm_get_async_error(comm_, &error), "ncclCommGetAsyncError", comm_);
            nccl_->check(error, what, comm_);
            rank_.still_waiting(what);
        }
        rank_.check(state, what);
    }

    // Small integers, whose sum is exact in any order, zeros among them; new ones in every set, over poisoned outputs.
    void check(uint64_t bytes, unsigned first_call) {
        const uint32_t elements = static_cast<uint32_t>(bytes / payload::element_bytes(o_.dtype));
        std::vector<char> host(bytes);
        for (unsigned set = 0; set < o_.buffer_sets(bytes); set++) {
            payload::fill(o_.dtype, payload::kIntegers, first_call + set, rank_.rank(), host.data(), elements);
            rank_.check(cudaMemcpyAsync(input(bytes, set), host.data(), bytes, cudaMemcpyHostToDevice, stream_), "copy in");
            rank_.check(cudaMemsetAsync(output(bytes, set), 0xFF, bytes, stream_), "poison");
            finish("copy in");
        }
        for (unsigned set = 0; set < o_.buffer_sets(bytes); set++) all_reduce(input(bytes, set), output(bytes, set), bytes);
        finish("the checked calls");
        for (unsigned set = 0; set < o_.buffer_sets(bytes); set++) {
            rank_.check(cudaMemcpyAsync(host.data(), output(bytes, set), bytes, cudaMemcpyDeviceToHost, stream_), "copy out");
            finish("copy out");
            const std::string wrong = payload::mismatch(
                o_.dtype, host.data(),
                payload::expected(o_.dtype, payload::kIntegers, first_call + set, rank_.world(), elements));
            if (!wrong.empty()) rank_.fail("%llu bytes, set %u: %s", static_cast<unsigned long long>(bytes), set, wrong.c_str());
        }
        rank_.barrier();
    }

    template <class Enqueue>
    cudaGraphExec_t capture(unsigned calls, Enqueue enqueue) {
        cudaGraph_t graph;
        cudaGraphExec_t executable;
        rank_.check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        for (unsigned c = 0; c < calls; c++) enqueue(c);
        rank_.check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
        rank_.check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        rank_.check(cudaGraphDestroy(graph), "cudaGraphDestroy");
        return executable;
    }

    // Methods interleaved, one sample of each a round.
    void time(size_t size) {
        const uint64_t bytes = o_.bytes[size];
        const cudaGraphExec_t cycle = capture(o_.calls, [&](unsigned c) {
            const unsigned set = c % o_.buffer_sets(bytes);
            all_reduce(input(bytes, set), output(bytes, set), bytes);
        });
        rank_.check(cudaGraphUpload(cycle, stream_), "cudaGraphUpload");
        finish("cudaGraphUpload");
        for (unsigned round = 0; round < o_.warmup + o_.samples_most(); round++)
            for (size_t m = 0; m < o_.methods.size(); m++) {
                const Method method = o_.methods[m];
                const bool replayed = method == kCycle || method == kLinedUp;
                if (round >= o_.warmup + o_.samples(method) || (!replayed && round < o_.warmup)) continue;
                const NcclSample sample = replayed ? replay(cycle, bytes, method == kLinedUp) : as_nccl_tests(bytes, method == kTestsInPlace);
                if (round < o_.warmup) continue;
                const size_t at = (size * o_.methods.size() + m) * o_.samples_most() + round - o_.warmup;
                samples_[at * rank_.world() + rank_.rank()] = sample;
            }
        rank_.check(cudaGraphExecDestroy(cycle), "cudaGraphExecDestroy");
    }

    NcclSample replay(cudaGraphExec_t cycle, uint64_t bytes, bool line_up) {
        rank_.barrier();
        if (line_up) {  // the host has queued everything by the time this ends, and the ranks start together
            hold<<<1, 32, 0, stream_>>>(VcSpin{30000});
            all_reduce(input(bytes, 0), output(bytes, 0), bytes);
        }
        NcclSample sample{};
        sample.start = nanos();
        rank_.check(cudaEventRecord(start_, stream_), "cudaEventRecord");
        rank_.check(cudaGraphLaunch(cycle, stream_), "cudaGraphLaunch");
        rank_.check(cudaEventRecord(end_, stream_), "cudaEventRecord");
        rank_.wait(end_, "the cycle");
        sample.end = nanos();
        float milliseconds = 0;
        rank_.check(cudaEventElapsedTime(&milliseconds, start_, end_), "cudaEventElapsedTime");
        sample.device_ns = milliseconds * 1e6;
        return sample;
    }

    // What all_reduce_perf -G <launches> -n <iters> does for one size (nccl-tests src/common.cu, BenchTime): some calls
    // outside of a graph, a fresh capture, and the time from the first launch until the stream is empty; the graph was
    // never launched before. In place all tensors are zero, or sums would overflow.
    NcclSample as_nccl_tests(uint64_t bytes, bool in_place) {
        char* const from = in_place ? output(bytes, 0) : input(bytes, 0);
        char* const to = output(bytes, 0);
        if (in_place) rank_.check(cudaMemsetAsync(to, 0, bytes, stream_), "cudaMemset");
        for (unsigned i = 0; i <= o_.tests_warmup; i++) all_reduce(from, to, bytes);
        finish("calls before the capture");
        rank_.barrier();
        const cudaGraphExec_t graph = capture(o_.iters, [&](unsigned) { all_reduce(from, to, bytes); });
        rank_.barrier();
        NcclSample sample{};
        sample.start = nanos();
        for (unsigned l = 0; l < o_.launches; l++) rank_.check(cudaGraphLaunch(graph, stream_), "cudaGraphLaunch");
        finish("graph of nccl-tests");
        sample.end = nanos();
        rank_.check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
        return sample;
    }

    void close() {
        rank_.barrier();
        if (o_.symmetric) {
            nccl_->check(nccl_->comm_window_deregister(comm_, window_), "ncclCommWindowDeregister", comm_);
            nccl_->check(nccl_->mem_free(arena_), "ncclMemFree", comm_);
        } else {
            rank_.check(cudaFree(arena_), "cudaFree");
        }
        nccl_->check(nccl_->comm_destroy(comm_), "ncclCommDestroy");
    }

    static constexpr uint64_t kGranule = 2u << 20;  // of device memory: what a window is made of

    Rank& rank_;
    const NcclOptions& o_;
    NcclShared* shared_;
    NcclSample* samples_;
    std::unique_ptr<NcclLibrary> nccl_;
    NcclComm comm_ = nullptr;
    void* window_ = nullptr;
    char* arena_ = nullptr;
    uint64_t arena_bytes_ = 0;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t start_ = nullptr, end_ = nullptr;
};

}  // namespace driver
