#!/usr/bin/env bash
# sdca generate ctr: 39 hashed categories per row, labels that scikit-learn can learn in
# part, and the same bytes in every call.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# judge COLUMNS LEAST-USED MOST-USED LEAST-ERROR MOST-ERROR [OPTION...]
judge() {
    local columns=$1
    expect_exit 0 "$sdca" generate ctr train.h5 --test test.h5 --scale 0.05 "${@:6}"
    expect_prints "30000 rows x $columns columns" "3000 rows x $columns columns" "labels +1"
    "$python" "$here/generate_ctr.py" "${@:1:5}" train.h5 test.h5
    expect_exit 0 "$sdca" generate ctr again.h5 --scale 0.05 --quiet "${@:6}"
    cmp train.h5 again.h5
}
judge 1048576 170000 190000 0.2 0.275
judge 100000 85000 100000 0.2 0.285 --columns 100000 --seed 2
