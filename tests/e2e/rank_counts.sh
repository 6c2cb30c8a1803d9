#!/usr/bin/env bash
# Any number of ranks, fewer rows than ranks, and any order certify the same optimum:
# two certified objectives differ by at most the sum of their gaps.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 many.h5 --scale 0.001 --quiet
"$sdca" generate ctr wide.h5 --scale 0.005 --quiet
"$sdca" generate regression real.h5 --scale 0.002 --quiet
printf '%s\n' '+1 1:1 2:0.5' '-1 2:1 3:-0.5' '+1 1:0.3 4:2' '-1 3:1' '+1 5:0.1' >few.txt
"$sdca" convert few.txt few.h5 --quiet

# train DATA LOSS RANKS LAMBDA [OPTION...]
count=0
train() {
    local data=$1 loss=$2 ranks=$3 lambda=$4
    shift 4
    count=$((count + 1))
    expect_exit 0 on "$ranks" "$sdca" train "$data.h5" -o model.h5 --loss "$loss" \
        --lambda "$lambda" --rel-gap 1e-6 --summary "$data,$loss,$ranks,$count.json" --quiet "$@"
}

for ranks in 1 2 3 4; do
    train many hinge $ranks 1e-2
    train many logistic $ranks 1e-2
    train real epsilon-insensitive $ranks 1e-2
    train real huber $ranks 1e-2
    train wide hinge $ranks 1e-3 --local-steps 0.05 # most columns are not touched in a round
    train wide logistic $ranks 1e-3 --local-steps 0.05
done
for ranks in 1 2 5 7; do
    train few hinge $ranks 0.1
    train few logistic $ranks 0.1
    train few squared $ranks 0.1
done
for order in permutation random cyclic; do
    train many smooth-hinge 1 1e-2 --order $order --seed 3
    train many smooth-hinge 3 1e-2 --order $order --seed 4
done
for rule in average add line-search; do
    train many squared-hinge 3 1e-2 --aggregate $rule
done
train many squared-hinge 3 1e-2 --sigma 1.5 --local-steps 0.3
train many squared-hinge 2 1e-2 --local-steps 4

"$python" - <<'END'
import glob
from collections import defaultdict
from oracle import check, read_summary

groups = defaultdict(list)
for path in sorted(glob.glob("*.json")):
    data, loss, ranks, _ = path.split(",")
    run = read_summary(path)
    check(run["ranks"] == int(ranks), f"{path}: ranks {run['ranks']}")
    check(run["rel_gap"] <= 1e-6, f"{path}: relative gap {run['rel_gap']}")
    groups[data, loss].append(run)
for name, runs in groups.items():
    low = max(run["dual"] for run in runs)
    high = min(run["primal"] for run in runs)
    print(name, len(runs), "runs, optimum from", low, "to", high)
    check(low <= high * (1.0 + 1e-13), f"{name}: a dual of {low!r} above a primal of {high!r}")
    for a in runs:
        for b in runs:
            check(abs(a["primal"] - b["primal"]) <= a["gap"] + b["gap"] + 1e-13,
                  f"{name}: {a['primal']!r} on {a['ranks']} and {b['primal']!r} on {b['ranks']} "
                  f"ranks, with gaps {a['gap']} and {b['gap']}")
check(len(groups) == 11, f"11 groups expected, got {sorted(groups)}")
END
