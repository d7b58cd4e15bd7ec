// Entry points of all kernels: the one translation unit that nvcc (or, for the emulation, g++) compiles.
//
//   vc_<algorithm>_<dtype>_w<world>(VcParams)    algorithm one_shot_pull, two_shot_pull, one_shot_ll, one_shot_sentinel,
//                                                two_shot_ll, two_shot_sentinel, host_ll, host_sentinel; dtype bf16, fp16, fp32;
//                                                world 2, 4, 6, 8
//   vc_floor_flag_w<world>(VcParams)   vc_floor_exchange_w<world>(VcParams)
//   vc_floor_empty(VcParams)           vc_floor_copy(VcParams)           vc_spin(VcSpin)
//   vc_probe_<flag|store|load|write|check|tear_write|tear_read>(VcProbe)
//
// There is no variant for programmatic dependent launch: its instructions do nothing in a grid launched without it.
// One block an SM in __launch_bounds__: without it ptxas aims at 32 registers, and at world 8 the pull kernel then has five
// of its eight loads in flight.
// The parameter is __grid_constant__, so it stays in the constant bank and region[r] is no load from global memory.
#include "floors.cuh"
#include "host_ll.cuh"
#include "host_sentinel.cuh"
#include "one_shot_ll.cuh"
#include "one_shot_pull.cuh"
#include "one_shot_sentinel.cuh"
#include "probe.cuh"
#include "two_shot_ll.cuh"
#include "two_shot_pull.cuh"
#include "two_shot_sentinel.cuh"

#define VC_ENTRY(name, argument, body)                                                                               \
    extern "C" __global__ void __launch_bounds__(VC_MAX_THREADS, 1) name(const __grid_constant__ argument p) { body; }
#define VC_KERNEL(algorithm, dtype, T, world) \
    VC_ENTRY(vc_##algorithm##_##dtype##_w##world, VcParams, (vc::algorithm<vc::T, world>(p)))

// Calls X(algorithm, dtype, element type, world) for every all-reduce kernel; the driver and the tests use it too.
#define VC_EACH_WORLD(X, algorithm, dtype, T) \
    X(algorithm, dtype, T, 2) X(algorithm, dtype, T, 4) X(algorithm, dtype, T, 6) X(algorithm, dtype, T, 8)
#define VC_EACH_DTYPE(X, algorithm)           \
    VC_EACH_WORLD(X, algorithm, bf16, Bf16)   \
    VC_EACH_WORLD(X, algorithm, fp16, Fp16)   \
    VC_EACH_WORLD(X, algorithm, fp32, F32)
#define VC_EACH_KERNEL(X)                 \
    VC_EACH_DTYPE(X, one_shot_pull)       \
    VC_EACH_DTYPE(X, two_shot_pull)       \
    VC_EACH_DTYPE(X, one_shot_ll)         \
    VC_EACH_DTYPE(X, one_shot_sentinel)   \
    VC_EACH_DTYPE(X, two_shot_ll)         \
    VC_EACH_DTYPE(X, two_shot_sentinel)   \
    VC_EACH_DTYPE(X, host_ll)             \
    VC_EACH_DTYPE(X, host_sentinel)

VC_EACH_KERNEL(VC_KERNEL)

VC_ENTRY(vc_floor_empty, VcParams, (vc::floor_empty()))
VC_ENTRY(vc_floor_copy, VcParams, (vc::floor_copy(p)))
VC_ENTRY(vc_spin, VcSpin, (vc::spin(p)))
#define VC_FLOOR(world)                                                        \
    VC_ENTRY(vc_floor_flag_w##world, VcParams, (vc::floor_flag<world>(p)))     \
    VC_ENTRY(vc_floor_exchange_w##world, VcParams, (vc::floor_exchange<world>(p)))
VC_FLOOR(2)
VC_FLOOR(4)
VC_FLOOR(6)
VC_FLOOR(8)

#define VC_PROBE(name) VC_ENTRY(vc_probe_##name, VcProbe, (vc::probe_##name(p)))
VC_PROBE(flag)
VC_PROBE(store)
VC_PROBE(load)
VC_PROBE(write)
VC_PROBE(check)
VC_PROBE(tear_write)
VC_PROBE(tear_read)
