// Entry points of all kernels: the one translation unit that nvcc (or, for the emulation, g++) compiles.
//
//   vc_<algorithm>_<dtype>_w<world>(VcParams)    algorithms of kernel_list.h; dtype bf16, fp16, fp32; world 2, 4, 6, 8
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
#include "kernel_list.h"
#include "one_shot_ll.cuh"
#include "one_shot_pull.cuh"
#include "one_shot_sentinel.cuh"
#include "probe.cuh"
#include "two_shot_ll.cuh"
#include "two_shot_pull.cuh"
#include "two_shot_sentinel.cuh"

#define VC_ENTRY(name, argument, body)                                                                               \
    extern "C" __global__ void __launch_bounds__(VC_MAX_THREADS, 1) name(const __grid_constant__ argument p) { body; }
#define VC_KERNEL(algorithm, id, dtype, T, world) \
    VC_ENTRY(vc_##algorithm##_##dtype##_w##world, VcParams, (vc::algorithm<vc::T, world>(p)))
VC_EACH_KERNEL(VC_KERNEL)

#define VC_FLOOR(floor, id, world) VC_ENTRY(vc_##floor##_w##world, VcParams, (vc::floor<world>(p)))
VC_EACH_FLOOR(VC_FLOOR)
VC_ENTRY(vc_floor_empty, VcParams, (vc::floor_empty()))
VC_ENTRY(vc_floor_copy, VcParams, (vc::floor_copy(p)))
VC_ENTRY(vc_spin, VcSpin, (vc::spin(p)))

#define VC_PROBE(name) VC_ENTRY(vc_probe_##name, VcProbe, (vc::probe_##name(p)))
VC_PROBE(flag)
VC_PROBE(store)
VC_PROBE(load)
VC_PROBE(write)
VC_PROBE(check)
VC_PROBE(tear_write)
VC_PROBE(tear_read)
