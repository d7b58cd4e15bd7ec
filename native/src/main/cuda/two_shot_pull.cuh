// two-shot-pull: SGLang's and vLLM's 2stage. Each rank sums one part, then reads the other parts' sums.
//
//   block b on every rank r
//   1. flag start[b] = e, await start[b] == e of all         inputs are there; and call e-1 has been gathered by all
//   2. read packs of part r from all inputs, sum, round, write to own region and to output
//   3. flag middle[b] = e with release, await with acquire    the sums of block b of every rank can be read
//   4. read part q's sums from rank q's region, write output
//
// No end barrier: after 3 all inputs have been read, and the sums in the region are not overwritten before the next
// call's step 1, which a rank passes only when all have completed this grid. Step 4 reads exactly the packs that the
// same block number wrote in step 2, so a flag per block is enough: thread t handles the same pack numbers in both.
#pragma once

#include "protocol.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void two_shot_pull(const VcParams& p) {
    constexpr uint32_t kStart = 0, kMiddle = 1;
    if (!launch_fits<W>(p, W)) return;
    const Bookkeeping own = bookkeeping(p);
    const uint32_t rank = held(p.rank), first = grid_thread(), step = grid_threads();
    const Flags<W> flags(p, rank);
    Pack* output = held(reinterpret_cast<Pack*>(p.output));
    Pack* sums = held(region_at<Pack>(p, rank, VC_SLOTS_OFFSET));
    const Pack* input[W];
#pragma unroll
    for (int r = 0; r < W; r++) input[r] = held(reinterpret_cast<const Pack*>(p.peer_input[r]));
    const uint32_t part = held(vc_part_packs(p.packs, W)), mine_at = rank * part;
    const uint32_t mine = mine_at >= p.packs ? 0u : (p.packs - mine_at < part ? p.packs - mine_at : part);

    pdl_wait();
    Call call;
    if (!begin<2>(own, call)) return;
    flags.template send<Order::kBoundary>(kStart, call.epoch);
    pdl_trigger();
    if (!block_agrees(flags.template await<Order::kBoundary>(p, kStart, call.epoch))) return;
    advance(p, own, call);

    for (uint32_t i = first; i < mine; i += step) {
        Pack v[W];
#pragma unroll
        for (int r = 0; r < W; r++) v[r] = load_published(input[r] + mine_at + i);
        const Pack sum = sum_in_rank_order<T, W>(v);
        store_published(sums + i, sum);
        store_output(output + mine_at + i, sum);
    }
    block_barrier();
    flags.template send<Order::kRelease>(kMiddle, call.epoch);
    if (!block_agrees(flags.template await<Order::kRelease>(p, kMiddle, call.epoch))) return;

    for (uint32_t i = first; i < part; i += step) {
        Pack v[W];
#pragma unroll
        for (int k = 1; k < W; k++) {  // rotated by rank: not everyone at the same peer first
            const uint32_t owner = (rank + k) % W;
            if (owner * part + i < p.packs) v[k] = load_published(region_at<const Pack>(p, owner, VC_SLOTS_OFFSET) + i);
        }
#pragma unroll
        for (int k = 1; k < W; k++) {
            const uint32_t at = (rank + k) % W * part + i;
            if (at < p.packs) store_output(output + at, v[k]);
        }
    }
}

}  // namespace vc
