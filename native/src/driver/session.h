// One rank's side of a run: memory, IPC, graphs, checks and timing of all variants.
//
// Variants of the same algorithm, dtype and size share one region, so a run also changes the grid between cycles.
#pragma once

#include <algorithm>
#include <map>

#include "group.h"
#include "options.h"

namespace driver {

using Kernel = void (*)(VcParams);

inline Kernel kernel_of(VcAlgorithm algorithm, payload::Dtype dtype, unsigned world) {
    struct Sum {
        VcAlgorithm algorithm;
        payload::Dtype dtype;
        unsigned world;
        Kernel kernel;
    };
    struct Floor {
        VcAlgorithm algorithm;
        unsigned world;
        Kernel kernel;
    };
    constexpr payload::Dtype bf16 = payload::kBf16, fp16 = payload::kFp16, fp32 = payload::kFp32;
#define VC_DRIVER_SUM(algorithm, id, dtype, T, world) {id, dtype, world, vc_##algorithm##_##dtype##_w##world},
#define VC_DRIVER_FLOOR(floor, id, world) {id, world, vc_##floor##_w##world},
#define VC_DRIVER_LOCAL_FLOOR(floor, id) if (algorithm == id) return vc_##floor;
    static const Sum sums[] = {VC_EACH_KERNEL(VC_DRIVER_SUM)};
    static const Floor floors[] = {VC_EACH_FLOOR(VC_DRIVER_FLOOR)};
    for (const Sum& s : sums)
        if (s.algorithm == algorithm && s.dtype == dtype && s.world == world) return s.kernel;
    for (const Floor& f : floors)
        if (f.algorithm == algorithm && f.world == world) return f.kernel;
    VC_EACH_LOCAL_FLOOR(VC_DRIVER_LOCAL_FLOOR)
    return nullptr;
}

struct Collective {
    uint64_t region = 0, input = 0, output = 0, region_bytes = 0, board = 0, board_bytes = 0;
    uint32_t max_blocks = 0;  // of all variants that share the region
};

class Session {
public:
    // times: [variant][replay][rank] device ns of a cycle, then host start and end in the same order.
    Session(Rank& rank, const Options& options, char* board, float* device_ns, uint64_t* host_ns, char* skipped)
        : rank_(rank), o_(options), board_(board), device_ns_(device_ns), host_ns_(host_ns), skipped_(skipped) {}

    void run() {
        open();
        for (size_t v = 0; v < o_.variants.size(); v++)
            if (fits(o_.variants[v])) chosen_.push_back(v);
            else if (rank_.rank() == 0) skipped_[v] = 1;
        for (const size_t v : chosen_) check(v, 0);
        if (!o_.check_only) {
            capture();
            time();
            for (const size_t v : chosen_) check(v, 1000);
        }
        close();
    }

    static std::string key(const Variant& v) {
        return std::string(v.algorithm.name) + "/" + dtype_name(v.dtype) + "/" + std::to_string(v.bytes);
    }
    // Layout of an arena and of the board: the same on every rank.
    static std::map<std::string, Collective> layout(const Options& o, uint64_t& arena, uint64_t& board) {
        std::map<std::string, Collective> all;
        arena = board = 0;
        std::vector<Variant> variants = o.variants;
        variants.push_back(sync_variant());
        for (const Variant& v : variants) {
            const auto known = all.find(key(v));
            if (known != all.end()) {
                known->second.max_blocks = std::max(known->second.max_blocks, v.blocks);
                continue;
            }
            const auto take = [&arena](uint64_t bytes) {
                const uint64_t at = arena;
                arena += (bytes + 4095) / 4096 * 4096;
                return at;
            };
            Collective c;
            c.max_blocks = v.blocks;
            c.region_bytes = vc_region_bytes(v.algorithm.id, v.packs(), o.world);
            c.region = take(c.region_bytes), c.input = take(v.bytes), c.output = take(v.bytes);
            c.board = board, c.board_bytes = vc_board_bytes(v.algorithm.id, v.packs(), o.world);
            board += (c.board_bytes + 4095) / 4096 * 4096;
            all[key(v)] = c;
        }
        return all;
    }

private:
    // A flag exchange in a region of its own: lines the ranks up before each timed replay.
    static Variant sync_variant() {
        return Variant{{"sync", VC_FLOOR_FLAG, false}, payload::kBf16, 16, 1, 32, false};
    }

