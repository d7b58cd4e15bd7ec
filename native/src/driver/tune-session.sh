#!/bin/bash
# Times the variants of tune/ on a GPU box: native/src/driver/tune-session.sh <result folder>, at most 3 minutes.
#
# Needs nvcc. Ranks share one GPU under an MPS daemon of this script's own (own folders, ended at the end). Every variant
# of a run is interleaved with all others and checked before and after; *.base and *.base_again are the same kernel (A/A).
# Leaves session.log and tune.csv (columns of driver.cu, and "run" in front: which command a line is from).
set -u
out=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
limit=${SESSION_LIMIT_S:-175}
began=$SECONDS
exec > >(tee "$out/session.log") 2>&1

export CUDA_MPS_PIPE_DIRECTORY=$work/pipe CUDA_MPS_LOG_DIRECTORY=$work/log
mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
mps_running=no
finish() {
    [ $mps_running = yes ] && echo quit | timeout -k 5 20 nvidia-cuda-mps-control > /dev/null
    rm -rf "$work"
    echo "== ended after $((SECONDS - began)) s"
}
trap finish EXIT

failures=0
# run <name> <seconds> <arguments of tune...>: adds to tune.csv
run() {
    local name=$1 seconds=$2 left=$((limit - (SECONDS - began))) code
    shift 2
    if [ $left -lt 8 ]; then
        echo "== skipped, no time left: $name"
        return
    fi
    [ "$seconds" -gt "$left" ] && seconds=$left
    echo "== [$((SECONDS - began)) s] $name: $*"
    timeout -k 5 "$seconds" "$work/tune" --limit-s $((seconds - 3)) "$@" > "$work/stdout"
    code=$?
    if [ $code -ne 0 ]; then
        failures=$((failures + 1))
        echo "!! ended with $code: $name"
        cat "$work/stdout"
        return
    fi
    [ -s "$out/tune.csv" ] || sed -n "1s/^/run,/p" "$work/stdout" > "$out/tune.csv"
    sed "1d;s/^/$name,/" "$work/stdout" >> "$out/tune.csv"
}

# us a call (median) by size, and the difference to the base of the same kind at each size.
table() {
    awk -F, -v run="$1" '
        $1 != run { next }
        { key = $3; at = $5 " " $6 "x" $7; value[key, at] = $11 == "" ? $16 : $11
          if (!(key in known)) { known[key]; order[++n] = key }
          if (!(at in column)) { column[at]; columns[++m] = at } }
        END {
            printf "%-28s", "us/call (ns to base)"
            for (c = 1; c <= m; c++) printf " %18s", columns[c]
            printf "\n"
            for (i = 1; i <= n; i++) {
                key = order[i]; base = key; sub(/\..*/, ".base", base)
                if (key ~ /^tagged/) base = "sentinel.base"
                if (key ~ /^copy_scalars/) base = "copy.base"
                sub(/^one_shot_/, "", base)
                if (base == key || base !~ /\./) base = base ".base"
                printf "%-28s", key
                for (c = 1; c <= m; c++) {
                    v = value[key, columns[c]]; b = value[base, columns[c]]
                    if (v ~ /^[0-9]/ && b ~ /^[0-9]/ && base != key) printf " %9.3f (%+6.0f)", v, (v - b) * 1000
                    else printf " %9s         ", v ~ /^[0-9]/ ? sprintf("%.3f", v) : v
                }
                printf "\n"
            }
        }' "$out/tune.csv"
}

rm -f "$out/tune.csv"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,mig.mode.current --format=csv,noheader
timeout -k 5 100 nvcc -std=c++17 -O3 -arch=native -diag-suppress 177 -o "$work/tune" "$here/tune/tune.cu" || exit 1
echo "== built after $((SECONDS - began)) s"
timeout -k 5 20 nvidia-cuda-mps-control -d > /dev/null 2>&1 && mps_running=yes
[ $mps_running = yes ] || echo "!! no MPS daemon: ranks on one GPU take turns, times mean nothing"

# Apart, so that a variant that fails takes only its own kind's times with it; "ahead" might hang, so it comes last.
export TUNE_WITHOUT=ahead
sizes=8192,43008,131072
run w2-sentinel 30 --world 2 --calls 123 --algorithms "sentinel.*,tagged.*,one_shot_sentinel" --bytes $sizes
table w2-sentinel
run w2-floors 20 --world 2 --bytes $sizes \
    --algorithms "exchange.*,copy.*,copy_scalars.*,empty.*,floor_exchange,floor_copy,floor_empty,floor_flag"
table w2-floors
run w2-ll 20 --world 2 --algorithms "ll.*,one_shot_ll" --bytes $sizes
table w2-ll
run w2-pull 25 --world 2 --algorithms "pull.*,one_shot_pull" --bytes $sizes
table w2-pull
best=sentinel.base,sentinel.held,sentinel.own_words,sentinel.own_words_tight,sentinel.own_words_poll2
ll=ll.base,ll.own_words,ll.own_words_poll2
pull=pull.base,pull.held,pull.own_words,pull.own_words_poll2,pull.OUT_all
run grids 20 --world 2 --algorithms $best,$ll,$pull --bytes 8192,43008 --threads 64,128,256,512
table grids
# What a replay costs beside its calls: (t(488) x 488 - t(122) x 122) / 366 is a call, the rest is the replay's.
for calls in 122 488; do
    run calls$calls 12 --world 2 --algorithms $best,pull.base,copy.base,floor_empty --bytes 43008 --calls $calls --replays 100
done
awk -F, '$1 == "calls122" { few[$3] = $11 } $1 == "calls488" && $11 != "" && few[$3] != "" {
    call = ($11 * 488 - few[$3] * 122) / 366
    printf "%-28s %.3f us a call, %.2f us a replay\n", $3, call, (few[$3] - call) * 122 }' "$out/tune.csv"
for world in 8 4; do
    run w$world 30 --world $world --algorithms tuned,one_shot_sentinel,one_shot_pull --bytes 43008 \
        --threads 128,256,512 --replays 100
    table w$world
done
run w2-ahead 20 --world 2 --bytes $sizes --algorithms "sentinel.base,sentinel.ahead*,ll.base,ll.ahead*,pull.base,pull.ahead*"
table w2-ahead
run w8-ahead 20 --world 8 --bytes 43008 --threads 128,256,512 --algorithms "pull.base,pull.ahead*" --replays 100
table w8-ahead
echo "== $failures runs failed"
[ $failures -eq 0 ]
