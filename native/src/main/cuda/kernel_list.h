// Which kernels there are, with their ids of abi.h, as lists of macros. The entry points (kernels.cu), the driver's tables and
// the emulation's all come from here, so what is missing here exists nowhere.
#pragma once

#include "abi.h"

// F(X, algorithm, id) for every all-reduce.
#define VC_EACH_ALGORITHM(F, X)                          \
    F(X, one_shot_pull, VC_ONE_SHOT_PULL)                \
    F(X, two_shot_pull, VC_TWO_SHOT_PULL)                \
    F(X, one_shot_ll, VC_ONE_SHOT_LL)                    \
    F(X, one_shot_sentinel, VC_ONE_SHOT_SENTINEL)        \
    F(X, two_shot_ll, VC_TWO_SHOT_LL)                    \
    F(X, two_shot_sentinel, VC_TWO_SHOT_SENTINEL)        \
    F(X, host_ll, VC_HOST_LL)                            \
    F(X, host_sentinel, VC_HOST_SENTINEL)
// Floors between ranks, F(X, floor, id), and those within one, X(floor, id).
#define VC_EACH_FLOOR_KIND(F, X)                         \
    F(X, floor_flag, VC_FLOOR_FLAG)                      \
    F(X, floor_exchange, VC_FLOOR_EXCHANGE)
#define VC_EACH_LOCAL_FLOOR(X)                           \
    X(floor_empty, VC_FLOOR_EMPTY)                       \
    X(floor_copy, VC_FLOOR_COPY)

// X(algorithm, id, dtype, element type, world) for every all-reduce kernel.
#define VC_EACH_WORLD(X, algorithm, id, dtype, T) \
    X(algorithm, id, dtype, T, 2) X(algorithm, id, dtype, T, 4) X(algorithm, id, dtype, T, 6) X(algorithm, id, dtype, T, 8)
#define VC_EACH_DTYPE(X, algorithm, id)         \
    VC_EACH_WORLD(X, algorithm, id, bf16, Bf16) \
    VC_EACH_WORLD(X, algorithm, id, fp16, Fp16) \
    VC_EACH_WORLD(X, algorithm, id, fp32, F32)
#define VC_EACH_KERNEL(X) VC_EACH_ALGORITHM(VC_EACH_DTYPE, X)
// X(floor, id, world) for every floor between ranks.
#define VC_EACH_FLOOR_WORLD(X, floor, id) X(floor, id, 2) X(floor, id, 4) X(floor, id, 6) X(floor, id, 8)
#define VC_EACH_FLOOR(X) VC_EACH_FLOOR_KIND(VC_EACH_FLOOR_WORLD, X)
