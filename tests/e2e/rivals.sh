#!/usr/bin/env bash
# SAG and the exponentiated gradient: the optimum of SDCA, the same bits after a resume, refusals, and
# launch/paper/rivals.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate astro-ph data.h5 --scale 0.01 --quiet
"$sdca" generate regression real.h5 --scale 0.002 --quiet

# train NAME LOSS [OPTION...]
train() {
    expect_exit 0 "$sdca" train data.h5 -o "$1.h5" --summary "$1.json" --loss "$2" --lambda 1e-3 --gap 1e-6 \
        --quiet "${@:3}"
}

# interrupt METHOD LOSS - a run of 12 rounds, one of 5 of them, and one that goes on from there.
interrupt() {
    local common=("$sdca" train data.h5 --solver "$1" --loss "$2" --lambda 1e-5 --gap 1e-300 --quiet)
    expect_exit 3 "${common[@]}" -o "whole-$1-$2.h5" --history "whole-$1-$2.csv" --rounds 12
    expect_exit 3 "${common[@]}" -o part.h5 --rounds 5 --checkpoint run.h5
    expect_exit 3 "${common[@]}" -o "resumed-$1-$2.h5" --history "resumed-$1-$2.csv" --rounds 12 --resume --from run.h5
    expect_exit 64 "$sdca" train data.h5 -o out.h5 --solver sdca --loss "$2" --lambda 1e-5 --resume --from run.h5
    expect_says "--solver $1"
    rm run.h5
}

runs=()
for run in "sag smooth-hinge" "sag squared-hinge" "sag logistic" "eg hinge" "eg smooth-hinge" "eg logistic"; do
    read -r method loss <<<"$run"
    [ -e "sdca-$loss.h5" ] || train "sdca-$loss" "$loss" --solver sdca
    train "$method-$loss" "$loss" --solver "$method"
    interrupt "$method" "$loss"
    runs+=("$method-$loss")
done
expect_exit 0 "$sdca" train real.h5 -o real-model.h5 --solver sag --loss squared --lambda 1e-2 --quiet
train warm hinge --solver eg --warm-start sdca-hinge.h5
train warm logistic --solver sag --warm-start sdca-logistic.h5

"$python" - "${runs[@]}" <<'END'
import json, sys
import numpy as np
from oracle import check, read_history, read_w

for run in sys.argv[1:]:
    method, loss = run.split("-", 1)
    mine, other = (json.load(open(name + ".json")) for name in (run, "sdca-" + loss))
    check(abs(mine["primal"] - other["primal"]) <= 1e-6, f"{run}: another optimum than SDCA's")
    check(mine["gap"] <= 1e-6, f"{run}: gap {mine['gap']}")
    check(read_w(f"whole-{run}.h5").tobytes() == read_w(f"resumed-{run}.h5").tobytes(), f"{run}: other bits of w")
    whole, resumed = read_history(f"whole-{run}.csv"), read_history(f"resumed-{run}.csv")
    for name in whole:
        check(name == "seconds" or np.array_equal(whole[name], resumed[name], equal_nan=True),
              f"{run}: another {name} after a resume")
END

# refuse WORDS... -- ARGUMENTS...
refuse() {
    part "$@"
    expect_refusal 64 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 "${arguments[@]}"
}
refuse "smooth losses" "hinge" -- --solver sag
refuse "between 0 and 1" "squared-hinge" -- --solver eg --loss squared-hinge
for method in sag eg; do
    refuse "average" -- --solver "$method" --loss logistic --output average --epochs 4
    refuse "--init sgd" "$method" -- --solver "$method" --loss logistic --init sgd
    expect_exit 64 on 2 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --loss logistic --solver "$method"
    expect_says "$method" "one rank"
done

export SDCA=$sdca
rivals=$here/../../launch/paper/rivals
timeout 150 "$rivals" --quick --out made >out 2>err || fail "not all is made: $(cat out err)"
grep -q '^| cov1 | 1e-6 | 1e-4 |' made/rivals.md || fail "rivals.md has no rows for cov1"
expect_exit 0 "$rivals" --quick --out made
expect_prints "Made: made/rivals.md"
[ "$(wc -l <out)" -eq 1 ] || fail "runs were made again: $(cat out)"
expect_exit 64 "$rivals" --scale
