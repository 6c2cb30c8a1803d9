#!/usr/bin/env bash
# sdca verify accepts the models of all methods and losses on any number of ranks, and so
# does the NumPy program of docs/certificates.md; a model or data that were altered
# anywhere are refused with a sentence; the leave-one-out interval holds.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/verify.py" write
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$tree/docs/certificates.md" >documented.py

# accepted DATA OPTION... - a model of this data set is verified.
accepted() {
    local data=$1
    shift
    run "$sdca" train "$data.h5" -o model.h5 --lambda 1e-2 --keep-dual --quiet "$@"
    [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || fail "train $*: exit status $code, $(cat err)"
    expect_exit 0 "$sdca" verify model.h5 "$data.h5"
    grep -q "^Verified: " out || fail "expected a result, got '$(cat out)'"
}

# on_ranks DATA - several ranks verify the model too.
on_ranks() {
    expect_exit 0 on 3 "$sdca" verify model.h5 "$1.h5" --quiet
    [ ! -s out ] || fail "--quiet printed '$(cat out)'"
}

# also_in_numpy DATA - the NumPy program accepts the model too.
also_in_numpy() {
    cp "$1.h5" data.h5
    "$python" documented.py >out || fail "NumPy refuses the model"
}

for loss in hinge smooth-hinge squared-hinge logistic; do
    accepted two --loss $loss --solver sdca --bias 1 --normalize rows
    also_in_numpy two
done
for loss in squared absolute epsilon-insensitive huber; do
    accepted real --loss $loss
    also_in_numpy real
done
on_ranks real
accepted two --loss hinge --class-weight balanced --positive 2 --solver sdca --output average --epochs 3
accepted two --loss hinge --solver sgd --epochs 3
accepted two --loss logistic --solver sag --bias 2
also_in_numpy two
accepted two --loss logistic --solver eg
accepted five --loss logistic --solver newton
accepted real --loss absolute --solver newton
mv model.h5 real-newton.model
accepted hashed --loss hinge
mv model.h5 hashed.model
accepted five --loss hinge --bias 1 --solver sdca
on_ranks five
mv model.h5 five-hinge.model
accepted two --loss logistic --solver sdca --bias 1
on_ranks two
mv model.h5 two-logistic.model

accepted zero --loss huber --solver sdca
accepted zero --loss absolute --solver newton
expect_exit 0 "$sdca" train one.h5 -o model.h5 --lambda 1e-6 --loss huber --delta 0.25 --solver newton --rel-gap 1e-6 --keep-dual --quiet
expect_exit 0 "$sdca" verify model.h5 one.h5
for lambda in 1e-7 1e-4; do
    expect_exit 0 "$sdca" train scales.h5 -o model.h5 --lambda $lambda --loss squared --solver newton --rel-gap 1e-6 --keep-dual --quiet
    expect_exit 0 "$sdca" verify model.h5 scales.h5
done

# Ranks do not matter, and neither does a path.
expect_exit 0 on 3 "$sdca" train five.h5 -o model.h5 --loss hinge --lambda 0.1,0.01 --path fits --keep-dual --quiet --solver sdca
for model in model.h5 fits/*.h5; do
    expect_exit 0 "$sdca" verify "$model" five.h5 --quiet
done
expect_exit 0 on 2 "$sdca" train two.h5 -o model.h5 --loss hinge --lambda 0.01 --keep-dual --quiet --solver sdca
expect_exit 0 "$sdca" verify model.h5 two.h5 --quiet

number=0
while read -r sentence; do
    expect_exit 65 "$sdca" verify case-$number.model case-$number.h5
    grep -qF -- "$sentence" err || fail "case $number: expected '$sentence', got '$(cat err)'"
    [ ! -s out ] || fail "case $number printed '$(cat out)'"
    number=$((number + 1))
done < <("$python" "$here/verify.py" alter)
[ $number -gt 20 ] || fail "only $number files were altered"
expect_exit 65 on 2 "$sdca" verify case-0.model case-0.h5

expect_exit 65 "$sdca" verify two-logistic.model five.h5 # the fingerprint, first of all
expect_exit 65 "$sdca" verify two-logistic.model hashed.h5
expect_exit 0 "$sdca" train two.h5 -o plain.model --lambda 1e-2 --quiet
expect_exit 65 "$sdca" verify plain.model two.h5
grep -q "train it with --keep-dual" err || fail "got '$(cat err)'"
expect_exit 64 "$sdca" train five.h5 -o model.h5 --lambda 1e-2 --keep-dual --checkpoint run.h5
expect_exit 64 "$sdca" train two.h5 -o model.h5 --lambda 1e-2 --keep-dual --intercept
expect_exit 64 "$sdca" train two.h5 -o model.h5 --lambda 1e-2 --keep-dual --standardize scale

"$python" "$here/verify.py" leave-one-out "$sdca"
