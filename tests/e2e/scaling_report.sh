#!/usr/bin/env bash
# tests/bench/scaling prints every table, the automatic method reaches its targets on
# any number of ranks, and no files are left. Times are not checked.
set -euo pipefail
. "$(dirname "$0")/common.sh"
bench=$here/../bench/scaling
export SDCA_BUILD=$build
[ -x "$build/tests/bench_ethernet_switch" ] || skip "the emulated network needs TAP devices, which only Linux has"

expect_exit 0 "$sdca" generate ccat tiny.h5 --scale 0.002
mkdir kept
TMPDIR=$PWD timeout 500 "$bench" --quick --turns 1 --ranks "1 2 3" --keep kept --plot passes.svg tiny.h5 >report.md 2>err ||
    fail "no report: $(cat report.md err)"
"$python" "$here/scaling_report.py" report.md tiny 1 2 3
! command -v gnuplot >/dev/null || grep -q '</svg>' passes.svg || fail "no plot"

# Stored measurements are not repeated.
TMPDIR=$PWD timeout 200 "$bench" --quick --turns 1 --ranks "1 2 3" --keep kept --only "counts cores" tiny.h5 >again.md 2>err ||
    fail "no second report: $(cat err)"
[ ! -s err ] || fail "measured again: $(cat err)"

expect_exit 0 "$bench" --help
expect_prints "usage: tests/bench/scaling"
expect_exit 64 "$bench" --turns none
expect_exit 64 "$bench" --budget 0
expect_exit 64 "$bench" --slow
expect_exit 64 "$bench" --keep
expect_exit 66 "$bench" nowhere.h5
expect_exit 64 "$here/../bench/emulated_network" up
[ "$(find . -name 'sdca-scaling*')" = "" ] || fail "scratch files are left over"
