/* What the host hands to a kernel, and how a rank's memory is laid out.
 *
 * Plain C, because three hosts fill it: Java writes the struct as raw bytes, the C++ driver and the emulation tests use
 * it directly. Every offset below is asserted at the end of the file; change one and VC_ABI_VERSION goes up.
 *
 * One *region* belongs to one rank and one prepared collective. It is never shared by two algorithms: a sentinel slot
 * and a flag slot read each other's bytes as data, and that gives wrong sums on some ranks instead of a hang
 * (flashinfer#4393). One collective may change its size and its grid from call to call.
 *
 *   own region (IPC-exported device memory)            offset
 *   +--------------------------------------------+     0
 *   | VcControl: fault                           |         read and written by the owner only
 *   +--------------------------------------------+     VC_FLAGS_OFFSET
 *   | flags[phase][block][source rank], 4 bytes  |         written by peers (pull, flag floor)
 *   +--------------------------------------------+     VC_ENTRIES_OFFSET
 *   | VcEntry[block]: epoch, slot, last size     |         read and written by the owner only
 *   +--------------------------------------------+     (unused)
 *   +--------------------------------------------+     VC_SLOTS_OFFSET
 *   | slots: receive buffers, per algorithm      |         written by peers (push algorithms)
 *   +--------------------------------------------+     vc_region_bytes(...)
 *
 * host_ll and host_sentinel are exceptions: their slots are one *board* in pinned host memory that all ranks map
 * (vc_board_bytes, slots from byte 0, filled as slots are), their control area still a region in device memory, since a poll of host memory costs a bus round trip.
 *
 * Before the first call, and after a fault: the first VC_SLOTS_OFFSET bytes zero, the slots filled with
 * VC_SENTINEL_FILL for the sentinel algorithms and zero for all others, on every rank, and then a barrier of the hosts.
 */
#ifndef VERIFYCYCLE_ABI_H
#define VERIFYCYCLE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define VC_ABI_VERSION 2u
#define VC_MAX_WORLD 8u
#define VC_MAX_THREADS 512u    /* __launch_bounds__ of every kernel: leaves 128 registers a thread at world 8 */
#define VC_MAX_BLOCKS 512u     /* per-block flags and entries that fit before VC_SLOTS_OFFSET */
#define VC_MAX_PACKS 4194304u  /* 64 MiB in 16-byte packs */
#define VC_FLAG_PHASES 2u
#define VC_FLAGS_OFFSET 256u
#define VC_ENTRIES_OFFSET 33024u
#define VC_SLOTS_OFFSET 65536u
#define VC_SENTINEL_FILL 0xFF
#define VC_PART_PACKS 8u       /* parts of the two-shot algorithms start on 128-byte lines (b12x measured 42 us for 18) */

/* The one kernel parameter, by value. Addresses are device addresses as this process maps them. */
typedef struct VcParams {
    uint64_t input;                    /*   0  this rank's input, 16-byte aligned */
    uint64_t output;                   /*   8  this rank's output; may be the input except in pull algorithms */
    uint64_t control;                  /*  16  this rank's VcControl; always memory of this GPU */
    uint64_t fault;                    /*  24  this rank's VcFault, mapped pinned host memory */
    uint64_t deadline_nanos;           /*  32  longest wait for a peer within one call */
    uint32_t rank;                     /*  40 */
    uint32_t world;                    /*  44  must be the kernel's _wN */
    uint32_t packs;                    /*  48  bytes / 16 of this call, at least 1 */
    uint32_t capacity;                 /*  52  packs a slot was laid out for: the largest call of this region */
    uint32_t version;                  /*  56  VC_ABI_VERSION */
    uint32_t max_blocks;               /*  60  blocks of this region's largest grid; the same in every call on it */
    uint64_t region[VC_MAX_WORLD];     /*  64  region (host_*: the board) of every rank, own included */
    uint64_t peer_input[VC_MAX_WORLD]; /* 128  pull algorithms: input of every rank, own included; else unused */
} VcParams;                            /* 192 */

