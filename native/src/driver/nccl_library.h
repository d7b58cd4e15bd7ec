// libnccl.so.2, opened at run time: the few calls this driver makes, as nccl.h of NCCL 2.17 and later declares them.
#pragma once

#include <dlfcn.h>

#include <string>

#include "group.h"

namespace driver {

struct NcclId {
    char bytes[128];
};
using NcclComm = void*;

struct NcclConfig21700 {  // ncclConfig_t of NCCL 2.17; later ones fill what it lacks with their defaults
    static constexpr int kUndefined = -2147483647 - 1;
    size_t size = sizeof(NcclConfig21700);
    unsigned magic = 0xcafebeef, version = 21700;
    int blocking = 1, cga_cluster_size = kUndefined, min_ctas = kUndefined, max_ctas = kUndefined;
    const char* net_name = nullptr;
    int split_share = kUndefined;
};
static_assert(sizeof(NcclConfig21700) == 48, "as nccl.h lays it out");

class NcclLibrary {
public:
    static constexpr int kSum = 0, kFloat16 = 6, kFloat32 = 7, kBfloat16 = 9, kCollectiveSymmetric = 1;

    // Opened in the rank's own process, after its variables are set.
    NcclLibrary(Rank& rank, const std::string& path, bool windows) : rank_(rank) {
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ == nullptr) rank_.fail("%s; name the library with --nccl or NCCL_LIB", dlerror());
        find(get_version, "ncclGetVersion");
        find(get_unique_id, "ncclGetUniqueId");
        find(comm_init_rank_config, "ncclCommInitRankConfig");
        find(all_reduce, "ncclAllReduce");
        find(comm_destroy, "ncclCommDestroy");
        find(comm_get_async_error, "ncclCommGetAsyncError");
        find(get_error_string, "ncclGetErrorString");
        find(get_last_error, "ncclGetLastError");
        if (!windows) return;
        find(mem_alloc, "ncclMemAlloc");
        find(mem_free, "ncclMemFree");
        find(comm_window_register, "ncclCommWindowRegister");
        find(comm_window_deregister, "ncclCommWindowDeregister");
    }

    void check(int result, const char* what, NcclComm comm = nullptr) {
        if (result != 0) rank_.fail("%s: %s; NCCL says: %s", what, get_error_string(result), get_last_error(comm));
    }

    std::string version() {
        int code = 0;
        check(get_version(&code), "ncclGetVersion");
        return std::to_string(code / 10000) + "." + std::to_string(code % 10000 / 100) + "." + std::to_string(code % 100);
    }

    int (*get_version)(int*) = nullptr;
    int (*get_unique_id)(NcclId*) = nullptr;
    int (*comm_init_rank_config)(NcclComm*, int ranks, NcclId, int rank, NcclConfig21700*) = nullptr;
    int (*all_reduce)(const void*, void*, size_t elements, int type, int op, NcclComm, cudaStream_t) = nullptr;
    int (*comm_destroy)(NcclComm) = nullptr;
    int (*comm_get_async_error)(NcclComm, int*) = nullptr;
    const char* (*get_error_string)(int) = nullptr;
    const char* (*get_last_error)(NcclComm) = nullptr;
    int (*mem_alloc)(void**, size_t) = nullptr;
    int (*mem_free)(void*) = nullptr;
    int (*comm_window_register)(NcclComm, void*, size_t, void** window, int flags) = nullptr;
    int (*comm_window_deregister)(NcclComm, void* window) = nullptr;

private:
    template <class F>
    void find(F& call, const char* name) {
        call = reinterpret_cast<F>(dlsym(handle_, name));
        if (call == nullptr) rank_.fail("this libnccl has no %s", name);
    }

    Rank& rank_;
    void* handle_ = nullptr;
};

}  // namespace driver
