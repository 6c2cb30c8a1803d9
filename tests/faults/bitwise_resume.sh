#!/usr/bin/env bash
# About 40 of 120 rounds, kill -9, then resume: weights, history and round log equal those of
# an uninterrupted run, bit for bit, for every output and aggregation rule.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
"$sdca" generate ctr wide.h5 --scale 0.004 --quiet
data=data.h5

# same RANKS OPTION... - compare a run with and without a kill.
same() {
    local ranks=$1
    rm -f run.h5*
    local what=("$data" --lambda 1e-5 --rel-gap 1e-18 --local-steps 0.1 --epochs 12 --evaluate 1
        --deterministic "${@:2}")
    expect_exit 3 on "$ranks" "$sdca" train "${what[@]}" -o whole.h5
    rm -f model.h5
    until [ -e run.h5 ] && [ ! -e model.h5 ]; do # repeat if the kill came too late
        rm -f run.h5* model.h5
        begin "$ranks" "${what[@]}" -o model.h5 --checkpoint run.h5 --checkpoint-every 1r
        within 20 evaluations 5 || fail "less than 4 epochs after 20 s: $(cat background.err)"
        kill_all
        expect_over "killed"
    done
    tally fault
    expect_exit 3 on "$ranks" "$sdca" train "${what[@]}" -o model.h5 --checkpoint run.h5 --resume
    checkpoint same whole.h5 model.h5
    tally resume
}

for ((k = 0; k < (repeat + 7) / 8; k++)); do
    same 1 --output average --average-from 1
    same 1 --output best --order permutation --init sgd
    same 3 --output best --aggregate average
    same 3 --output average --average-from 1 --aggregate add
    same 3 --output random --average-from 1 --seed 7 --aggregate line-search --order random # selects epoch 1.5
    same 3 --output last --aggregate auto --loss logistic
    same 3 --intercept --standardize scale
    data=wide.h5 # rounds touch a small part of the columns
    same 3 --output last
    data=data.h5
done