/* Owner's state, in device memory so that graph replays advance it. */
typedef struct VcControl {
    uint32_t fault;      /*   0  VcFaultCode once any wait failed: later calls return at once */
    uint32_t pad[63];
} VcControl;             /* 256 */

/* One block's copy of which call this is: block b reads entry b with one 16-byte load. All of them say the same between
 * grids. A copy per block, so that a block can advance its own without asking the others: protocol.cuh. */
typedef struct VcEntry {
    uint32_t epoch;      /*   0  number of the last call, never 0 after the first; wraps from 2^32-1 to 1 */
    uint32_t slot;       /*   4  slot of the last call; kept apart from the epoch because 2^32 % 3 is not 0 */
    uint32_t last_packs; /*   8  size of the last call: what a sentinel kernel has to clear */
    uint32_t older_packs; /* 12  size of the call before that: what host_sentinel has to clear */
    uint32_t pad[4];     /*  16  to a sector of its own */
} VcEntry;               /*  32 */

/* Written by the first thread whose wait failed; `code` last. */
typedef struct VcFault {
    uint32_t code;     /*   0  VcFaultCode */
    uint32_t rank;     /*   4  who waited */
    uint32_t peer;     /*   8  for whom */
    uint32_t slot;     /*  12  slot (push) or flag phase (pull) */
    uint32_t block;    /*  16  block of the grid that waited */
    uint32_t position; /*  20  pack that did not come (two-shot: of a part); where flags are sent, the block's flag */
    uint32_t expected; /*  24  epoch waited for */
    uint32_t seen;     /*  28  flag seen instead; for a sentinel the word that stood there */
} VcFault;             /*  32 */

enum VcFaultCode {
    VC_OK = 0,
    VC_FAULT_DEADLINE = 1,  /* a peer's data or flag did not come in time */
    VC_FAULT_ARGUMENTS = 2  /* launch and parameters don't fit the kernel: never a silent no-op */
};

/* Parameter of vc_spin. */
typedef struct VcSpin {
    uint64_t nanos; /* 0 */
} VcSpin;

/* Parameter of the vc_probe_* kernels: probe.cuh says what each does with it. */
#define VC_PROBE_PEERS 8u
#define VC_PROBE_BLOCKS 128u
#define VC_PROBE_DATA_OFFSET 4096u
typedef struct VcProbe {
    uint64_t own;                  /*   0  this GPU's probe memory: VcProbeControl, data from VC_PROBE_DATA_OFFSET */
    uint64_t result;               /*   8  this GPU's VcProbeResult, mapped pinned host memory */
    uint64_t gate;                 /*  16  word in mapped host memory that must not be 0 before data moves; 0: none */
    uint64_t deadline_nanos;       /*  24  longest wait */
    uint64_t bytes;                /*  32  to or from each peer, a multiple of 16 */
    uint32_t peers;                /*  40  entries of peer, 1 .. VC_PROBE_PEERS */
    uint32_t rounds;               /*  44 */
    uint32_t width;                /*  48  bytes of one store: 4, 8 or 16 */
    uint32_t begins;               /*  52  flag: 1 on the side that sends first */
    uint32_t warmup;               /*  56  flag: rounds that are not timed */
    uint32_t pad;                  /*  60 */
    uint64_t peer[VC_PROBE_PEERS]; /*  64  probe memory of others as this process reaches it */
} VcProbe;                         /* 128 */

/* Start of a GPU's probe memory; zero before each test. Every word on a line of its own. */
typedef struct VcProbeControl {
    uint32_t flag, pad0[31];  /*   0  written by the peer */
    uint32_t epoch, pad1[31]; /* 128  number of the last call, kept here so that graph replays advance it */
    uint32_t wrong, pad2[31]; /* 256  words that were not as written, all calls */
    uint32_t torn, pad3[31];  /* 384  loads that saw parts of two stores */
} VcProbeControl;             /* 512 */

