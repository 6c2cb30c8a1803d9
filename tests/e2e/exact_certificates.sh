#!/usr/bin/env bash
# Certificates hold in exact arithmetic, on data of adversarial scales.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/exact_certificates.py" "$sdca" "$mpirun"

# Contradicting rows, one on each of two ranks: their steps cancel, and the line
# search has no curvature left. If steps are tiny besides, the run stalls, as on one rank.
printf '1 1:1\n-1 1:1\n' >two.txt
printf '1 1:1e6\n-1 1:1e6\n' >two-large.txt
"$sdca" convert two.txt two.h5 --quiet
"$sdca" convert two-large.txt two-large.h5 --quiet
for loss in squared squared-hinge smooth-hinge logistic hinge; do
    expect_exit 0 on 2 "$sdca" train two.h5 -o two-model.h5 --loss $loss --lambda 1e-2 --solver sdca --quiet
    expect_exit 3 on 2 "$sdca" train two-large.h5 -o two-model.h5 --loss $loss --lambda 1e-6 --solver sdca --quiet
done

# Plain SGD that diverges reports it, and reaches no target.
printf '%s\n' '1 1:3' '-1 1:2' '2 1:-1' >three.txt
"$sdca" convert three.txt three.h5 --task regression --quiet
expect_exit 64 "$sdca" train three.h5 -o three-model.h5 --loss squared --lambda 1e-2 --solver sgd \
    --epochs 60 --gap 1e-3 --quiet
expect_says "plain SGD diverges"

# A path of Newton fits whose matrix overflows: another method takes over.
printf '%s\n' '-1 1:-1.35' '1 1:1.7e-5' '1 2:207 3:-5.4' '1 1:-1.35 2:2449644' >steep.txt
printf '%s\n' 2 2 1 1e9 >steep-weights.txt
"$sdca" convert steep.txt steep.h5 --weights steep-weights.txt --values float64 --quiet
expect_exit 3 "$sdca" train steep.h5 -o steep-model.h5 --lambda 1e-11,9e-12 --path steep-fits --solver newton --intercept \
    --rel-gap 1e-11 --epochs 400 --quiet
