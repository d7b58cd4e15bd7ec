// one-shot-ll: push to all as lines that carry their epoch (NCCL's LL), poll the own buffer. No barrier, no reset.
//
//   rank 0                                              rank 1
//   region: slot[e%2] [from 0][from 1]                  region: slot[e%2] [from 0][from 1]
//
//   wait for the grid before; read input pack i         the same
//   {d0 e d1 e}{d2 e d3 e} ------- link ------------->  [from 0][i]
//   [from 1][i]  <---------------- link --------------  {d0 e d1 e}{d2 e d3 e}
//   poll own [from 1][i] until all four flags are e     poll own [from 0][i] ...
//   sum in rank order, round once, write output         the same
//
// One one-way latency, twice the bytes. Any payload. Two slots suffice: see wire.cuh. A stale line of an earlier call,
// size or grid carries an earlier epoch and is not taken for data.
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void one_shot_ll(const VcParams& p) {
    one_shot_push<T, W, Ll>(p);
}

}  // namespace vc