typedef struct VcProbeResult {
    uint32_t code;     /*   0  VcFaultCode */
    uint32_t wrong;    /*   4 */
    uint32_t torn;     /*   8 */
    uint32_t calls;    /*  12  checks that were made: a kernel that did nothing is no good news */
    uint64_t nanos;    /*  16  flag: of the timed rounds */
    uint64_t pad;      /*  24 */
    struct { uint64_t start, end; } block[VC_PROBE_BLOCKS]; /* 32  store, load: when each block began and had ended */
} VcProbeResult;       /* 2080 */

enum VcAlgorithm {
    VC_ONE_SHOT_PULL = 0,
    VC_TWO_SHOT_PULL = 1,
    VC_ONE_SHOT_LL = 2,
    VC_ONE_SHOT_SENTINEL = 3,
    VC_TWO_SHOT_LL = 4,
    VC_TWO_SHOT_SENTINEL = 5,
    VC_HOST_LL = 6,
    VC_FLOOR_EMPTY = 7,
    VC_FLOOR_FLAG = 8,
    VC_FLOOR_EXCHANGE = 9,
    VC_FLOOR_COPY = 10,
    VC_HOST_SENTINEL = 11
};

#ifdef __CUDACC__
#define VC_HOST_DEVICE __host__ __device__
#else
#define VC_HOST_DEVICE
#endif

/* Packs of one rank's part in a two-shot call; the last parts may be shorter or empty. */
VC_HOST_DEVICE static inline uint32_t vc_part_packs(uint32_t packs, uint32_t world) {
    const uint32_t part = (packs + world - 1u) / world;
    return (part + VC_PART_PACKS - 1u) / VC_PART_PACKS * VC_PART_PACKS;
}

/* Switches over VcAlgorithm name every algorithm: for gcc and nvcc on it one that is missing is an error. A default would
 * give a forgotten one a region without slots, and its kernel would write behind it. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
#endif

/* Bytes of a region; capacity in packs. host_*: the control region only, see vc_board_bytes. */
static inline uint64_t vc_region_bytes(enum VcAlgorithm algorithm, uint32_t capacity, uint32_t world) {
    const uint64_t pack = 16, line = 32; /* an LL line carries 8 of its 16 bytes */
    const uint64_t all = (uint64_t)world * capacity, parts = (uint64_t)world * vc_part_packs(capacity, world);
    switch (algorithm) {
        case VC_TWO_SHOT_PULL: return VC_SLOTS_OFFSET + pack * vc_part_packs(capacity, world);
        case VC_ONE_SHOT_LL: return VC_SLOTS_OFFSET + 2 * line * all;
        case VC_ONE_SHOT_SENTINEL: return VC_SLOTS_OFFSET + 3 * pack * all;
        case VC_TWO_SHOT_LL: return VC_SLOTS_OFFSET + 2 * 2 * line * parts;
        case VC_TWO_SHOT_SENTINEL: return VC_SLOTS_OFFSET + 3 * 2 * pack * parts;
        case VC_FLOOR_EXCHANGE: return VC_SLOTS_OFFSET + 2 * pack * all;
        case VC_ONE_SHOT_PULL: case VC_HOST_LL: case VC_HOST_SENTINEL:
        case VC_FLOOR_EMPTY: case VC_FLOOR_FLAG: case VC_FLOOR_COPY: return VC_SLOTS_OFFSET;
    }
    return 0; /* a number that is no algorithm */
}

/* Bytes of the board in pinned host memory; 0 where there is none. */
static inline uint64_t vc_board_bytes(enum VcAlgorithm algorithm, uint32_t capacity, uint32_t world) {
    const uint64_t pack = 16, line = 32, all = (uint64_t)world * capacity;
    switch (algorithm) {
        case VC_HOST_LL: return 2 * line * all;
        case VC_HOST_SENTINEL: return 4 * pack * all;
        case VC_ONE_SHOT_PULL: case VC_TWO_SHOT_PULL: case VC_ONE_SHOT_LL: case VC_ONE_SHOT_SENTINEL:
        case VC_TWO_SHOT_LL: case VC_TWO_SHOT_SENTINEL:
        case VC_FLOOR_EMPTY: case VC_FLOOR_FLAG: case VC_FLOOR_EXCHANGE: case VC_FLOOR_COPY: return 0;
    }
    return 0;
}

