#!/bin/sh
# Runs the benchmarks with the Java that lies beside this script; arguments are those of "java -jar benchmarks.jar".
here=$(cd "$(dirname "$0")" && pwd) || exit 1
exec "$here/java/bin/java" -jar "$here/benchmarks.jar" "$@"
