#!/usr/bin/env bash
# Java, C and Open MPI, the same cycle of 122 fp32 all-reduces between two processes, interleaved.
#
#   native/src/host/compare.sh [REPETITIONS]      from the repository root, after mvn package; default 7
#
# Needs cc, mpicc and mpirun (Debian: gcc openmpi-bin libopenmpi-dev). Prints each program's median over repetitions of
# the per-repetition median group time per call, in us, its range, and the ratios the README quotes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
repetitions=${1:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O3 -march=native -o "$work/c" native/src/host/allreduce_c.c
mpicc -O3 -march=native -o "$work/mpi" native/src/host/allreduce_mpi.c
mpi_options=(-n 2 --bind-to core)
[ "$(id -u)" -eq 0 ] && mpi_options+=(--allow-run-as-root)

java_us() {
  java -jar benchmarks.jar run --collective host/one-shot-pull --bytes "$1" --rounds 1 --warmup 450ms --measure 300ms --out "$work/run" > "$work/log" || { cat "$work/log" >&2; exit 1; }
  rm -rf "$work/run"
  sed -n 's|.*host/one-shot-pull .* \([0-9.]*\) us/call.*|\1|p' "$work/log" | head -n 1
}

chunk=65536  # what host/one-shot-pull takes by default (HostAlgorithm)
for bytes in 8192 43008 1048576; do
  cycles=$((bytes > 500000 ? 40 : 400))
  for ((i = 0; i < repetitions; i++)); do
    java_us "$bytes" >> "$work/java.$bytes"
    "$work/c" "$bytes" "$chunk" "$cycles" | cut -d' ' -f1 >> "$work/c.$bytes"
    mpirun "${mpi_options[@]}" "$work/mpi" "$bytes" "$cycles" | cut -d' ' -f1 >> "$work/mpi.$bytes"
  done
  for program in java c mpi; do sort -g -o "$work/$program.$bytes" "$work/$program.$bytes"; done
  awk -v bytes="$bytes" -v middle=$(((repetitions + 1) / 2)) '
    FNR == 1 { program++; low[program] = $1 }
    FNR == middle { median[program] = $1 }
    { high[program] = $1 }
    END { printf "%8d B  Java %.2f [%.2f, %.2f]  C %.2f [%.2f, %.2f]  Open MPI %.2f [%.2f, %.2f] us  MPI/Java %.2f  Java/C %.2f\n", bytes,
          median[1], low[1], high[1], median[2], low[2], high[2], median[3], low[3], high[3], median[3] / median[1], median[1] / median[2] }' \
    "$work/java.$bytes" "$work/c.$bytes" "$work/mpi.$bytes"
done
