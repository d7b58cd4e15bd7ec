// two-shot-sentinel: the steps of two_shot_ll.cuh with bare packs; all ones means "not arrived".
//
//   slot[n%3] of every region: [scatter from 0..W-1] [gather from 0..W-1], each as long as one part
//
//   1. scatter, 2. reset slot[(n-1)%3], 3. poll, sum, round, broadcast, 4. poll, write output
//
// Half the bytes of two-shot-ll. A rounded sum may be a NaN of all ones on no device we know, but is made sendable all
// the same, and the owner writes the sendable form to its own output too: every rank ends with the same bits.
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void two_shot_sentinel(const VcParams& p) {
    two_shot_push<T, W, Sentinel>(p);
}

}  // namespace vc
