// The variants: one line each. W2: compiled for world 2; W248: for 2, 4 and 8. "checked" ones must give right sums and are
// checked like any kernel; the others show a limit and are only timed.
#pragma once

#include <stdlib.h>

#include <string>

#include "pull.cuh"

namespace tune {

constexpr unsigned kTight = kCold | kPeeled;
constexpr unsigned kOwnWords = kHeld | kTriggerOwn | kEntries;

// X(body, variant, flags, checked)
#define VC_TUNE_W2(X)                                                                    \
    X(sentinel, warm, kWarm, true)                                                       \
    X(sentinel, trigger_wait, kTriggerWait, true)                                        \
    X(sentinel, trigger_load, kTriggerLoad, true)                                        \
    X(sentinel, trigger_own, kTriggerOwn, true)                                          \
    X(sentinel, entries, kEntries, true)                                                 \
    X(sentinel, ahead, kAhead, true)                                                     \
    X(sentinel, poll2, kPoll2, true)                                                     \
    X(sentinel, poll3, kPoll3, true)                                                     \
    X(sentinel, cold, kCold, true)                                                       \
    X(sentinel, peeled, kPeeled, true)                                                   \
    X(sentinel, warm_tight, kWarm | kTight, true)                                        \
    X(sentinel, warm_own_words, kWarm | kTriggerOwn | kEntries | kTight, true)           \
    X(sentinel, own_words_tight, kOwnWords | kTight, true)                               \
    X(sentinel, own_words_load, kHeld | kTriggerLoad | kEntries | kTight, true)          \
    X(sentinel, own_words_poll3, kOwnWords | kTight | kPoll3, true)                      \
    X(sentinel, ahead_tight, kHeld | kAhead | kTight, true)                              \
    X(sentinel, ahead_poll2, kHeld | kAhead | kTight | kPoll2, true)                     \
    X(sentinel, held_atomics, kHeld | kTriggerOwn | kTight, true)                        \
    X(sentinel, OUT_checks, kNoChecks, true)                                             \
    X(sentinel, OUT_deadline, kNoDeadline, true)                                         \
    X(sentinel, OUT_number, kFrozen, false)                                              \
    X(sentinel, OUT_all, kFrozen | kHeld | kNoChecks | kNoDeadline | kPeeled, false)     \
    X(sentinel, OUT_all_poll2, kFrozen | kHeld | kNoChecks | kNoDeadline | kPeeled | kPoll2, false) \
    X(tagged, OUT_clear, 0u, false)                                                      \
    X(ll, held, kHeld, true)                                                             \
    X(ll, poll2, kPoll2, true)                                                           \
    X(ll, own_words_tight, kOwnWords | kTight, true)                                     \
    X(ll, own_words_poll2, kOwnWords | kTight | kPoll2, true)                            \
    X(ll, ahead_tight, kHeld | kAhead | kTight, true)                                    \
    X(ll, OUT_all, kFrozen | kHeld | kNoChecks | kNoDeadline | kPeeled, false)           \
    X(pull, warm, kWarm, true)                                                           \
    X(pull, trigger_wait, kTriggerWait, true)                                            \
    X(pull, poll2, kPoll2, true)                                                         \
    X(pull, cold, kCold, true)                                                           \
    X(pull, OUT_checks, kNoChecks, true)                                                 \
    X(pull, OUT_end, kNoEnd, false)                                                      \
    X(exchange, base, kNoData, false)                                                    \
    X(exchange, held, kNoData | kHeld, false)                                            \
    X(exchange, poll2, kNoData | kPoll2, false)                                          \
    X(exchange, own_words, kNoData | kOwnWords | kTight, false)                          \
    X(exchange, OUT_all, kNoData | kFrozen | kHeld | kNoChecks | kNoDeadline | kPeeled, false) \
    X(empty, trigger, kTriggerWait, false)                                               \
    X(empty, no_trigger, 0u, false)                                                      \
    X(empty, warm, kTriggerWait | kWarm, false)                                          \
    X(copy, base, kTriggerWait, false)                                                   \
    X(copy, held, kTriggerWait | kHeld, false)                                           \
    X(copy, trigger_load, kTriggerLoad | kHeld, false)                                   \
    X(copy_scalars, base, kTriggerWait, false)                                           \
    X(copy_scalars, held, kTriggerWait | kHeld, false)

#define VC_TUNE_W248(X)                                                                  \
    X(sentinel, base, 0u, true)                                                          \
    X(sentinel, base_again, 0u, true)                                                    \
    X(sentinel, held, kHeld, true)                                                       \
    X(sentinel, simple, kSimple, true)                                                   \
    X(sentinel, own_words, kOwnWords | kCold | kSimple, true)                            \
    X(sentinel, own_words_poll2, kOwnWords | kCold | kPoll2, true)                       \
    X(ll, base, 0u, true)                                                                \
    X(ll, own_words, kOwnWords | kCold | kSimple, true)                                 \
    X(pull, base, 0u, true)                                                              \
    X(pull, base_again, 0u, true)                                                        \
    X(pull, held, kHeld, true)                                                           \
    X(pull, entries, kEntries, true)                                                     \
    X(pull, ahead, kAhead, true)                                                         \
    X(pull, end_early, kEndEarly, true)                                                  \
    X(pull, own_words, kHeld | kEntries | kEndEarly | kCold, true)                       \
    X(pull, own_words_poll2, kHeld | kEntries | kEndEarly | kCold | kPoll2, true)        \
    X(pull, own_words_wait, kHeld | kEntries | kEndEarly | kCold | kTriggerWait, true)   \
    X(pull, ahead_all, kHeld | kAhead | kEndEarly | kCold, true)                         \
    X(pull, ahead_poll2, kHeld | kAhead | kEndEarly | kCold | kPoll2, true)              \
    X(pull, OUT_number, kFrozen | kHeld, false)                                          \
    X(pull, OUT_all, kFrozen | kHeld | kNoChecks | kNoDeadline | kEndEarly, false)

#define VC_TUNE_BODY_sentinel(W, F) (tune::push<vc::Bf16, W, vc::Sentinel, (F)>(p))
#define VC_TUNE_BODY_ll(W, F) (tune::push<vc::Bf16, W, vc::Ll, (F)>(p))
#define VC_TUNE_BODY_tagged(W, F) (tune::push<vc::Bf16, W, tune::Tagged, (F)>(p))
#define VC_TUNE_BODY_exchange(W, F) (tune::push<vc::Bf16, W, tune::Tagged, (F)>(p))
#define VC_TUNE_BODY_pull(W, F) (tune::pull<vc::Bf16, W, (F)>(p))
#define VC_TUNE_BODY_empty(W, F) (tune::empty<(F)>(p))
#define VC_TUNE_BODY_copy(W, F) (tune::copy<(F)>(p.input, p.output, p.packs))
#define VC_TUNE_BODY_copy_scalars(W, F) (tune::copy<(F)>(from, to, count))
// Parameters by value: the same struct, or three numbers (does the size of the parameters cost?).
#define VC_TUNE_STRUCT const __grid_constant__ VcParams p
#define VC_TUNE_ARGUMENTS_sentinel VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_ll VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_tagged VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_exchange VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_pull VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_empty VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_copy VC_TUNE_STRUCT
#define VC_TUNE_ARGUMENTS_copy_scalars uint64_t from, uint64_t to, uint32_t count

#define VC_TUNE_ENTRY(body, variant, F, W)                                                                          \
    static __global__ void __launch_bounds__(VC_MAX_THREADS, 1) body##_##variant##_w##W(VC_TUNE_ARGUMENTS_##body) { \
        VC_TUNE_BODY_##body(W, F);                                                                                  \
    }
