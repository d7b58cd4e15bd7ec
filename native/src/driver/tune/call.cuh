// Variants for measuring only: what a call costs beside moving its data. Bits of F choose; kernels.cuh lists the kernels.
//
// Own words of every block ("entries"): block b reads {epoch, slot, last packs, fault seen} from entry[b], and after its
// own block_barrier() writes the next values to entry[b], entry[b + grid], ...: all 512, so the next call may have any
// grid. No atomic, no last block, nothing to store after the polls. They lie between the flags and the slots.
//
// ahead: the entry is read and advanced *before* griddepcontrol.wait. A grid is launched only after every block of the
// grid before has triggered, and a block triggers only after its entries were read back from L2 by the thread that stored
// them. (If some foreign grid lies between, it too was launched after those triggers.)
//
// frozen: the call's number comes as a parameter frozen at capture. Valid only while hosts meet between replays: it shows
// what a call number that costs nothing would give.
#pragma once

#include "memory.cuh"

namespace tune {

using namespace vc;

enum Flags : unsigned {
    kWarm = 1u << 0,         // read every line of parameters before the wait
    kHeld = 1u << 1,         // parameters and addresses in registers before the wait
    kTriggerWait = 1u << 2,  // trigger: right after the wait,
    kTriggerLoad = 1u << 3,  //   between issuing the first load and using it,
    kTriggerOwn = 1u << 4,   //   after own sends, without a barrier; none of the three: after sends and barrier
    kEntries = 1u << 5,      // entries, read after the wait
    kAhead = 1u << 6,        // entries, read before the wait
    kFrozen = 1u << 7,       // call number as parameter (shows a limit)
    kPoll2 = 1u << 8,        // two polls in flight, half a latency apart
    kPoll3 = 1u << 9,
    kCold = 1u << 10,        // fault reports in a function of their own
    kSimple = 1u << 11,      // world > 2: poll all peers until one round has everything: no mask
    kEndEarly = 1u << 12,    // pull: end flag once loads are there, before the sum
    kNoChecks = 1u << 13,    // shows a limit: neither fault word nor arguments looked at
    kNoDeadline = 1u << 14,  // shows a limit: polls for ever
    kNoEnd = 1u << 15,       // shows a limit: pull without its end barrier (wrong)
    kNoData = 1u << 16,      // floor: no input, no output
    kPeeled = 1u << 17,      // first pack of a thread in straight-line code, a loop only for the rest
};

constexpr uint32_t kEntriesOffset = VC_FLAGS_OFFSET + 4u * VC_FLAG_PHASES * VC_MAX_BLOCKS * VC_MAX_WORLD;
constexpr uint32_t kEntryBytes = 32;
static_assert(kEntriesOffset + kEntryBytes * VC_MAX_BLOCKS <= VC_SLOTS_OFFSET, "entries overlap the slots");

__device__ __forceinline__ uint32_t* entry_at(uint64_t control, uint32_t block) {
    return reinterpret_cast<uint32_t*>(control + kEntriesOffset + block * kEntryBytes);
}

VC_OUT_OF_LINE __device__ inline void report_cold(const VcParams& p, uint32_t code, uint32_t peer, uint32_t slot,
                                                  uint32_t position, uint32_t expected, uint32_t seen) {
    report(p, code, peer, slot, position, expected, seen);
}
template <unsigned F>
__device__ __forceinline__ void report_as(const VcParams& p, uint32_t code, uint32_t peer, uint32_t slot,
                                          uint32_t position, uint32_t expected, uint32_t seen) {
    if (F & kCold) report_cold(p, code, peer, slot, position, expected, seen);
    else report(p, code, peer, slot, position, expected, seen);
}

template <int W>
__device__ __forceinline__ bool arguments_fit(const VcParams& p) {
    return !(p.world != W || p.rank >= W || p.packs == 0u || p.packs > p.capacity || p.version != VC_ABI_VERSION);
}

struct State {
    Call call;
    uint32_t count = 0;        // atomics: blocks counted before this one
    uint32_t fault = VC_OK;    // entries: the rank's fault word, known once the data is
    uint32_t read_back = 0;    // ahead: the first entry written by this thread, as L2 has it
};

template <uint32_t kSlots>
__device__ __forceinline__ void decode(const Pack& c, Call& call) {
    call.epoch = epoch_after(c.x);
    call.previous_slot = c.y;
    call.slot = c.y + 1u == kSlots ? 0u : c.y + 1u;
    call.dirty_packs = c.z;
}

__device__ __forceinline__ void write_entries(uint64_t control, uint32_t packs, const Call& call, uint32_t fault) {
    for (uint32_t b = blockIdx.x + threadIdx.x * gridDim.x; b < VC_MAX_BLOCKS; b += gridDim.x * blockDim.x)
        store_entry(entry_at(control, b), Pack{call.epoch, call.slot, packs, fault});
}

// Before pdl_wait(). False: return; then nothing of the grid before has been touched but after its end.
template <int W, uint32_t kSlots, unsigned F>
__device__ __forceinline__ bool before_wait(const VcParams& p, uint64_t control, State& s) {
    if (F & (kWarm | kHeld)) {
        // A branch, so that all of it is read here; the addresses stand for the lines they lie on.
        const bool fits = (F & kNoChecks) || arguments_fit<W>(p);
        uint64_t all = p.deadline_nanos | p.fault | p.input | p.output | control;
#pragma unroll
        for (int r = 0; r < W; r++) all |= p.region[r] | p.peer_input[r];
        if (!fits || all == 0) {
            pdl_wait();
            report_as<F>(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, W, p.world);
            return false;
        }
    }
    if (F & kFrozen) {
        const uint32_t number = (p.reserved & 0xFFFFu), calls = p.reserved >> 16;
        s.call.epoch = number + 1u;
        s.call.slot = number % kSlots;
        s.call.previous_slot = (number == 0u ? calls - 1u : number - 1u) % kSlots;
        s.call.dirty_packs = p.packs;
    }
    if (F & kAhead) {
        const Pack c = load_control(reinterpret_cast<const VcControl*>(entry_at(control, blockIdx.x)));
        decode<kSlots>(c, s.call);
        s.fault = c.w;
        block_barrier();
        write_entries(control, p.packs, s.call, c.w);
        const uint32_t b = blockIdx.x + threadIdx.x * gridDim.x;
        s.read_back = s.call.epoch;
        if (b < VC_MAX_BLOCKS) s.read_back = load_control_word(entry_at(control, b));
    }
    return true;
}

// After pdl_wait() and the load of the input. False: return.
template <int W, uint32_t kSlots, unsigned F>
__device__ __forceinline__ bool begin_call(const VcParams& p, uint64_t control, State& s) {
    uint32_t fault_before = VC_OK;
    if (F & kFrozen) {
        if (!(F & kNoChecks)) fault_before = load_control_word(&reinterpret_cast<VcControl*>(control)->fault);
    } else if (F & kAhead) {
        fault_before = s.fault;  // as of two calls ago at least; the rank's word is looked at before the output
        s.fault = load_control_word(&reinterpret_cast<VcControl*>(control)->fault);
    } else if (F & kEntries) {
        const Pack c = load_control(reinterpret_cast<const VcControl*>(entry_at(control, blockIdx.x)));
        s.fault = load_control_word(&reinterpret_cast<VcControl*>(control)->fault);
        decode<kSlots>(c, s.call);
        fault_before = c.w;
    } else {
        const Pack c = load_control(reinterpret_cast<const VcControl*>(control));
        decode<kSlots>(c, s.call);
        fault_before = c.w;
    }
    if (F & kNoChecks) return true;
    if (fault_before != VC_OK) return false;
    if (!(F & (kWarm | kHeld)) && !arguments_fit<W>(p)) {
        report_as<F>(p, VC_FAULT_ARGUMENTS, p.rank, 0, 0, W, p.world);
        return false;
    }
    return true;
}

// After a block_barrier() that follows begin_call(). False: an earlier call failed.
template <unsigned F>
__device__ __forceinline__ bool advance(const VcParams& p, uint64_t control, State& s) {
    if (F & kFrozen) return true;
    if (F & kAhead) return s.fault == VC_OK || (F & kNoChecks);
    if (F & kEntries) {
        write_entries(control, p.packs, s.call, s.fault);
        return s.fault == VC_OK || (F & kNoChecks);
    }
    s.count = count_block(p);
    return true;
}
// ahead: before the trigger; a next grid that runs must find the entries.
template <unsigned F>
__device__ __forceinline__ void before_trigger(uint64_t control, State& s) {
    if (!(F & kAhead)) return;
    const uint32_t b = blockIdx.x + threadIdx.x * gridDim.x;
    while (s.read_back != s.call.epoch) s.read_back = load_control_word(entry_at(control, b));
    for (uint32_t more = b + gridDim.x * blockDim.x; more < VC_MAX_BLOCKS; more += gridDim.x * blockDim.x)
        while (load_control_word(entry_at(control, more)) != s.call.epoch) {}
}
template <unsigned F>
__device__ __forceinline__ void end_call(const VcParams& p, const State& s) {
    if (F & (kFrozen | kAhead | kEntries)) return;
    conclude(p, s.call, s.count);
}

// Polls in flight; spread over a round trip they look at memory K times per L2 round trip (some 500 cycles under load).
template <unsigned F>
struct Polls {
    static constexpr int kCount = (F & kPoll3) ? 3 : (F & kPoll2) ? 2 : 1;
};
constexpr uint32_t kRoundTripCycles = 480;

template <unsigned F>
struct Patience {
    Wait wait;
    __device__ __forceinline__ bool again(const VcParams& p) {
        if (F & kNoDeadline) {
            spin_pause();
            return true;
        }
        return wait.again(p);
    }
};

}  // namespace tune
