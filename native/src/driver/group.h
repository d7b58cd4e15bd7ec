// The processes of one world: forked before any of them touches CUDA, joined by one block of anonymous shared memory.
//
// Every wait has a deadline and ends early when a rank has failed, so a driver never outlives its --limit-s.
#pragma once

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "../main/cuda/abi.h"

namespace driver {

inline uint64_t nanos() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}

template <class T>
T* shared_pages(size_t count) {
    void* p = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap of shared memory");
        exit(1);
    }
    return static_cast<T*>(p);  // zero
}

struct alignas(128) RankLine {
    cudaIpcMemHandle_t handle;
    uint64_t hash;
    char error[512];
};

struct Shared {
    std::atomic<uint32_t> arrived{0}, generation{0}, failed{0};
    RankLine ranks[VC_MAX_WORLD];
};

class Rank {
public:
    Rank(Shared* shared, unsigned rank, unsigned world, uint64_t deadline)
        : shared_(shared), rank_(rank), world_(world), deadline_(deadline) {}

    unsigned rank() const { return rank_; }
    unsigned world() const { return world_; }
    RankLine& line(unsigned r) { return shared_->ranks[r]; }

    // Ends this rank, and with it the group.
    [[noreturn]] void fail(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line(rank_).error, sizeof line(rank_).error, format, arguments);
        va_end(arguments);
        shared_->failed.store(1);
        _exit(1);
    }

    void check(cudaError_t code, const char* what) {
        if (code != cudaSuccess) fail("%s: %s", what, cudaGetErrorString(code));
    }

    // Leaves when the time is over or another rank has failed; call it in every wait.
    void still_waiting(const char* what) {
        if (shared_->failed.load(std::memory_order_relaxed) != 0) _exit(1);
        if (nanos() > deadline_) fail("time limit reached while waiting for %s", what);
    }

    void barrier() {
        const uint32_t generation = shared_->generation.load();
        if (shared_->arrived.fetch_add(1) + 1 == world_) {
            shared_->arrived.store(0);
            shared_->generation.fetch_add(1);
            return;
        }
        for (unsigned spins = 0; shared_->generation.load() == generation; spins++)
            if (spins > 200) {
                sched_yield();
                still_waiting("the other ranks");
            }
    }

    void wait(cudaEvent_t event, const char* what) {
        cudaError_t state;
        while ((state = cudaEventQuery(event)) == cudaErrorNotReady) still_waiting(what);
        check(state, what);
    }

private:
    Shared* shared_;
    unsigned rank_, world_;
    uint64_t deadline_;
};

// Runs `body` in one process per rank. True if all ended well; errors go to stderr.
inline bool run_group(unsigned world, uint64_t limit_nanos, const std::function<void(Rank&)>& body) {
    Shared* shared = new (shared_pages<Shared>(1)) Shared;
    const uint64_t deadline = nanos() + limit_nanos;
    std::vector<pid_t> pids;
    fflush(nullptr);
    for (unsigned r = 0; r < world; r++) {
        const pid_t pid = fork();
        if (pid < 0) {
            perror("fork");
            shared->failed.store(1);
            break;
        }
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            Rank rank(shared, r, world, deadline);
            body(rank);
            _exit(0);
        }
        pids.push_back(pid);
    }
    bool good = pids.size() == world;
    uint64_t kill_at = deadline + 3000000000u;
    size_t left = pids.size();
    while (left > 0) {
        for (pid_t& pid : pids) {
            int status = 0;
            if (pid == 0 || waitpid(pid, &status, WNOHANG) != pid) continue;
            const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (!well && good) {  // the others get 4 s to notice; kernels have their own, shorter deadline
                shared->failed.store(1);
                kill_at = nanos() + 4000000000u;
            }
            if (WIFSIGNALED(status)) fprintf(stderr, "rank %zu: signal %d\n", &pid - pids.data(), WTERMSIG(status));
            good = good && well;
            pid = 0;
            left--;
        }
        if (nanos() > kill_at)
            for (const pid_t pid : pids)
                if (pid != 0) kill(pid, SIGKILL);
        usleep(2000);
    }
    for (unsigned r = 0; r < world; r++)
        if (shared->ranks[r].error[0] != 0) fprintf(stderr, "rank %u: %s\n", r, shared->ranks[r].error);
    munmap(shared, sizeof(Shared));
    return good;
}

}  // namespace driver
