#!/usr/bin/env bash
# sdca generate topics and digits: classes of equal size that scikit-learn can tell apart,
# but not all, and the same bytes in every call.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# judge SHAPE CLASSES FIRST-LABEL LEAST-ERROR MOST-ERROR [OPTION...]
judge() {
    local shape=$1 classes=$2 first=$3 least=$4 most=$5
    shift 5
    expect_exit 0 "$sdca" generate "$shape" train.h5 --test test.h5 --scale 0.1 "$@"
    expect_prints "$classes classes, labels $first to $((first + classes - 1))"
    "$python" "$here/generate_classes.py" "$classes" "$first" "$least" "$most" train.h5 test.h5
    expect_exit 0 "$sdca" generate "$shape" again.h5 --scale 0.1 --quiet "$@"
    cmp train.h5 again.h5
}
judge topics 20 1 0.05 0.30
judge topics 5 1 0.05 0.20 --classes 5
judge digits 10 0 0.05 0.15
judge digits 3 0 0.005 0.15 --classes 3 --seed 2

# A row per class at least.
expect_exit 0 "$sdca" generate digits many.h5 --classes 10000 --scale 0.001
expect_prints "10000 rows" "10000 classes, labels 0 to 9999"
