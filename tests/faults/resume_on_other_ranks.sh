#!/usr/bin/env bash
# A run is stopped and resumed on 4, 3, 1 and 7 ranks: the dual never decreases, time
# and history continue, and the optimum is the same.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
what=(data.h5 -o model.h5 --lambda 1e-5 --local-steps 0.05 --rel-gap 1e-6 --quiet)
expect_exit 0 "$sdca" train "${what[@]}"
mv model.h5 whole.h5

rounds=0
for ranks in 4 3 1; do
    rounds=$((rounds + 40))
    expect_exit 3 on "$ranks" "$sdca" train "${what[@]}" --checkpoint run.h5 --resume --rounds "$rounds" \
        --history history.csv --summary summary.json
    [ "$ranks" -eq 4 ] || checkpoint went-on data.h5 before.h5 summary.json history.csv
    [ "$(checkpoint round run.h5)" -eq "$rounds" ] || fail "expected round $rounds in the checkpoint"
    cp run.h5 before.h5
    tally resume
done
expect_exit 0 on 7 "$sdca" train "${what[@]}" --checkpoint run.h5 --resume --history history.csv --summary summary.json
checkpoint went-on data.h5 before.h5 summary.json history.csv
checkpoint optimum whole.h5 model.h5
tally resume

# A budget of epochs is used exactly, on any number of ranks.
for k in {1..10}; do echo "$((k % 2 * 2 - 1)) 1:$k $((k % 4 + 2)):1"; done >ten.txt
"$sdca" convert ten.txt ten.h5 --quiet
rm -f run.h5*
rounds=0
for ranks in 2 3 4 3 2 4; do
    rounds=$((rounds + 3))
    what=(ten.h5 -o model.h5 --lambda 1e-3 --solver sdca --local-steps 0.3 --gap 1e-300 --checkpoint run.h5 --resume)
    expect_exit 3 on "$ranks" "$sdca" train "${what[@]}" --rounds "$rounds" --quiet
    cp run.h5 before.h5
    expect_exit 3 on $((5 - ranks % 3)) "$sdca" train "${what[@]}" --epochs 100 --summary summary.json --quiet
    grep -q '"epochs": 100,' summary.json || fail "expected 100 epochs, got $(cat summary.json)"
    mv before.h5 run.h5
done