    void open() {
        int gpus = 0;
        rank_.check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
        if (gpus == 0) rank_.fail("no GPU");
        rank_.check(cudaSetDevice(static_cast<int>(rank_.rank()) % gpus), "cudaSetDevice");
        uint64_t arena_bytes, board_bytes;
        collectives_ = layout(o_, arena_bytes, board_bytes);
        rank_.check(cudaMalloc(&arena_[rank_.rank()], arena_bytes), "cudaMalloc of the arena");
        rank_.check(cudaMemset(arena_[rank_.rank()], 0, arena_bytes), "cudaMemset");
        for (const Variant& v : o_.variants) {
            const Collective& c = collectives_[key(v)];
            rank_.check(cudaMemset(arena_[rank_.rank()] + c.region + VC_SLOTS_OFFSET, vc_slot_fill(v.algorithm.id),
                                   c.region_bytes - VC_SLOTS_OFFSET), "cudaMemset of the slots");
        }
        rank_.check(cudaHostAlloc(&fault_, sizeof(VcFault), cudaHostAllocMapped), "cudaHostAlloc");
        memset(fault_, 0, sizeof(VcFault));
        if (rank_.rank() == 0)
            for (const Variant& v : o_.variants) {
                const Collective& c = collectives_[key(v)];
                memset(board_ + c.board, vc_slot_fill(v.algorithm.id), c.board_bytes);
            }
        if (board_bytes > 0) {
            rank_.check(cudaHostRegister(board_, board_bytes, cudaHostRegisterMapped | cudaHostRegisterPortable),
                        "cudaHostRegister of the board");
            rank_.check(cudaHostGetDevicePointer(&board_device_, board_, 0), "cudaHostGetDevicePointer");
        }
        rank_.check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        rank_.check(cudaEventCreate(&start_), "cudaEventCreate");
        rank_.check(cudaEventCreate(&end_), "cudaEventCreate");
        rank_.check(cudaIpcGetMemHandle(&rank_.line(rank_.rank()).handle, arena_[rank_.rank()]), "cudaIpcGetMemHandle");
        rank_.check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        rank_.barrier();
        for (unsigned r = 0; r < rank_.world(); r++)
            if (r != rank_.rank())
                rank_.check(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&arena_[r]), rank_.line(r).handle,
                                                 cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
        uint64_t most = 0;
        for (const Variant& v : o_.variants) most = std::max(most, 2 * check_calls(v.bytes) * v.bytes);
        rank_.check(cudaHostAlloc(&staging_, most, cudaHostAllocDefault), "cudaHostAlloc of staging");
        rank_.barrier();
    }

    // All blocks of a grid must be resident with those of the ranks they wait for, and with pdl those of the next grid.
    // The same on all ranks of a box with one kind of GPU.
    bool fits(const Variant& v) {
        int per_sm = 0, sms = 0, device = 0, gpus = 1;
        rank_.check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
        rank_.check(cudaGetDevice(&device), "cudaGetDevice");
        rank_.check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
        const Kernel kernel = kernel_of(v.algorithm.id, v.dtype, rank_.world());
        rank_.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, static_cast<int>(v.threads), 0),
                    "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        const unsigned sharing = (rank_.world() + static_cast<unsigned>(gpus) - 1) / static_cast<unsigned>(gpus);
        return v.blocks * sharing * (v.pdl ? 2 : 1) <= static_cast<unsigned>(per_sm * sms);
    }

