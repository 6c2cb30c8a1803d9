#!/usr/bin/env bash
# report --test: metrics, confusion matrix, curves and weights of the page are those that
# scikit-learn and NumPy compute from the model and the data.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/report_of_test_data.py" write
for model in "two logistic" "two hinge" "five logistic" "five hinge" "real squared"; do
    read -r name loss <<<"$model"
    expect_exit 0 "$sdca" train "$name.h5" -o "$name-$loss.h5" --loss "$loss" --lambda 0.01 --rel-gap 1e-4 --quiet
    expect_exit 0 "$sdca" report "$name-$loss.h5" --test "$name-test.h5" -o "$name-$loss.html"
    expect_exit 0 "$sdca" predict "$name-$loss.h5" "$name-test.h5" -o "$name-$loss.csv" --quiet
    "$python" "$here/report_of_test_data.py" check "$name-$loss.html" "$name-$loss.h5" "$name-test.h5" "$name-$loss.csv"
    "$python" "$here/report_contents.py" names "$name-$loss.html" "$name-$loss.h5"
done
! grep -q '<h2>Calibration' two-hinge.html || fail "hinge loss has no probabilities, but a calibration"
grep -q '<h2>Calibration' five-logistic.html || fail "no calibration of several classes"

# The target is in the model, and is a line of both charts; earlier models have none.
[ "$(grep -c 'class="target "' two-hinge.html)" -eq 4 ] || fail "no line of the target against epochs and seconds"
"$python" - <<'END'
import h5py, re
with h5py.File("two-hinge.h5") as model:
    assert model["certificate"].attrs["target_rel_gap"] == 1e-4, dict(model["certificate"].attrs)
END
cp two-hinge.h5 early.h5
"$python" -c 'import h5py; del h5py.File("early.h5", "r+")["certificate"].attrs["target_rel_gap"]'
expect_exit 0 "$sdca" report early.h5 -o early.html
! grep -q 'class="target' early.html || fail "a target that the model does not tell"

# Several runs: the curves share figures, the matrices are folded away.
expect_exit 0 "$sdca" report two-logistic.h5 two-hinge.h5 --test two-test.h5 -o both.html
"$python" "$here/report_of_test_data.py" several both.html two-logistic.h5 two-hinge.h5
expect_exit 0 "$sdca" report two-logistic.h5 two-hinge.h5 -o without.html
expect_exit 0 "$sdca" train two.h5 -o scaled.h5 --standardize scale --lambda 0.01 --quiet
expect_exit 0 "$sdca" report scaled.h5 --test two-test.h5 -o scaled.html
! grep -q 'labels proven' scaled.html real-squared.html without.html || fail "labels that are not proven"
! grep -q 'How good' without.html || fail "test results without test data"

# What is refused, without a page.
expect_exit 0 "$sdca" train two.h5 -o history.h5 --lambda 0.1 --history history.csv --quiet
expect_exit 64 "$sdca" report two-hinge.h5 history.csv --test two-test.h5 -o no.html
expect_says "'history.csv' is a history, which has no weights"
expect_exit 64 on 2 "$sdca" report two-hinge.h5 --test two-test.h5 -o no.html
grep -q "report --test is for one process" err || fail "expected a refusal, got '$(cat err)'"
expect_exit 64 "$sdca" report two-hinge.h5 --test two-test.h5 -o two-test.h5 --format html
expect_says "would replace the input"
expect_exit 66 "$sdca" report two-hinge.h5 --test missing.h5 -o no.html
expect_exit 65 "$sdca" report two-hinge.h5 --test two-hinge.h5 -o no.html
expect_none no.html
