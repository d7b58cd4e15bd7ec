// two-shot-ll: scatter, sum, broadcast; each step's packs carry their epoch. No barrier.
//
//   slot[e%2] of every region: [scatter from 0..W-1] [gather from 0..W-1], each as long as one part
//
//   1. to every owner q: my packs of part q ----------> q's [scatter from me]
//   2. poll own [scatter from r] for all r, sum in rank order, round once
//   3. the rounded packs of my part ------------------> everyone's [gather from me], and my output
//   4. poll own [gather from q] for all q, write output
//
// Two one-way latencies, 2 (W-1)/W of the payload out of each rank (times two for LL) instead of W-1 of it.
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void two_shot_ll(const VcParams& p) {
    two_shot_push<T, W, Ll>(p);
}

}  // namespace vc
