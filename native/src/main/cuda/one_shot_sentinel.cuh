// one-shot-sentinel: push the bare data to all; all ones means "not arrived" (TensorRT-LLM's Lamport kernels).
//
//   call n uses slot n%3 of three                       own region of every rank
//
//   wait for the grid before; read input pack i
//   pack i ---------------- link ---------------------> peers' slot[n%3][from me][i]
//   own slot[(n-1)%3][from r][i] = all ones             reset what call n-1 left, while the packs travel
//   poll own slot[n%3][from r][i] until no word is all ones
//   sum in rank order, round once, write output
//
// One one-way latency, once the bytes. Payload: bit for bit, but for words of all ones (a NaN): see wire.cuh, which also
// says why three slots suffice. The size of call n-1 is in the entries, so a call may be larger or smaller than
// the one before and still resets exactly what was written.
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void one_shot_sentinel(const VcParams& p) {
    one_shot_push<T, W, Sentinel>(p);
}

}  // namespace vc
