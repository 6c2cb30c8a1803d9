#!/usr/bin/env bash
# tests/bench/run prints every table, filled with numbers, and our P never exceeds the
# peer's. Times are not checked.
set -euo pipefail
. "$(dirname "$0")/common.sh"
bench=$here/../bench/run
export SDCA_BUILD=$build

"$python" "$here/../bench/unscaled_data.py" "$sdca" >table.md
[ "$(grep -c '| certified |$' table.md)" = 3 ] || fail "expected three certified rows, got '$(cat table.md)'"
awk -F '|' '/^\| (logistic|hinge|squared-hinge) \|/ { n++; if ($5 < -1e-9) { print; exit 1 } } END { exit n < 12 }' table.md ||
    fail "a program is below the proven bound, or missing: '$(cat table.md)'"

[ -x "$build/tests/bench_train_vs_liblinear" ] || skip "the benchmarks were built without LIBLINEAR (Debian: liblinear-dev)"

expect_exit 0 "$sdca" generate astro-ph tiny.h5 --scale 0.01
expect_exit 0 "$sdca" generate topics classes.h5 --classes 3 --scale 0.01
TMPDIR=$PWD timeout 150 "$bench" --quick --turns 1 --classes classes.h5 tiny.h5 >report.md 2>err || fail "no report: $(cat report.md err)"
"$python" "$here/bench_report.py" report.md tiny

expect_exit 0 "$bench" --help
expect_prints "usage: tests/bench/run"
expect_exit 64 "$bench" --turns none
expect_exit 64 "$bench" --slow
expect_exit 66 "$bench" nowhere.h5
expect_exit 66 "$bench" --classes nowhere.h5
[ "$(find . -name 'sdca-bench*')" = "" ] || fail "scratch files are left over"
