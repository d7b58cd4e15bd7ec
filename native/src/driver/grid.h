/* Which grid a call takes. Plain C; the Java program has the same rule (Geometry), and a test compares the two.
 *
 * World 2, by the sweeps over NVLink in native/README.md:
 *   one-shot          128 threads, a pack each, up to 512 blocks
 *   two-shot          the same up to 128 blocks; a larger part takes 128x256 up to 24,576 packs (768 KiB), beyond that 128x512
 *                     (sentinel at 576 KiB 3.89 us against 4.04, at 896 KiB 4.67 against 4.61; for pull a pack a thread in
 *                     256x128 would take 16 % longer at 576 KiB)
 * Else: the least of 128 (from world 6 on 256), ... 512 threads that gives every pack one, within the limit of blocks. At
 * world 8 256 threads take 4.06 us for 43,008 bytes, 128 take 4.31. The limit keeps two grids (pdl) of eight ranks that
 * share one GPU resident: a waiting block must not keep out the block it waits for. */
#ifndef VC_GRID_H
#define VC_GRID_H

#include "../main/cuda/abi.h"

typedef struct {
    uint32_t blocks, threads;
} VcGrid;

static inline uint32_t vc_least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t vc_blocks_for(uint32_t work, uint32_t threads) { return (work + threads - 1) / threads; }

/* Packs that one pass over the grid has to cover. */
static inline uint32_t vc_work_packs(enum VcAlgorithm algorithm, uint32_t packs, uint32_t world) {
    return vc_is_two_shot(algorithm) ? vc_part_packs(packs, world) : packs;
}

static inline uint32_t vc_most_blocks(enum VcAlgorithm algorithm, uint32_t world) {
    const int through_host = vc_board_bytes(algorithm, 1, world) != 0;
    if (world > 4) return 32;
    if (world > 2) return 64;
    return vc_is_two_shot(algorithm) || through_host ? 128 : 512;
}

static inline uint32_t vc_threads_for(uint32_t work, uint32_t world, uint32_t blocks) {
    uint32_t threads = world > 4 ? 256 : 128;
    while (threads < VC_MAX_THREADS && vc_blocks_for(work, threads) > blocks) threads *= 2;
    return threads;
}

static inline VcGrid vc_default_grid(enum VcAlgorithm algorithm, uint32_t packs, uint32_t world) {
    const uint32_t work = vc_work_packs(algorithm, packs, world), most = vc_most_blocks(algorithm, world);
    VcGrid grid = {1, 32};
    if (algorithm == VC_FLOOR_EMPTY || algorithm == VC_FLOOR_FLAG) return grid;
    grid.threads = most == VC_MAX_BLOCKS ? 128 : vc_threads_for(work, world, most);
    grid.blocks = vc_least(most, vc_blocks_for(work, grid.threads));
    if (world == 2 && vc_is_two_shot(algorithm) && work > 128 * 128) grid.blocks = 128, grid.threads = work > 192 * 128 ? 512 : 256;
    return grid;
}

/* blocks, threads: 0 where not given. What is given stays; the other fits it, and is the default's where the given one is. */
static inline VcGrid vc_grid(enum VcAlgorithm algorithm, uint32_t packs, uint32_t world, uint32_t blocks, uint32_t threads) {
    const uint32_t work = vc_work_packs(algorithm, packs, world);
    VcGrid grid = vc_default_grid(algorithm, packs, world);
    const int one = algorithm == VC_FLOOR_EMPTY || algorithm == VC_FLOOR_FLAG;
    if (blocks == 0 && threads != 0 && threads != grid.threads && !one)
        grid.blocks = vc_least(vc_most_blocks(algorithm, world), vc_blocks_for(work, threads));
    if (threads == 0 && blocks != 0 && blocks != grid.blocks && !one) grid.threads = vc_threads_for(work, world, blocks);
    if (blocks != 0) grid.blocks = blocks;
    if (threads != 0) grid.threads = threads;
    return grid;
}

#endif
