#!/usr/bin/env bash
# Trained models are optimal: LIBLINEAR, scikit-learn, SciPy and the closed form of ridge
# regression find nothing better, and the certificate holds.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 cov1.h5 --scale 0.001 --quiet
"$sdca" generate astro-ph text.h5 --scale 0.01 --quiet
"$sdca" generate regression real.h5 --scale 0.004 --values float64 --quiet
"$python" "$here/optimality.py" write small.txt
"$sdca" convert small.txt small.h5 --values float64 --quiet

# train_by SOLVER DATA LOSS LAMBDA [OPTION...] - on 1 and 3 ranks.
train_by() {
    local solver=$1 data=$2 loss=$3 lambda=$4 ranks
    shift 4
    for ranks in 1 3; do
        expect_exit 0 on "$ranks" "$sdca" train "$data.h5" -o "$data-$loss-$solver-$ranks.h5" \
            --loss "$loss" --lambda "$lambda" --rel-gap 1e-8 --quiet --solver "$solver" \
            --summary "$data-$loss-$solver-$ranks.json" \
            --history "$data-$loss-$solver-$ranks.csv" "$@"
    done
}

# train DATA LOSS LAMBDA [OPTION...] - with both solvers; text has many columns.
train() {
    train_by sdca "$@"
    [ "$1" = text ] || train_by newton "$@"
}

for loss in hinge squared-hinge logistic; do
    train cov1 "$loss" 1e-2
    train text "$loss" 1e-3
    train small "$loss" 1e-2
done
train cov1 smooth-hinge 1e-2 --gamma 0.5
train text smooth-hinge 1e-3
train real squared 1e-3
train real absolute 1e-2
train real epsilon-insensitive 1e-2 --epsilon 0.05
train real huber 1e-2 --delta 0.05

"$python" "$here/optimality.py" check
