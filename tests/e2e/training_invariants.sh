#!/usr/bin/env bash
# For every loss, number of ranks and aggregation rule: no gap is negative, the dual never
# decreases where the rule guarantees ascent, history and round log are complete.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 two.h5 --scale 0.0005 --quiet
"$sdca" generate cov1 many.h5 --scale 0.05 --quiet
"$sdca" generate astro-ph text.h5 --scale 0.005 --quiet
"$sdca" generate regression real.h5 --scale 0.002 --quiet

# train DATA LOSS RANKS RULE LOCAL-STEPS - a few epochs, each evaluated four times.
train() {
    expect_exit 3 on "$3" "$sdca" train "$1.h5" --loss "$2" --lambda 1e-3 --aggregate "$4" \
        --local-steps "$5" --evaluate 0.25 --epochs 5 --rel-gap 1e-12 --quiet \
        -o "$1,$2,$3,$4,$5.h5" --history "$1,$2,$3,$4,$5.csv"
}

for loss in hinge smooth-hinge squared-hinge logistic squared absolute epsilon-insensitive huber; do
    case $loss in
    squared | absolute | epsilon-insensitive | huber) data=real ;;
    *) data=two ;;
    esac
    train $data $loss 2 line-search 0.1
    train $data $loss 3 add 0.25
    train $data $loss 4 line-search 0.05
done
train two hinge 4 add 1
train two logistic 3 line-search 2
train text logistic 4 line-search 0.1
train text hinge 2 average 0.25
train text squared-hinge 1 line-search 0.25
train many hinge 3 line-search auto
expect_exit 3 "$sdca" train two.h5 --solver sdca --lambda 1e-3 --local-steps 0.01 --rounds 10001 --rel-gap 1e-300 \
    --evaluate 1000 --quiet -o long.h5

"$python" "$here/training_invariants.py"
