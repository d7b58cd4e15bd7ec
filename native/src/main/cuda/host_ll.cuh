// host-ll: one-shot-ll through pinned host memory, for boxes whose GPUs can't reach each other.
//
//   board in host memory, mapped by all ranks: slot[e%2] [from 0][from 1]...
//
//   my pack i as two LL lines ---- bus ----> board [from me][i]      written once, not once per peer
//   poll board [from r][i] for all r <------ bus                     W-1 reads over the bus
//
// region[r] is the board for every r; the control area stays in device memory. Two slots suffice as for one-shot-ll:
// whoever is in call n+2 knows that all have completed call n, readers included. 8-byte words arrive whole over PCIe
// (NCCL's LL over shared memory relies on the same).
#pragma once

#include "push.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void host_ll(const VcParams& p) {
    one_shot_push<T, W, Ll, Place::kBoard>(p);
}

}  // namespace vc
