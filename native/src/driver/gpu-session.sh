#!/bin/bash
# Checks and times the kernels on a GPU box: from the repository's root, native/src/driver/gpu-session.sh <result folder>
#
# Needs nvcc. Ranks share one GPU under an MPS daemon of this script's own, in folders of its own, ended with it; nothing
# about the GPU is changed. The most valuable steps come first, every command has a time limit, SESSION_LIMIT_S (default
# 420) bounds the whole. Leaves in the result folder: session.log (everything said), correctness.csv, speed.csv,
# worlds.csv, large.csv, sanitizer.log.
set -u
out=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
limit=${SESSION_LIMIT_S:-420}
began=$SECONDS
log=$out/session.log
exec > >(tee "$log") 2>&1

export CUDA_MPS_PIPE_DIRECTORY=$work/pipe CUDA_MPS_LOG_DIRECTORY=$work/log
mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
mps_running=no
start_mps() { timeout -k 5 20 nvidia-cuda-mps-control -d > /dev/null 2>&1 && mps_running=yes; }
stop_mps() {
    [ $mps_running = yes ] && echo quit | timeout -k 5 20 nvidia-cuda-mps-control
    mps_running=no
}
finish() {
    stop_mps
    tail -c 4000 "$CUDA_MPS_LOG_DIRECTORY"/*.log 2>/dev/null
    echo "== ended after $((SECONDS - began)) s"
    rm -rf "$work"
}
trap finish EXIT

left() { echo $((limit - (SECONDS - began))); }
failures=0
# step <seconds> <title> <csv or -> <command...>: appends stdout to the CSV, one header line only.
step() {
    local seconds=$1 title=$2 csv=$3 code
    shift 3
    if [ "$(left)" -lt 10 ]; then
        echo "== skipped, no time left: $title"
        return
    fi
    [ "$seconds" -gt "$(left)" ] && seconds=$(left)
    echo "== [$((SECONDS - began)) s] $title"
    timeout -k 5 "$seconds" "$@" > "$work/stdout"
    code=$?
    if [ "$csv" = - ]; then
        cat "$work/stdout"
    else
        if [ -s "$out/$csv" ]; then sed 1d "$work/stdout" >> "$out/$csv"; else cp "$work/stdout" "$out/$csv"; fi
        column -s, -t < "$work/stdout" 2>/dev/null || cat "$work/stdout"
    fi
    if [ $code -ne 0 ]; then
        failures=$((failures + 1))
        echo "!! ended with $code: $title"
    fi
}

nvidia-smi -L
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,compute_mode,mig.mode.current --format=csv
gpus=$(nvidia-smi -L | wc -l)
driver=$work/driver
step 120 "build" - nvcc -std=c++17 -O3 -arch=native -o "$driver" "$here/driver.cu"
[ -x "$driver" ] || exit 1
[ "$gpus" -ge 2 ] && echo "$gpus GPUs: ranks are spread over them; under MPS only where they share one"
start_mps || echo "!! no MPS daemon: ranks on one GPU take turns, times mean nothing"

small=16,8192,43008
step 40 "two ranks, quick check of every kernel" correctness.csv \
    "$driver" --world 2 --algorithms all --bytes 43008 --check-only --limit-s 30
for w in 2 4 8; do
    step 60 "correctness, world $w" correctness.csv \
        "$driver" --world $w --algorithms sums --dtypes bf16,fp16,fp32 --bytes $small --pdl on,off --check-only --limit-s 50
done

targets=8192,43008,131072
step 60 "speed, two ranks, default grids" speed.csv \
    "$driver" --world 2 --algorithms all --bytes $targets --pdl on,off --limit-s 50
for algorithm in one_shot_sentinel one_shot_ll one_shot_pull; do
    for bytes in 8192 43008 131072; do
        step 40 "sweep $algorithm $bytes" speed.csv \
            "$driver" --world 2 --sweep --algorithms $algorithm,floor_exchange --bytes $bytes --limit-s 35
    done
done
step 30 "as SGLang launches it" speed.csv \
    "$driver" --world 2 --algorithms one_shot_pull --bytes 43008 --blocks 6 --threads 512 --pdl on,off --limit-s 25
step 30 "without the prelude, as an engine launches" speed.csv \
    "$driver" --world 2 --algorithms one_shot_sentinel,one_shot_ll,one_shot_pull --bytes 43008 --prelude off --limit-s 25
for w in 4 8; do
    step 45 "speed, world $w" worlds.csv \
        "$driver" --world $w --algorithms sums,floor_flag,floor_exchange --bytes 43008 --limit-s 40 --replays 100
done
step 30 "larger sizes" large.csv \
    "$driver" --world 2 --algorithms sums --bytes 524288,1048576 --limit-s 25 --replays 50
step 30 "64 MiB" large.csv \
    "$driver" --world 2 --algorithms one_shot_sentinel,two_shot_ll --bytes 67108864 --limit-s 28 --check-only

# compute-sanitizer serialises much: small cases, without MPS (it does not support clients under MPS on all versions);
# two ranks without MPS take turns, a call costs some ms, which 9 calls a variant can afford.
stop_mps
if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
        step 60 "compute-sanitizer $tool" - compute-sanitizer --tool $tool --target-processes all --error-exitcode 9 \
            --log-file "$work/$tool.%p.log" "$driver" --world 2 --algorithms all --bytes 8192 --check-only --limit-s 55
        cat "$work/$tool".*.log >> "$out/sanitizer.log" 2>/dev/null
        grep -h "ERROR SUMMARY" "$work/$tool".*.log 2>/dev/null
    done
else
    echo "no compute-sanitizer on this machine"
fi
echo "== $failures steps failed"
[ $failures -eq 0 ]
