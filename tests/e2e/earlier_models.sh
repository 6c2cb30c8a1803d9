#!/usr/bin/env bash
# Models of earlier versions are read by info, predict, export, report and train --warm-start.
set -euo pipefail
. "$(dirname "$0")/common.sh"
"$python" "$here/earlier_models.py"

for model in first full; do
    expect_exit 0 "$sdca" info $model.h5
    for text in hinge "3 for negative scores" "gap 0.0625" "2 ranks, seed 7"; do
        expect_prints "$text"
    done
    for ranks in 1 2; do
        expect_exit 0 on $ranks "$sdca" predict $model.h5 data.h5 -o $model.csv
        expect_prints "Error: 0 (0 of 4 rows)"
    done
    expect_exit 0 "$sdca" export $model.h5 $model.txt --format text
    expect_exit 0 "$sdca" report $model.h5 -o $model.html
    expect_exit 0 "$sdca" train data.h5 -o next.h5 --lambda 0.01 --warm-start $model.h5
    expect_prints "Target reached"
done
# The first format has no bound on rounding errors, without which nothing is certain.
cmp <(cut -d, -f1,2 first.csv) <(cut -d, -f1,2 full.csv) || fail "the predictions differ"
cmp first.txt full.txt || fail "the weights differ"