/* Byte value that the slots hold before the first call. */
static inline int vc_slot_fill(enum VcAlgorithm algorithm) {
    switch (algorithm) {
        case VC_ONE_SHOT_SENTINEL: case VC_TWO_SHOT_SENTINEL: case VC_HOST_SENTINEL: return VC_SENTINEL_FILL;
        case VC_ONE_SHOT_PULL: case VC_TWO_SHOT_PULL: case VC_ONE_SHOT_LL: case VC_TWO_SHOT_LL: case VC_HOST_LL:
        case VC_FLOOR_EMPTY: case VC_FLOOR_FLAG: case VC_FLOOR_EXCHANGE: case VC_FLOOR_COPY: return 0;
    }
    return 0;
}

/* Whether ranks read each other's inputs: peer_input is needed, and input and output must be two buffers. */
static inline int vc_pulls(enum VcAlgorithm algorithm) {
    switch (algorithm) {
        case VC_ONE_SHOT_PULL: case VC_TWO_SHOT_PULL: return 1;
        case VC_ONE_SHOT_LL: case VC_ONE_SHOT_SENTINEL: case VC_TWO_SHOT_LL: case VC_TWO_SHOT_SENTINEL:
        case VC_HOST_LL: case VC_HOST_SENTINEL:
        case VC_FLOOR_EMPTY: case VC_FLOOR_FLAG: case VC_FLOOR_EXCHANGE: case VC_FLOOR_COPY: return 0;
    }
    return 0;
}

/* Whether each rank sums a part that all then gather. */
static inline int vc_is_two_shot(enum VcAlgorithm algorithm) {
    switch (algorithm) {
        case VC_TWO_SHOT_PULL: case VC_TWO_SHOT_LL: case VC_TWO_SHOT_SENTINEL: return 1;
        case VC_ONE_SHOT_PULL: case VC_ONE_SHOT_LL: case VC_ONE_SHOT_SENTINEL: case VC_HOST_LL: case VC_HOST_SENTINEL:
        case VC_FLOOR_EMPTY: case VC_FLOOR_FLAG: case VC_FLOOR_EXCHANGE: case VC_FLOOR_COPY: return 0;
    }
    return 0;
}

/* Whether ranks send flags, a thread for each peer, so that a block needs as many threads as there are ranks. */
static inline int vc_sends_flags(enum VcAlgorithm algorithm) { return vc_pulls(algorithm) || algorithm == VC_FLOOR_FLAG; }

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#ifdef __cplusplus
static_assert(offsetof(VcParams, rank) == 40 && offsetof(VcParams, version) == 56, "VcParams is drawn wrong");
static_assert(offsetof(VcParams, region) == 64 && offsetof(VcParams, peer_input) == 128, "VcParams is drawn wrong");
static_assert(sizeof(VcParams) == 192 && sizeof(VcFault) == 32 && sizeof(VcSpin) == 8, "ABI struct size");
static_assert(offsetof(VcParams, max_blocks) == 60 && sizeof(VcEntry) == 32, "VcParams or VcEntry is drawn wrong");
static_assert(sizeof(VcControl) == VC_FLAGS_OFFSET, "control area must end where the flags begin");
static_assert(VC_FLAGS_OFFSET + 4u * VC_FLAG_PHASES * VC_MAX_BLOCKS * VC_MAX_WORLD == VC_ENTRIES_OFFSET, "flags end");
static_assert(VC_ENTRIES_OFFSET + sizeof(VcEntry) * VC_MAX_BLOCKS <= VC_SLOTS_OFFSET, "entries overlap the slots");
static_assert(sizeof(VcProbe) == 128 && offsetof(VcProbe, peers) == 40 && offsetof(VcProbe, peer) == 64, "VcProbe is drawn wrong");
static_assert(sizeof(VcProbeControl) == 512 && sizeof(VcProbeControl) <= VC_PROBE_DATA_OFFSET, "VcProbeControl is drawn wrong");
static_assert(offsetof(VcProbeResult, nanos) == 16 && offsetof(VcProbeResult, block) == 32, "VcProbeResult is drawn wrong");
#endif

#endif
