// host-sentinel: one-shot-sentinel through pinned host memory; half the bytes of host-ll.
//
//   board in host memory, mapped by all ranks: slot[n%4] [from 0][from 1]...
//
//   my pack i -------------- bus ----> board slot[n%4][from me][i]     written once, not once per peer
//   my area of slot[(n-2)%4] = all ones                                 reset by its writer, while the packs travel
//   poll board slot[n%4][from r][i] for all r <------ bus               W-1 reads over the bus
//
// region[r] is the board for every r; the control area stays in device memory. Payload as in one_shot_sentinel; wire.cuh
// says why the writer resets and why that takes four slots.
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void host_sentinel(const VcParams& p) {
    one_shot_push<T, W, BoardSentinel, Place::kBoard>(p);
}

}  // namespace vc
