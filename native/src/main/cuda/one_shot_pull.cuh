// one-shot-pull: SGLang's and vLLM's 1stage. Every rank reads all inputs over the links and sums everything itself.
//
//   rank 0                          rank 1                      (block b, on every rank)
//   wait for the grid before        wait for the grid before    inputs are complete and visible
//   flag start[b] = e ------------> await start[b] == e
//   await start[b] == e <---------- flag start[b] = e           nobody reads an input that is not there yet
//   read inputs of ranks 0..W-1
//   flag end[b] = e --------------> await end[b] == e
//   sum in rank order, write output
//   await end[b] == e <------------ flag end[b] = e             nobody returns while its input is still being read
//
// The end barrier is what lets the next operation on the stream overwrite the input. Without it a graph replay gives
// garbage now and then (aiter#3514; tested as a negative control). Differences to vLLM's kernel: copies of one
// epoch instead of a counter per block (a grid may change), any grid, no pointer loaded from memory, bounded waits.
//
// One way latencies: flag, read (there and back), flag: about four.
#pragma once

#include "protocol.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void one_shot_pull(const VcParams& p) {
    constexpr uint32_t kStart = 0, kEnd = 1;
    if (!launch_fits<W>(p, W)) return;
    const Bookkeeping own = bookkeeping(p);
    const Flags<W> flags(p, held(p.rank));
    const uint32_t packs = held(p.packs), first = grid_thread(), step = grid_threads();
    Pack* output = held(reinterpret_cast<Pack*>(p.output));
    const Pack* input[W];
#pragma unroll
    for (int r = 0; r < W; r++) input[r] = held(reinterpret_cast<const Pack*>(p.peer_input[r]));

    pdl_wait();
    Call call;
    if (!begin<2>(own, call)) return;
    flags.template send<Order::kBoundary>(kStart, call.epoch);
    pdl_trigger();
    if (!block_agrees(flags.template await<Order::kBoundary>(p, kStart, call.epoch))) return;
    advance(p, own, call);

    Pack v[W] = {};
    uint32_t i = first;
    for (; i + step < packs; i += step) {
#pragma unroll
        for (int r = 0; r < W; r++) v[r] = load_published(input[r] + i);
        store_output(output + i, sum_in_rank_order<T, W>(v));
    }
    // Each thread's last pack, in the usual grid its only one: the peers may go on once it is loaded, its sum is ours
    // (-0.3 us at world 8, alone; at world 2 it pays only with the other changes).
    const bool busy = i < packs;
    if (busy)
#pragma unroll
        for (int r = 0; r < W; r++) v[r] = load_published(input[r] + i);
    if (!block_agrees(loaded(v))) return;
    flags.template send<Order::kBoundary>(kEnd, call.epoch);
    if (busy) store_output(output + i, sum_in_rank_order<T, W>(v));
    flags.template await<Order::kBoundary>(p, kEnd, call.epoch);
}

}  // namespace vc
