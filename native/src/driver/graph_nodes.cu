// What nodes between the kernels of a graph cost, and which ones NCCL puts there.
//
//   graph_nodes chain                  one GPU: graphs of 122 kernels that spin for so many clocks, with what may stand between two of them
//   graph_nodes nccl [libnccl.so.2]    one GPU: nodes and edges of three captured all-reduce calls of 43,008 bytes. Two ranks that take each
//                                      other for two hosts (NCCL_HOSTID), so over sockets: the host nodes are of that, the others are not
//
// CSV of chain: blocks,threads,clocks,between,nodes,us_median,us_p05,us_p95; us a kernel, device time between events around the graph,
// 200 replays. Exit 2: something failed, and no times are printed.
// Build: nvcc -std=c++17 -O3 -arch=native -o graph_nodes graph_nodes.cu -ldl
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "nccl_library.h"

namespace {

constexpr int kCalls = 122, kReplays = 200, kWarmup = 20;

void require(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, cudaGetErrorString(result));
    exit(2);
}
#define REQUIRE(call) require(call, #call)

// With pdl as the project's kernels do it: wait first thing, trigger at the end.
__global__ void spin(long long clocks, bool pdl) {
    if (pdl) asm volatile("griddepcontrol.wait;" ::: "memory");
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
    if (pdl) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

enum Between { kNothing, kRecord, kRecordBeside };
const char* const kBetween[] = {"nothing", "record", "record beside"};

void launch(cudaStream_t stream, int blocks, int threads, long long clocks, bool pdl) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = pdl ? 1 : 0;
    REQUIRE(cudaLaunchKernelEx(&config, spin, clocks, pdl));
}

// After what the stream captured last; with kRecord the next kernel waits for it, with kRecordBeside nothing does.
void record(cudaStream_t stream, cudaEvent_t event, Between between) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaGraphNode_t* last;
    const cudaGraphEdgeData* edges;
    size_t count;
    REQUIRE(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, &edges, &count));
    cudaGraphNode_t node;
    REQUIRE(cudaGraphAddEventRecordNode(&node, graph, std::vector<cudaGraphNode_t>(last, last + count).data(), count, event));
    if (between == kRecord) REQUIRE(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
}

void chain(int blocks, int threads, long long clocks, bool pdl, Between between) {
    cudaStream_t stream;
    cudaEvent_t start, end, between_kernels;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    REQUIRE(cudaEventCreate(&start));
    REQUIRE(cudaEventCreate(&end));
    REQUIRE(cudaEventCreateWithFlags(&between_kernels, cudaEventDisableTiming));
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int call = 0; call < kCalls; call++) {
        launch(stream, blocks, threads, clocks, pdl);
        if (between != kNothing) record(stream, between_kernels, between);
    }
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    REQUIRE(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes));
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0));
    REQUIRE(cudaGraphUpload(executable, stream));
    std::vector<float> us;
    for (int replay = 0; replay < kWarmup + kReplays; replay++) {
        REQUIRE(cudaEventRecord(start, stream));
        REQUIRE(cudaGraphLaunch(executable, stream));
        REQUIRE(cudaEventRecord(end, stream));
        REQUIRE(cudaEventSynchronize(end));
        float millis;
        REQUIRE(cudaEventElapsedTime(&millis, start, end));
        if (replay >= kWarmup) us.push_back(millis * 1000 / kCalls);
    }
    std::sort(us.begin(), us.end());
    printf("%d,%d,%lld,%s%s,%zu,%.4f,%.4f,%.4f\n", blocks, threads, clocks, pdl ? "pdl and " : "", kBetween[between], nodes, us[kReplays / 2],
           us[kReplays / 20], us[kReplays * 19 / 20]);
    REQUIRE(cudaGraphExecDestroy(executable));
    REQUIRE(cudaGraphDestroy(graph));
    REQUIRE(cudaStreamDestroy(stream));
}

const char* type_name(cudaGraphNode_t node) {
    cudaGraphNodeType type;
    REQUIRE(cudaGraphNodeGetType(node, &type));
    switch (type) {
        case cudaGraphNodeTypeKernel: return "kernel";
        case cudaGraphNodeTypeHost: return "host";
        case cudaGraphNodeTypeEventRecord: return "record";
        case cudaGraphNodeTypeWaitEvent: return "wait";
        case cudaGraphNodeTypeEmpty: return "empty";
        default: return "other";
    }
}

void print(cudaGraph_t graph) {
    size_t count = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &count));
    std::map<cudaGraphNode_t, std::string> names;
    for (size_t i = 0; i < count; i++) names[nodes[i]] = std::to_string(i) + " " + type_name(nodes[i]);
    for (cudaGraphNode_t node : nodes) {
        size_t after = 0;
        REQUIRE(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &after));
        std::vector<cudaGraphNode_t> dependencies(after);
        std::vector<cudaGraphEdgeData> edges(after);
        if (after != 0) REQUIRE(cudaGraphNodeGetDependencies(node, dependencies.data(), edges.data(), &after));
        printf("%s <-", names[node].c_str());
        for (cudaGraphNode_t dependency : dependencies) printf(" [%s]", names[dependency].c_str());
        printf("\n");
    }
    fflush(stdout);
}

void capture(driver::Rank& rank, const std::string& library, driver::NcclId* id) {
    constexpr size_t kElements = 21504, kBytes = kElements * 2;
    setenv("NCCL_HOSTID", ("rank" + std::to_string(rank.rank())).c_str(), 1);
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    driver::NcclLibrary nccl(rank, library, false);
    REQUIRE(cudaSetDevice(0));
    if (rank.rank() == 0) nccl.check(nccl.get_unique_id(id), "ncclGetUniqueId");
    rank.barrier();
    driver::NcclConfig21700 config;
    driver::NcclComm comm = nullptr;
    nccl.check(nccl.comm_init_rank_config(&comm, 2, *id, static_cast<int>(rank.rank()), &config), "ncclCommInitRankConfig");
    cudaStream_t stream;
    void *input, *output;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    REQUIRE(cudaMalloc(&input, kBytes));
    REQUIRE(cudaMalloc(&output, kBytes));
    auto call = [&] { nccl.check(nccl.all_reduce(input, output, kElements, nccl.kBfloat16, nccl.kSum, comm, stream), "ncclAllReduce", comm); };
    call();  // connects
    REQUIRE(cudaStreamSynchronize(stream));
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 3; i++) call();
    cudaGraph_t graph;
    REQUIRE(cudaStreamEndCapture(stream, &graph));
    if (rank.rank() == 0) {
        printf("NCCL %s\n", nccl.version().c_str());
        print(graph);
    }
    REQUIRE(cudaGraphDestroy(graph));
    nccl.check(nccl.comm_destroy(comm), "ncclCommDestroy");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "nccl") {
        auto* id = driver::shared_pages<driver::NcclId>(1);
        const std::string library = argc > 2 ? argv[2] : "libnccl.so.2";
        return driver::run_group(2, 60000000000ull, [&](driver::Rank& rank) { capture(rank, library, id); }) ? 0 : 2;
    }
    if (what != "chain") {
        fprintf(stderr, "usage: graph_nodes chain | graph_nodes nccl [libnccl.so.2]\n");
        return 1;
    }
    printf("blocks,threads,clocks,between,nodes,us_median,us_p05,us_p95\n");
    for (int blocks : {5, 21})
        for (int threads : {128, 512})
            for (long long clocks : {0ll, 1500ll, 6000ll})
                for (bool pdl : {false, true})
                    for (Between between : {kNothing, kRecord, kRecordBeside}) chain(blocks, threads, clocks, pdl, between);
    return 0;
}
