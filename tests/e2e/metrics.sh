#!/usr/bin/env bash
# The metrics of predict agree with scikit-learn's to 1e-12: two and more classes and
# regression, with weights and without, with ties, on one and three ranks.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/metrics.py" write
for loss in logistic hinge; do
    for name in two five; do
        expect_exit 0 "$sdca" train $name.h5 -o $name-$loss.model --loss $loss --lambda 0.1 --quiet
    done
done
expect_exit 0 "$sdca" train real.h5 -o real-squared.model --loss squared --lambda 0.1 --quiet
for model in two-logistic two-hinge five-logistic five-hinge real-squared; do
    data=${model%-*}.h5
    for ranks in 1 3; do
        expect_exit 0 on $ranks "$sdca" predict $model.model "$data" -o $model.csv --metrics $model-$ranks.json
        cp out $model-$ranks.out
        expect_exit 0 on $ranks "$sdca" predict $model.model "$data" --unweighted --quiet --metrics $model-$ranks-plain.json
    done
    cmp $model-1.out $model-3.out || fail "$model: 3 ranks print other metrics"
done
grep -qx "Error of the majority vote: 0\.[0-9]*" two-hinge-1.out || fail "expected the majority vote, got '$(cat two-hinge-1.out)'"
grep -q "^RMSE of the mean: " real-squared-1.out || fail "expected the mean, got '$(cat real-squared-1.out)'"
"$python" "$here/metrics.py" check
# The confusion matrix is that of the file.
"$python" - <<'END'
import json
for name in "two-hinge", "five-logistic":
    lines = open(f"{name}-1.out").read().splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith("Predicted "))
    found = [[float(x) for x in line.split()[-(len(lines[begin].split()) - 1):]] for line in lines[begin + 1:]
             if not line.startswith("Certain")]
    expected = json.load(open(f"{name}-1.json"))["confusion"]
    assert [[float(f"{x:.6g}") for x in row] for row in expected] == found, (expected, found)
END

# train --test prints what predict does, also of a model that only the first rank has.
same_metrics() {
    local model=$1 data=$2
    grep -vE '^(Error|RMSE): ' "$model.predicted" >expected
    sed -n '/^Test /,/^Calibrated\|^Model: /p' "$model.trained" | grep -vE '^(Test|Calibrated|Model)' >found
    cmp expected found || fail "$model: train --test $data prints '$(cat found)', predict '$(cat expected)'"
}
for how in "two.h5 --loss hinge --lambda 0.1" "two.h5 --loss hinge --lambda 0.1 --folds 3 --calibrate" \
    "five.h5 --loss logistic --lambda 1,0.1 --folds 3" "five.h5 --loss hinge --lambda 1,0.1 --folds 3 --calibrate" \
    "real.h5 --loss squared --lambda 0.1" "two.h5 --loss logistic --lambda 0.1 --intercept --standardize scale"; do
    # shellcheck disable=SC2086 # several words
    expect_exit 0 on 3 "$sdca" train $how -o trained.model --test "${how%% *}" --all-ranks
    cp out trained.model.trained
    expect_exit 0 "$sdca" predict trained.model "${how%% *}"
    cp out trained.model.predicted
    same_metrics trained.model "$how"
done

# JSON on standard output is all there is.
expect_exit 0 "$sdca" predict two-hinge.model two.h5 --metrics -
cmp out two-hinge-1.json || fail "expected JSON, got '$(cat out)'"
grep -q '^Error: ' err || fail "expected the error on standard error, got '$(cat err)'"
expect_exit 64 "$sdca" predict two-hinge.model two.h5 --metrics two.h5
expect_exit 64 "$sdca" predict two-hinge.model two.h5 -o same --metrics same
