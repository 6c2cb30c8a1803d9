#!/usr/bin/env bash
# An exhausted budget gives exit status 3, a complete model and a message; --epochs N
# stops after exactly N epochs.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.002 --test test.h5 --quiet

# train CODE NAME RANKS [OPTION...]
train() {
    local expected=$1 name=$2 ranks=$3
    shift 3
    expect_exit "$expected" on "$ranks" "$sdca" train data.h5 -o "$name.h5" \
        --summary "$name.json" --history "$name.csv" "$@"
    [ -s "$name.h5" ] || fail "exit status $code, but no model $name.h5"
}

for ranks in 1 2 3; do
    train 3 epochs-$ranks $ranks --epochs 7 --rel-gap 1e-9 --test test.h5 --lambda 1e-5
    expect_prints "Budget exhausted"
    expect_prints "Certified: P(w) = "
    expect_prints "Test error: "
    train 3 odd-$ranks $ranks --epochs 3 --rel-gap 1e-9 --local-steps 0.37 --lambda 1e-5
done
# Models side by side have parts of a budget that differ by rank, as they skip different rows; of a fold a rank may have
# no row at all. The budget is spent for all of them.
"$sdca" generate topics classes.h5 --scale 0.02 --classes 5 --quiet
for ranks in 2 3; do
    expect_exit 3 on "$ranks" "$sdca" train classes.h5 -o classes-$ranks.h5 --summary classes-$ranks.json --lambda 1e-6 --solver sdca \
        --epochs 7 --rel-gap 1e-9 --all-ranks --quiet
    expect_exit 3 on "$ranks" "$sdca" train data.h5 -o folds.h5 --lambda 1e-5,1e-6 --folds 3 --solver sdca --epochs 3 --rel-gap 1e-9 \
        --all-ranks --quiet
done
train 3 rounds-2 2 --rounds 5 --rel-gap 1e-9 --local-steps 0.5 --lambda 1e-5
train 3 rounds-1 1 --rounds 4 --rel-gap 1e-9 --lambda 1e-5
train 3 time-1 1 --time 0.5 --rel-gap 1e-14 --lambda 1e-9
train 3 time-2 2 --time 0.5 --rel-gap 1e-14 --lambda 1e-9
train 3 stuck-1 1 --gap 1e-300 --lambda 1e-1
expect_prints "Stopped at the limit of double precision"
# Badly scaled values: the run stalls far from the optimum.
train 3 far-1 1 --lambda 1e-90
expect_prints "Stalled before reaching the target"
train 3 far-2 2 --lambda 1e-90 --loss logistic --all-ranks
expect_prints "Stalled before reaching the target"
# A run that ends just after the gap has risen: its best iterate is not its last.
train 3 long-1 1 --epochs 60 --rel-gap 1e-9 --solver sdca --output last --evaluate 1 --lambda 1e-5
risen=$(awk -F, 'NR > 2 && $6 > gap { print $2; exit } { gap = $6 }' long-1.csv)
train 3 last-1 1 --epochs "$risen" --rel-gap 1e-9 --solver sdca --output last --evaluate 1 --lambda 1e-5
train 3 best-1 1 --epochs "$risen" --rel-gap 1e-9 --solver sdca --output best --evaluate 1 --lambda 1e-5
train 0 gap-2 2 --gap 0.05 --lambda 1e-5
expect_prints "Target reached"
train 0 C-1 1 --C 0.5 --rel-gap 0.01
train 0 default-1 1 --lambda 1e-5
# Resuming a finished run only evaluates the error on another test set.
train 0 ended-1 1 --lambda 1e-3 --test test.h5 --checkpoint run.h5
train 0 again-1 1 --lambda 1e-3 --test data.h5 --checkpoint run.h5 --resume
expect_exit 0 "$sdca" info epochs-3.h5
expect_prints "target not reached"
expect_exit 0 "$sdca" info gap-2.h5
expect_prints "converged"

"$python" - <<'END'
import numpy as np
from oracle import check, near, primal, read_data, read_history, read_summary, read_w

x, y = read_data("data.h5")
xt, yt = read_data("test.h5")
for name, epochs in (("epochs", 7), ("odd", 3)):
    for ranks in (1, 2, 3):
        run = read_summary(f"{name}-{ranks}.json")
        check(run["epochs"] == epochs, f"{name}-{ranks}: {run['epochs']} epochs, not {epochs}")
        check(read_history(f"{name}-{ranks}.csv")["epoch"][-1] == epochs, "last epoch in history")
        check(run["status"] == "budget", f"status {run['status']}")
for ranks in (2, 3):
    for part in read_summary(f"classes-{ranks}.json")["per_class"]:
        check(7.0 <= part["epochs"] < 7.05, f"classes-{ranks}: {part['epochs']} epochs, not 7")
for ranks in (1, 2, 3):
    stem = f"epochs-{ranks}"
    last = read_history(stem + ".csv")["test_error"][-1]
    run = read_summary(stem + ".json")
    wrong = np.mean(np.sign(xt @ read_w(stem + ".h5")) != yt)
    near(run["test_error"], wrong, 1e-12, f"{stem}: test error of the model that is kept")
    check(0.0 < last < 1.0, f"{stem}: test error {last} in the history")
for stem, rows, labels in (("ended-1", xt, yt), ("again-1", x, y)):
    wrong = np.mean(np.sign(rows @ read_w(stem + ".h5")) != labels)
    near(read_summary(stem + ".json")["test_error"], wrong, 1e-12, f"{stem}: test error")
check(read_summary("rounds-2.json")["rounds"] == 5, "--rounds 5")
check(read_summary("rounds-1.json")["rounds"] == 4, "--rounds 4")
for ranks in (1, 2):
    seconds = read_summary(f"time-{ranks}.json")["seconds"]["total"]
    check(seconds >= 0.5, f"--time 0.5 took {seconds} s on {ranks} ranks")
check(read_summary("gap-2.json")["gap"] <= 0.05, "--gap 0.05")
C = read_summary("C-1.json")
near(C["lambda"], 1.0 / (0.5 * len(y)), 1e-12, "lambda of --C 0.5")
check(C["C"] == 0.5 and C["rel_gap"] <= 0.01, "--C 0.5 --rel-gap 0.01")
check(read_summary("default-1.json")["rel_gap"] <= 1e-3, "the default target is --rel-gap 1e-3")
last, best = read_summary("last-1.json"), read_summary("best-1.json")
gaps = read_history("last-1.csv")["gap"]
near(last["gap"], gaps[-1], 1e-12, "--output last keeps the last iterate")
check(best["gap"] <= np.min(gaps) * (1.0 + 1e-6), f"best {best['gap']}, seen {np.min(gaps)}")
check(np.min(gaps) < gaps[-1], "this test needs a run whose best iterate is not its last")
for stem in ("last-1", "best-1", "epochs-3", "rounds-2"):
    run = read_summary(stem + ".json")
    near(primal("hinge", x, y, 1e-5, read_w(stem + ".h5")), run["primal"], 1e-9, f"{stem}: P")
END
