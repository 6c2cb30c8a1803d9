#!/usr/bin/env bash
# sdca bound prints the theorems' numbers, train --bound writes them beside each gap, and
# the refined analysis counts the same rows as Python.
set -euo pipefail
. "$(dirname "$0")/common.sh"

expect_exit 0 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --loss hinge
grep -qE 'Theorem 1 .* 539958 steps' out || fail "Theorem 1 for the hinge: $(cat out)"
grep -qE 'Theorem 4 .* 547097 steps' out || fail "Theorem 4 for the hinge: $(cat out)"
expect_exit 0 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --loss smooth-hinge --gamma 0.5
grep -qE 'Theorem 2 .*last iterate +167974 steps' out || fail "Theorem 2: $(cat out)"
expect_exit 0 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --loss squared
! grep -q 'Theorem 1' out || fail "the squared loss is not Lipschitz: $(cat out)"
expect_exit 64 "$sdca" bound --n 10000 --lambda 1e-3
expect_says '--gap'
expect_exit 64 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --label cell_type
expect_says "--label requires --data"
expect_exit 0 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --loss epsilon-insensitive
expect_prints "epsilon-insensitive, n = 10000" # its epsilon does not matter
expect_exit 64 "$sdca" bound --n 10000 --lambda 1e-3 --gap 0.01 --loss hinge --gamma 1
expect_says '--gamma' 'smooth-hinge'

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
expect_exit 0 "$sdca" train data.h5 -o model.h5 --lambda 1e-3 --gap 1e-6 --evaluate 1 --bound \
    --history with.csv
expect_exit 0 "$sdca" train data.h5 -o plain.h5 --lambda 1e-3 --history plain.csv
head -n 1 plain.csv | grep -qx 'round,epoch,seconds,primal,dual,gap,test_error,eta,sigma,local_steps,bytes' ||
    fail "without --bound the header differs: $(head -n 1 plain.csv)"
expect_exit 0 "$sdca" bound --model model.h5 --data data.h5
cp out refined
expect_exit 0 "$sdca" train data.h5 -o biased.h5 --lambda 1e-3 --gap 1e-6 --evaluate 1 --bias 5
expect_exit 0 "$sdca" bound --model biased.h5 --data data.h5
cp out refined-biased
"$python" "$here/iteration_bounds.py" || fail "Python computes other values"

expect_exit 65 "$sdca" bound --model data.h5 --data data.h5
expect_says 'not a model'
"$sdca" generate cov1 other.h5 --scale 0.01 --seed 2 --quiet
expect_exit 65 "$sdca" bound --model model.h5 --data other.h5
expect_says 'other.h5' 'trained on'
expect_exit 0 "$sdca" train data.h5 -o smooth.h5 --loss logistic --lambda 1e-3 --quiet
expect_exit 64 "$sdca" bound --model smooth.h5 --data data.h5
expect_says 'logistic'
