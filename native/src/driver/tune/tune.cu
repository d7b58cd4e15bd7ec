// The driver with variants for measuring: `--algorithms tuned` is all that exist for the world, or name them
// (sentinel.held, "pull.*"). sentinel.OUT_number and OUT_all need --calls that is a multiple of 3. All of it lies in this
// folder, in tune-session.sh, and between VC_TUNE's #ifdefs in the driver.
// Build: nvcc -std=c++17 -O3 -arch=native -o tune tune.cu
#define VC_TUNE 1
#define VC_EACH_KERNEL(X)                                                                                  \
    X(one_shot_pull, bf16, Bf16, 2) X(one_shot_pull, bf16, Bf16, 4) X(one_shot_pull, bf16, Bf16, 8)        \
    X(one_shot_ll, bf16, Bf16, 2) X(one_shot_ll, bf16, Bf16, 4) X(one_shot_ll, bf16, Bf16, 8)              \
    X(one_shot_sentinel, bf16, Bf16, 2) X(one_shot_sentinel, bf16, Bf16, 4) X(one_shot_sentinel, bf16, Bf16, 8)
#include "kernels.cuh"

#include "../driver.cu"
