#!/usr/bin/env bash
# Predictions are numpy's: scores, labels, error, RMSE and MAE, alone and on three
# ranks, as CSV and HDF5, with and without labels, for other columns than the model's.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 two.h5 --scale 0.001 --test two-test.h5 --quiet
"$sdca" generate regression real.h5 --scale 0.005 --test real-test.h5 --quiet
printf '%s\n' '2 1:1 3:-0.25' '1 2:1' '2 1:2 2:0.5' '1 1:-1 3:3' >narrow.txt
printf '%s\n' '2 1:1 4:5' '1 2:1 9:-3' '1 1:1' '2 7:1' >wider.txt
printf '%s\n' '2 1:1' '1 1:2' '1 1:-1' >narrower.txt
printf '%s\n' '2' '1' >nothing.txt
for name in narrow wider narrower nothing; do
    "$sdca" convert $name.txt $name.h5 --quiet
done
"$python" - <<'END'
import h5py
with h5py.File("two-test.h5") as labelled, h5py.File("unlabelled.h5", "w") as out:
    labelled.copy("X", out)
END

expect_exit 0 "$sdca" train two.h5 -o two-model.h5 --lambda 1e-3 --quiet
expect_exit 0 "$sdca" train two.h5 -o normal-model.h5 --lambda 1e-3 --normalize rows --quiet
expect_exit 0 "$sdca" train real.h5 -o real-model.h5 --loss absolute --lambda 1e-3 --quiet
expect_exit 0 "$sdca" train narrow.h5 -o narrow-model.h5 --lambda 0.1 --quiet

expect_exit 0 "$sdca" train nothing.h5 -o nothing-model.h5 --lambda 0.1 --quiet

# predict NAME MODEL DATA - alone and on 3 ranks, with all outputs.
predict() {
    for ranks in 1 3; do
        expect_exit 0 on $ranks "$sdca" predict "$2" "$3" -o "$1-$ranks.csv"
        cp out "$1-$ranks.out"
        expect_exit 0 on $ranks "$sdca" predict "$2" "$3" -o "$1-$ranks.h5" --quiet
        [ ! -s out ] || fail "--quiet says '$(cat out)'"
    done
    cmp "$1-1.csv" "$1-3.csv" || fail "$1: 3 ranks predict otherwise than one"
    cmp "$1-1.out" "$1-3.out" || fail "$1: 3 ranks measure another error than one"
}
predict two two-model.h5 two-test.h5
predict normal normal-model.h5 two-test.h5
predict real real-model.h5 real-test.h5
predict unlabelled two-model.h5 unlabelled.h5
predict wider narrow-model.h5 wider.h5
predict narrower narrow-model.h5 narrower.h5
predict nothing nothing-model.h5 wider.h5
expect_exit 65 "$sdca" predict two-model.h5 unlabelled.h5
expect_says "unlabelled.h5" "labels"

"$python" "$here/predict.py"

# A row is divided by its whole length, also where the model knows few of its columns.
printf '1 1:1\n-1 1:-1\n' >narrow.txt
printf '1 1:3 2:4\n' >wider.txt
"$sdca" convert narrow.txt narrow.h5 --quiet
"$sdca" convert wider.txt wider.h5 --quiet
expect_exit 0 "$sdca" train narrow.h5 -o narrow.model.h5 --loss squared --lambda 1e-3 --normalize rows --rel-gap 1e-9
expect_exit 0 "$sdca" predict narrow.model.h5 wider.h5 -o wider.csv
"$python" - <<'END'
import csv, h5py
w = h5py.File("narrow.model.h5")["w"][0]
score = float(next(csv.DictReader(open("wider.csv")))["score"])
assert abs(score - 0.6 * w) < 1e-6, (score, w)
END