    VcParams params(const Variant& v) {
        const Collective& c = collectives_[key(v)];
        const auto at = [](char* base, uint64_t offset) { return reinterpret_cast<uint64_t>(base) + offset; };
        VcParams p{};
        char* own = arena_[rank_.rank()];
        p.input = at(own, c.input), p.output = at(own, c.output), p.control = at(own, c.region);
        p.fault = reinterpret_cast<uint64_t>(fault_);  // unified addressing: the same address on the device
        p.deadline_nanos = 2000000000u;
        p.rank = rank_.rank(), p.world = rank_.world(), p.packs = p.capacity = v.packs(), p.version = VC_ABI_VERSION;
        p.max_blocks = c.max_blocks;
        for (unsigned r = 0; r < rank_.world(); r++) {
            p.region[r] = c.board_bytes > 0 ? at(board_device_, c.board) : at(arena_[r], c.region);
            p.peer_input[r] = at(arena_[r], c.input);
        }
        return p;
    }

    void launch(const Variant& v) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(v.blocks), config.blockDim = dim3(v.threads), config.stream = stream_;
        config.attrs = &attribute, config.numAttrs = v.pdl ? 1 : 0;
        const Kernel kernel = kernel_of(v.algorithm.id, v.dtype, rank_.world());
        rank_.check(cudaLaunchKernelEx(&config, kernel, params(v)), key(v).c_str());
    }

    void finish(const Variant& v) {
        rank_.check(cudaEventRecord(end_, stream_), "cudaEventRecord");
        rank_.wait(end_, key(v).c_str());
        const volatile VcFault& f = *fault_;
        if (f.code != VC_OK)
            rank_.fail("%s %ux%u pdl=%d: fault %u, waited for rank %u, slot %u, block %u, position %u, expected %u, saw %u",
                       key(v).c_str(), v.blocks, v.threads, v.pdl, f.code, f.peer, f.slot, f.block, f.position, f.expected,
                       f.seen);
    }

    // Every pattern, a new payload and a poisoned output for each call, no synchronisation between them but the kernels'.
    void check(size_t index, unsigned first_call) {
        const Variant& v = o_.variants[index];
        const Collective& c = collectives_[key(v)];
        char* own = arena_[rank_.rank()];
        const uint32_t elements = static_cast<uint32_t>(v.bytes / payload::element_bytes(v.dtype));
        const auto input = [&](unsigned k) { return staging_ + 2 * k * v.bytes; };
        const auto output = [&](unsigned k) { return staging_ + (2 * k + 1) * v.bytes; };
        const auto pattern = [](unsigned k) { return static_cast<payload::Pattern>(k % payload::kPatterns); };
        if (v.algorithm.checked)
            for (unsigned k = 0; k < check_calls(v.bytes); k++)
                payload::fill(v.dtype, pattern(k), first_call + k, rank_.rank(), input(k), elements);
        for (unsigned k = 0; k < check_calls(v.bytes); k++) {
            rank_.check(cudaMemcpyAsync(own + c.input, input(k), v.bytes, cudaMemcpyHostToDevice, stream_), "copy in");
            rank_.check(cudaMemsetAsync(own + c.output, 0xA5, v.bytes, stream_), "poison");
            launch(v);
            rank_.check(cudaMemcpyAsync(output(k), own + c.output, v.bytes, cudaMemcpyDeviceToHost, stream_), "copy out");
        }
        finish(v);
        if (!v.algorithm.checked) return;
        uint64_t hash = 0;
        for (unsigned k = 0; k < check_calls(v.bytes); k++) {
            const auto& want = expected(v, pattern(k), first_call + k, elements);
            const std::string wrong = payload::mismatch(v.dtype, output(k), want);
            if (!wrong.empty()) rank_.fail("%s %ux%u call %u: %s", key(v).c_str(), v.blocks, v.threads, k, wrong.c_str());
            hash = payload::mix(hash ^ payload::hash(output(k), v.bytes));
        }
        rank_.line(rank_.rank()).hash = hash;
        rank_.barrier();
        if (rank_.line(0).hash != hash) rank_.fail("%s: bits differ from rank 0's", key(v).c_str());
        rank_.barrier();
    }

    const std::vector<uint32_t>& expected(const Variant& v, payload::Pattern pattern, unsigned call, uint32_t elements) {
        const std::string k = std::string(dtype_name(v.dtype)) + std::to_string(elements) + "/" + std::to_string(call);
        auto& bits = expected_[k];
        if (bits.empty()) bits = payload::expected(v.dtype, pattern, call, rank_.world(), elements);
        return bits;
    }

    void capture() {
        graphs_.resize(o_.variants.size());
        for (const size_t v : chosen_) {
            cudaGraph_t graph;
            rank_.check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
            for (unsigned c = 0; c < o_.calls; c++) launch(o_.variants[v]);
            rank_.check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
            rank_.check(cudaGraphInstantiate(&graphs_[v], graph, 0), "cudaGraphInstantiate");
            rank_.check(cudaGraphUpload(graphs_[v], stream_), "cudaGraphUpload");
            cudaGraphDestroy(graph);
        }
        rank_.check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    // Interleaved: one replay of each variant a round, starting one further each round.
    void time() {
        const size_t n = chosen_.size();
        const Variant sync = sync_variant();
        for (unsigned round = 0; round < o_.warmup + o_.replays; round++)
            for (size_t k = 0; k < n; k++) {
                const size_t v = chosen_[(round + k) % n];
                rank_.barrier();
                if (o_.prelude) {  // the host has queued everything by the time the spin ends; then all start together
                    vc_spin<<<1, 32, 0, stream_>>>(VcSpin{30000});
                    launch(sync);
                }
                const uint64_t host_start = nanos();
                rank_.check(cudaEventRecord(start_, stream_), "cudaEventRecord");
                rank_.check(cudaGraphLaunch(graphs_[v], stream_), "cudaGraphLaunch");
                finish(o_.variants[v]);
                const uint64_t host_end = nanos();
                if (round < o_.warmup) continue;
                float milliseconds = 0;
                rank_.check(cudaEventElapsedTime(&milliseconds, start_, end_), "cudaEventElapsedTime");
                const size_t at = (v * o_.replays + round - o_.warmup) * rank_.world() + rank_.rank();
                device_ns_[at] = milliseconds * 1e6f;
                host_ns_[2 * at] = host_start, host_ns_[2 * at + 1] = host_end;
            }
    }

    void close() {
        rank_.barrier();  // nobody unmaps what another still uses
        for (unsigned r = 0; r < rank_.world(); r++)
            if (r != rank_.rank()) rank_.check(cudaIpcCloseMemHandle(arena_[r]), "cudaIpcCloseMemHandle");
        rank_.barrier();
        for (cudaGraphExec_t g : graphs_)
            if (g != nullptr) cudaGraphExecDestroy(g);
        if (board_device_ != nullptr) rank_.check(cudaHostUnregister(board_), "cudaHostUnregister");
        rank_.check(cudaFree(arena_[rank_.rank()]), "cudaFree");
    }

    // Each pattern three times, but once for sizes whose reference sums take seconds.
    static unsigned check_calls(uint64_t bytes) { return bytes > (4u << 20) ? payload::kPatterns : 3 * payload::kPatterns; }

    Rank& rank_;
    const Options& o_;
    char* board_;
    float* device_ns_;
    uint64_t* host_ns_;
    char* skipped_;
    std::vector<size_t> chosen_;
    std::map<std::string, Collective> collectives_;
    std::map<std::string, std::vector<uint32_t>> expected_;
    std::vector<cudaGraphExec_t> graphs_;
    char* arena_[VC_MAX_WORLD] = {};
    char* staging_ = nullptr;
    char* board_device_ = nullptr;
    VcFault* fault_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t start_ = nullptr, end_ = nullptr;
};

}  // namespace driver
