#!/bin/bash
# Packs a trimmed Java runtime, the jar and a start script: bundle.sh <benchmarks.jar> <work folder> <output .tar.xz>
#
# The runtime is made by jlink of the newest JDK found: the running one (JAVA_HOME), those in /usr/lib/jvm. Its modules are
# what jdeps finds in the jar. It is stored without jlink's own compression: xz does better on the whole. Needs tar and xz.
set -euo pipefail
jar=$1 work=$2 output=$3
here=$(cd "$(dirname "$0")" && pwd)

for tool in tar xz; do
    command -v $tool > /dev/null || { echo "bundle: $tool is missing" >&2; exit 1; }
done

version() { sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2> /dev/null; }
jdk= newest=0
for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -n "$candidate" ] && [ -x "$candidate/bin/jlink" ] && [ -x "$candidate/bin/jdeps" ] || continue
    v=$(version "$candidate")
    if [ "${v:-0}" -gt "$newest" ]; then newest=$v jdk=$candidate; fi
done
[ -n "$jdk" ] || { echo "bundle: found no JDK with jlink in JAVA_HOME or /usr/lib/jvm" >&2; exit 1; }

modules=$("$jdk/bin/jdeps" --ignore-missing-deps --multi-release 17 --print-module-deps "$jar")
compress=0
[ "$newest" -ge 21 ] && compress=zip-0
echo "bundle: Java $newest with $modules"

root=$work/verifycycle
rm -rf "$root"
mkdir -p "$root"
"$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress $compress --output "$root/java"
# The archive of the JDK's classes: every rank is a JVM, and starts 0.2 s sooner with it.
"$root/java/bin/java" -Xshare:dump > /dev/null 2>&1 || { echo "bundle: $jdk can't write a class archive" >&2; exit 1; }
cp "$jar" "$root/benchmarks.jar"
install -m 755 "$here/run.sh" "$root/run.sh"
# One order, owner and time for all: the same inputs give the same archive.
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01T00:00:00Z -cf - verifycycle | xz -9 -T1 > "$output.part"
mv "$output.part" "$output"
echo "bundle: $output, $(($(stat -c %s "$output") / 1000000)) MB"
