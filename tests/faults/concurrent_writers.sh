#!/usr/bin/env bash
# Two commands with the same output, the first suspended while it writes: each publishes a
# complete file, and the last one remains.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
at_exit=(end_first)
first=
# shellcheck disable=SC2317 # called at the end
end_first() {
    [ -z "$first" ] || kill -9 "$first" 2>/dev/null || true
    cd /
    rm -rf "$scratch"
}

"$sdca" generate cov1 big.h5 --scale 0.2 --quiet
"$sdca" train big.h5 -o model.h5 --lambda 1e-2 --quiet
"$sdca" train big.h5 -o logistic.h5 --loss logistic --lambda 1e-2 --quiet

# suspend OUT - start writing it, and stop halfway.
suspend() {
    local unfinished
    rm -f "$1"
    "$sdca" predict model.h5 big.h5 -o "$1" --quiet &
    first=$!
    while kill -0 "$first" 2>/dev/null; do
        unfinished=("$1".*tmp)
        [ ! -s "${unfinished[0]}" ] || break
        sleep 0.002
    done
    kill -STOP "$first" 2>/dev/null || true
    [ ! -e "$1" ]
}

# together OUT - written by two commands; the second runs completely while the first is suspended.
together() {
    local code=0
    "$sdca" predict model.h5 big.h5 -o "alone-1.$1" --quiet
    "$sdca" predict logistic.h5 big.h5 -o "alone-2.$1" --quiet
    until suspend "same.$1"; do # it finished before it could be suspended
        kill -CONT "$first" 2>/dev/null || true
        wait "$first"
    done
    expect_exit 0 "$sdca" predict logistic.h5 big.h5 -o "same.$1" --quiet
    cmp "alone-2.$1" "same.$1" || fail "the second command published a different file"
    kill -CONT "$first"
    wait "$first" || code=$?
    first=
    [ "$code" -eq 0 ] || fail "exit status of the first command: $code"
    cmp "alone-1.$1" "same.$1" || fail "the last command published a different file"
    [ -z "$(leftovers "same.$1")" ] || fail "left over: $(leftovers "same.$1")"
}
together csv
together h5

# The same with tables from a pipe, which are copied beside the output.
for k in 1 2 3 4; do
    { echo label,size && seq 1 20000 | sed "s/.*/$((k % 2)),&$k/;2s/^[01]/2/"; } >"table$k.csv"
    "$sdca" convert - "alone$k.h5" --format csv --task regression --quiet < <(cat "table$k.csv")
    "$sdca" convert - pipe.h5 --format csv --task regression --quiet < <(cat "table$k.csv") &
done
wait
for k in 1 2 3 4; do
    ! cmp -s pipe.h5 "alone$k.h5" || exit 0
done
fail "pipe.h5 equals none of the four files"
