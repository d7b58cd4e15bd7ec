#!/bin/sh
# Builds the emulation tests with g++ (CXX overrides) and runs them, plainly and under ThreadSanitizer.
#   run-emulation.sh [build folder]      default: a temporary folder, removed at the end
# Prints a line per test and at the end "N passed, N failed"; ends non-zero if anything failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
    build=$1
    mkdir -p "$build"
else
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
fi
cxx=${CXX:-g++}
flags="-std=c++17 -O1 -g1 -pthread -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-unused-parameter
       -I$here/../main/cuda -I$here/emulation"

compile() { # output, further flags
    out=$1
    shift
    # shellcheck disable=SC2086
    "$cxx" $flags "$@" "$here/emulation/emulation_test.cpp" -o "$build/$out" || { echo "compilation failed: $out"; exit 1; }
}
compile emulation & plain=$!
compile emulation-tsan -fsanitize=thread & tsan=$!
wait $plain && wait $tsan || { echo "0 passed, 1 failed"; exit 1; }

passed=0
failed=0
suite() { # title, log, command...
    echo "== $1"
    log=$build/$2
    shift 2
    timeout -k 5 300 "$@" > "$log" 2>&1
    code=$?
    head -n 400 "$log"
    p=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1/p' "$log" | tail -1)
    f=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\2/p' "$log" | tail -1)
    passed=$((passed + ${p:-0}))
    failed=$((failed + ${f:-0}))
    if [ $code -ne 0 ] && [ "${f:-0}" -eq 0 ]; then
        echo "FAIL ended with $code (a data race, a crash or a time-out)"
        failed=$((failed + 1))
    fi
}

suite "plain" plain.log "$build/emulation" 60
TSAN_OPTIONS="halt_on_error=0 exitcode=66" suite "ThreadSanitizer" tsan.log "$build/emulation-tsan" 12 no-races

# The negative control that is a race as well: ThreadSanitizer must say so, or its silence above means nothing.
TSAN_OPTIONS="halt_on_error=1 exitcode=66" timeout -k 5 60 "$build/emulation-tsan" no-end-barrier > "$build/race.log" 2>&1
if [ $? -eq 66 ]; then
    echo "ok   negative control, pull without end barrier: reported as a data race"
    passed=$((passed + 1))
else
    echo "FAIL negative control, pull without end barrier: no data race reported"
    failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