#define VC_TUNE_ENTRY_2(body, variant, F, checked) VC_TUNE_ENTRY(body, variant, F, 2)
#define VC_TUNE_ENTRY_248(body, variant, F, checked) \
    VC_TUNE_ENTRY(body, variant, F, 2) VC_TUNE_ENTRY(body, variant, F, 4) VC_TUNE_ENTRY(body, variant, F, 8)
VC_TUNE_W2(VC_TUNE_ENTRY_2)
VC_TUNE_W248(VC_TUNE_ENTRY_248)

// Whose region layout a body uses.
constexpr int id_sentinel = VC_ONE_SHOT_SENTINEL, id_tagged = VC_ONE_SHOT_SENTINEL, id_ll = VC_ONE_SHOT_LL,
              id_pull = VC_ONE_SHOT_PULL, id_exchange = VC_FLOOR_EXCHANGE, id_empty = VC_FLOOR_COPY, id_copy = VC_FLOOR_COPY,
              id_copy_scalars = VC_FLOOR_COPY;

struct Entry {
    const char* name;
    int id;  // VcAlgorithm
    unsigned flags;
    bool checked, scalars;
    const void* kernel[3];  // world 2, 4, 8
    const void* of(unsigned world) const { return kernel[world == 2 ? 0 : world == 4 ? 1 : 2]; }
};
inline bool is_scalars(const char* body) { return body[0] == 'c' && body[4] == '_'; }
#define VC_TUNE_ROW_2(body, variant, F, checked) \
    {#body "." #variant, id_##body, (F), checked, is_scalars(#body), \
     {reinterpret_cast<const void*>(body##_##variant##_w2), nullptr, nullptr}},
#define VC_TUNE_ROW_248(body, variant, F, checked)                                                          \
    {#body "." #variant, id_##body, (F), checked, is_scalars(#body),                                                         \
     {reinterpret_cast<const void*>(body##_##variant##_w2), reinterpret_cast<const void*>(body##_##variant##_w4), \
      reinterpret_cast<const void*>(body##_##variant##_w8)}},
inline const Entry* entries(unsigned& count) {
    static const Entry all[] = {VC_TUNE_W248(VC_TUNE_ROW_248) VC_TUNE_W2(VC_TUNE_ROW_2)};
    count = sizeof all / sizeof all[0];
    return all;
}
// `pattern` is a name, the start of names ("pull.*"), or "tuned". Variants with $TUNE_WITHOUT in their name answer only to
// patterns that contain it too: what might hang is then run apart.
inline bool named(const Entry& e, const std::string& pattern) {
    const std::string name = e.name;
    const char* without = getenv("TUNE_WITHOUT");
    if (without != nullptr && name.find(without) != std::string::npos && pattern.find(without) == std::string::npos)
        return false;
    if (pattern == "tuned") return true;
    if (!pattern.empty() && pattern.back() == '*') return name.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
    return name == pattern;
}

}  // namespace tune
