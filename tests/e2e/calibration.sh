#!/usr/bin/env bash
# Probabilities of train --calibrate are those of scikit-learn with the same folds, or the
# same validation set; of every rank count, of one lambda and of a chosen one; intervals
# contain what the sigmoid makes of the exact optimum.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/calibration.py" write
"$python" "$here/calibration.py" compare "$sdca"

# Ranks change nothing but rounding errors, and nothing at all from one run to the next.
how=(--loss squared-hinge --rel-gap 1e-12 --calibrate --quiet)
expect_exit 0 "$sdca" train four.h5 -o one.h5 --lambda 0.01 --folds 4 "${how[@]}"
expect_exit 0 "$sdca" train four.h5 -o again.h5 --lambda 0.01 --folds 4 "${how[@]}"
expect_exit 0 on 3 "$sdca" train four.h5 -o three.h5 --lambda 0.01 --folds 4 --all-ranks "${how[@]}"
# The calibration of a lambda that was chosen is that of this lambda alone.
expect_exit 0 "$sdca" train four.h5 -o path.h5 --lambda 1,0.01,1e-3 --folds 4 "${how[@]}" --summary path.json
expect_exit 0 "$sdca" train four.h5 -o valid.h5 --lambda 1,0.01 --validation valid-four.h5 "${how[@]}"
"$python" "$here/calibration.py" same one.h5 again.h5 0
"$python" "$here/calibration.py" same one.h5 three.h5 1e-7
"$python" "$here/calibration.py" chosen "$sdca" path.h5

# What others read of it.
expect_exit 0 "$sdca" info one.h5
expect_prints "calibration  probability 1/(1 + exp(-(A score + B))), A and B for each class, by the scores of 240 rows held out in 4 folds"
expect_exit 0 "$sdca" info valid.h5
expect_prints "by the scores of 160 rows of a validation set"
expect_exit 0 "$sdca" export one.h5 one.json --format json
"$python" "$here/calibration.py" exported one.h5 one.json
expect_exit 0 "$sdca" report one.h5 --test valid-four.h5 -o report.html
expect_exit 0 "$sdca" predict one.h5 valid-four.h5 --metrics m.json
"$python" -c '
import json, re
loss = json.load(open("m.json"))["log_loss"]
assert re.search(rf"(?is)log-loss.{{0,300}}{loss:.4g}", open("report.html").read()), loss'

# Scores that are all 0, or that separate the classes.
expect_exit 0 "$sdca" train zero.h5 -o zero-model.h5 --lambda 0.1 --folds 3 --calibrate
expect_prints "The scores of these rows do not predict the labels: A is not above 0."
expect_exit 0 "$sdca" train apart.h5 -o apart-model.h5 --lambda 0.01 --folds 3 --calibrate
"$python" "$here/calibration.py" extremes zero-model.h5 apart-model.h5

# A run that ends early is not calibrated, and says so.
expect_exit 3 "$sdca" train two.h5 -o early.h5 --lambda 1e-2 --folds 3 --calibrate --time 1e-9 --summary early.json
expect_prints "Not calibrated: the run ended before the models of the folds."
grep -q '"calibration": null' early.json || fail "$(cat early.json)"
expect_exit 0 "$sdca" predict early.h5 two.h5 -o early.csv
! grep -q probability early.csv || fail "$(head -n 1 early.csv)"

# A checkpoint fits a validation set, but not folds.
expect_exit 0 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --validation valid-two.h5 --calibrate --checkpoint c.h5 --quiet
expect_exit 64 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --folds 3 --calibrate --checkpoint c.h5
expect_says "--calibrate with --folds excludes checkpoints"
expect_exit 64 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --calibrate
expect_says "--calibrate requires --folds K or --validation FILE.h5"
expect_exit 64 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --calibrate --folds 3 --metric auc
expect_says "--metric is for several lambda, of which one is chosen"
expect_exit 64 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --calibrate --folds 3 --loss squared
expect_says "--calibrate is for classification, not for --loss squared"
expect_exit 65 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --calibrate --validation single.h5
expect_says "'single.h5' cannot calibrate the model: it needs rows of two labels at least"

# A file that was altered.
"$python" "$here/calibration.py" damage one.h5
for name in short infinite; do
    expect_exit 65 "$sdca" info $name.h5
    expect_says "'calibration/slope' in '$name.h5' needs 4 finite numbers, one for each model"
done
