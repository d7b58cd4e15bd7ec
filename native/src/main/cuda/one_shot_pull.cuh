// one-shot-pull: SGLang's and vLLM's 1stage. Every rank reads all inputs over the links and sums everything itself.
//
//   rank 0                          rank 1                      (block b, on every rank)
//   wait for the grid before        wait for the grid before    inputs are complete and visible
//   flag start[b] = e ------------> await start[b] == e
//   await start[b] == e <---------- flag start[b] = e           nobody reads an input that is not there yet
//   read inputs of ranks 0..W-1, sum in rank order, write output
//   flag end[b] = e --------------> await end[b] == e
//   await end[b] == e <------------ flag end[b] = e             nobody returns while its input is still being read
//
// The end barrier is what lets the next operation on the stream overwrite the input. Without it a graph replay gives
// garbage now and then (aiter#3514; tested as a negative control). Differences to vLLM's kernel: one epoch per call
// instead of a counter per block (a grid may change), any grid, no pointer loaded from memory, bounded waits.
//
// One way latencies: flag, read (there and back), flag: about four.
#pragma once

#include "protocol.cuh"

namespace vc {

template <class T, int W>
__device__ __forceinline__ void one_shot_pull(const VcParams& p) {
    constexpr uint32_t kStart = 0, kEnd = 1;
    Pack* output = reinterpret_cast<Pack*>(p.output);
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;

    pdl_wait();
    Call call;
    if (!begin<W, 2>(p, call) || !flags_fit<W>(p)) return;
    send_flag<W, Order::kBoundary>(p, kStart, call.epoch);
    pdl_trigger();
    if (!block_agrees(await_flag<W, Order::kBoundary>(p, kStart, call.epoch))) return;
    const uint32_t count = count_block(p);

    for (uint32_t i = first; i < p.packs; i += step) {
        Pack v[W];
#pragma unroll
        for (int r = 0; r < W; r++) v[r] = load_published(reinterpret_cast<const Pack*>(p.peer_input[r]) + i);
        store_output(output + i, sum_in_rank_order<T, W>(v));
    }

    block_barrier();  // every load of this block has been summed and stored: it is done
    send_flag<W, Order::kBoundary>(p, kEnd, call.epoch);
    await_flag<W, Order::kBoundary>(p, kEnd, call.epoch);
    conclude(p, call, count);
}

}  // namespace vc
