#!/usr/bin/env bash
# Labels, probabilities, signs of weights and distances that are said to be proven hold
# for optima that others compute to full precision, in tens of thousands of cases.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/certain_predictions.py" "$sdca"

# Every rank counts, and a text has the same certain labels as a data file.
expect_exit 0 "$sdca" predict model.h5 test.h5 -o one.csv
cp out one
expect_exit 0 on 3 "$sdca" predict model.h5 test.h5 -o three.csv
cmp one out || fail "3 ranks print '$(cat out)'"
cmp one.csv three.csv || fail "3 ranks predict otherwise"
"$python" - <<'END'
import h5py
with h5py.File("test.h5") as file, open("test.svm", "w") as text:
    for x, y in zip(file["X"][:], file["y"][:]):
        text.write(f"{y:g} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(x) if v) + "\n")
END
expect_exit 0 "$sdca" predict model.h5 test.svm -o text.csv
cmp <(cut -d, -f1,4 one.csv) <(cut -d, -f1,4 text.csv) || fail "a text has other certain labels"

# Nothing is said where nothing is known.
expect_exit 0 "$sdca" train train.h5 -o real.h5 --loss squared --lambda 0.1 --quiet
expect_exit 0 "$sdca" predict real.h5 test.h5 -o real.csv
[ "$(head -n 1 real.csv)" = prediction,score ] || fail "regression: $(head -n 1 real.csv)"
! grep -q Certain out || fail "regression: '$(cat out)'"
for changed in "--standardize scale" "--standardize full --intercept"; do
    # shellcheck disable=SC2086 # one word or two
    expect_exit 0 "$sdca" train train.h5 -o changed.h5 --loss logistic --lambda 0.1 --quiet $changed
    expect_exit 0 "$sdca" predict changed.h5 test.h5 -o changed.csv
    if grep -q certain changed.csv || grep -q Certain out; then
        fail "$changed: $(cat out)"
    fi
done
expect_exit 64 "$sdca" predict real.h5 test.h5 --threshold 1

# --until labels: ranks, budgets, and what it does not go with.
until=("$sdca" train train.h5 -o until.h5 --loss hinge --lambda 0.1 --test test.h5 --until labels)
expect_exit 0 on 3 "${until[@]}" --all-ranks --solver sdca
expect_prints "Certain: 1500 of 1500 labels are proven"
expect_exit 3 "${until[@]}" --solver sdca --epochs 3
expect_prints "Budget exhausted before reaching the target"
expect_exit 3 "${until[@]}" --solver sdca --time 1e-9
expect_exit 64 "$sdca" train train.h5 -o until.h5 --lambda 0.1 --until labels
expect_says "--until labels requires --test TEST.h5 and a loss for classification"
for option in --intercept "--checkpoint c.h5" "--standardize scale" "--solver sag"; do
    # shellcheck disable=SC2086 # one word or more
    expect_exit 64 "$sdca" train train.h5 -o until.h5 --loss hinge --lambda 0.1 --test test.h5 --until labels $option
done
expect_exit 64 "$sdca" train train.h5 -o until.h5 --loss hinge --lambda 0.1,0.01 --path p --test test.h5 --until labels
expect_says "--until labels excludes several lambda"
expect_exit 64 "$sdca" predict model.h5 test.h5 --threshold many
