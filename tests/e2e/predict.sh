#!/usr/bin/env bash
# Predictions agree with numpy: scores, labels, error, RMSE and MAE, on one and three
# ranks, as CSV and HDF5, with and without labels, with other columns than the model's.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 two.h5 --scale 0.001 --test two-test.h5 --quiet
"$sdca" generate regression real.h5 --scale 0.005 --test real-test.h5 --quiet
printf '%s\n' '2 1:1 3:-0.25' '1 2:1' '2 1:2 2:0.5' '1 1:-1 3:3' >narrow.txt
printf '%s\n' '2 1:1 4:5' '1 2:1 9:-3' '1 1:1' '2 7:1' >wider.txt
printf '%s\n' '2 1:1' '1 1:2' '1 1:-1' >narrower.txt
for name in narrow wider narrower; do
    "$sdca" convert $name.txt $name.h5 --quiet
done
"$python" - <<'END'
import h5py, numpy
with h5py.File("nothing.h5", "w") as out:  # rows without columns, which convert cannot create
    out["X/data"], out["X/indices"], out["X/indptr"] = numpy.zeros(0), numpy.zeros(0, "i4"), [0, 0, 0]
    out["X"].attrs["shape"], out["y"] = [2, 0], [2.0, 1.0]
with h5py.File("two-test.h5") as labelled, h5py.File("unlabelled.h5", "w") as out:
    labelled.copy("X", out)
END

expect_exit 0 "$sdca" train two.h5 -o two-model.h5 --lambda 1e-3 --quiet
expect_exit 0 "$sdca" train two.h5 -o normal-model.h5 --lambda 1e-3 --normalize rows --quiet
expect_exit 0 "$sdca" train real.h5 -o real-model.h5 --loss absolute --lambda 1e-3 --quiet
expect_exit 0 "$sdca" train narrow.h5 -o narrow-model.h5 --lambda 0.1 --quiet

expect_exit 0 "$sdca" train nothing.h5 -o nothing-model.h5 --lambda 0.1 --quiet

# predict NAME MODEL DATA - on 1 and 3 ranks, with all outputs.
predict() {
    for ranks in 1 3; do
        expect_exit 0 on $ranks "$sdca" predict "$2" "$3" -o "$1-$ranks.csv"
        cp out "$1-$ranks.out"
        expect_exit 0 on $ranks "$sdca" predict "$2" "$3" -o "$1-$ranks.h5" --quiet
        [ ! -s out ] || fail "--quiet prints '$(cat out)'"
    done
    cmp "$1-1.csv" "$1-3.csv" || fail "$1: 3 ranks predict differently"
    cmp "$1-1.out" "$1-3.out" || fail "$1: 3 ranks report another error"
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

# Standard output has the contents of the file and nothing else; no file is named -.
expect_exit 0 on 3 "$sdca" predict two-model.h5 two-test.h5 -o -
cmp out two-1.csv || fail "expected the predictions on standard output, got '$(head -3 out)'"
grep -qF "$(cat two-1.out)" err || fail "expected the error on standard error, got '$(cat err)'"
expect_none ./-

# Invalid labels and weights do not matter where they are not used.
"$python" - <<'END'
import h5py
import numpy as np
with h5py.File("two-test.h5") as labelled, h5py.File("partly.h5", "w") as out:
    labelled.copy("X", out)
    out["y"] = np.where(np.arange(labelled["y"].size) == 1, np.nan, labelled["y"])
    out["weight"] = -np.ones(labelled["y"].size)
END
expect_exit 65 "$sdca" predict two-model.h5 partly.h5 -o partly.csv
expect_says "partly.h5" "row 0" "weight"
expect_exit 0 on 3 "$sdca" predict two-model.h5 partly.h5 -o partly.csv --unlabelled
cmp partly.csv unlabelled-1.csv || fail "unused labels change the predictions"
expect_exit 64 "$sdca" predict two-model.h5 partly.h5 --unlabelled
expect_says "--unlabelled requires -o"
expect_exit 64 "$sdca" predict two-model.h5 partly.h5 -o partly.csv --unlabelled --label cell_type
expect_says "excludes --label"
expect_exit 64 "$sdca" predict two-model.h5 partly.h5 -o partly.csv --unlabelled --metrics m.json
expect_says "--metrics excludes --unlabelled"

"$python" "$here/predict.py"

# A row is divided by its full norm, even if the model has few of its columns.
printf '1 1:1\n-1 1:-1\n' >narrow.txt
printf '1 1:3 2:4\n' >wider.txt
"$sdca" convert narrow.txt narrow.h5 --quiet
"$sdca" convert wider.txt wider.h5 --quiet
expect_exit 0 "$sdca" train narrow.h5 -o narrow.model.h5 --loss squared --lambda 1e-3 --normalize rows --rel-gap 1e-9
expect_exit 0 "$sdca" predict narrow.model.h5 wider.h5 -o wider.csv
grep -qx "Note: 'wider.h5' has 2 columns, the model 1: the excess ones are ignored" err || fail "missing note: $(cat err)"
expect_exit 0 "$sdca" predict narrow.model.h5 narrow.h5
[ ! -s err ] || fail "unexpected note: $(cat err)"
"$sdca" train wider.h5 -o wide.model.h5 --loss squared --lambda 1 --quiet
expect_exit 0 on 2 "$sdca" predict wide.model.h5 narrow.h5 -o narrow.csv
grep -qx "Note: 'narrow.h5' has 1 column, the model 2: the missing ones are 0" err || fail "missing note: $(cat err)"
expect_exit 0 "$sdca" predict wide.model.h5 narrow.h5 -o narrow.csv --quiet
[ ! -s err ] || fail "--quiet prints: $(cat err)"

# Unknown labels are counted over all ranks, and reported once.
printf '1 1:1\n0 1:-1\n0 1:2\n1 1:3\n0 1:-2\n' >zeros.txt
printf '3 1:1\n1 1:-1\n-1 1:-2\n' >third.txt
"$sdca" convert zeros.txt zeros.h5 --quiet
"$sdca" convert third.txt third.h5 --task regression --quiet
"$sdca" train narrow.h5 -o signs.model.h5 --lambda 0.1 --quiet
unknown="with a label that the model does not know, which"
for ranks in 1 3; do
    expect_exit 0 on $ranks "$sdca" predict signs.model.h5 zeros.h5
    expect_prints "Error: 0.6 (3 of 5 rows)"
    [ "$(grep -cF "Warning: 'zeros.h5' has 3 rows $unknown count as wrong: it knows -1 and 1" err)" -eq 1 ] ||
        fail "unknown labels: $(cat err)"
    expect_exit 0 on $ranks "$sdca" train narrow.h5 -o out.model.h5 --lambda 0.1 --test zeros.h5
    [ "$(grep -cF "Warning: 'zeros.h5' has 3 rows $unknown count as wrong: it knows -1 and 1" err)" -eq 1 ] ||
        fail "unknown labels of a test set: $(cat err)"
done
expect_exit 0 "$sdca" predict signs.model.h5 third.h5 -o third.csv
grep -qF "has 1 row $unknown counts as wrong" err || fail "one unknown label: $(cat err)"
expect_exit 0 "$sdca" predict signs.model.h5 zeros.h5 --quiet
[ ! -s err ] || fail "--quiet prints: $(cat err)"
expect_exit 0 "$sdca" train narrow.h5 -o out.model.h5 --lambda 0.1 --test zeros.h5 --quiet
[ ! -s err ] || fail "--quiet prints: $(cat err)"
for data in narrow.h5 unlabelled.h5; do
    expect_exit 0 "$sdca" predict signs.model.h5 $data -o known.csv
    ! grep -q Warning err || fail "unexpected warning: $(cat err)"
done
expect_exit 0 "$sdca" train real.h5 -o out.model.h5 --loss squared --lambda 0.1 --test real-test.h5
! grep -q "$unknown" err || fail "unexpected warning in regression: $(cat err)"

# Singular forms in messages.
printf '1 1:1\n' >one.txt
expect_exit 0 "$sdca" convert one.txt one.h5
expect_prints "one.h5: 1 row, 1 column, 1 non-zero ("
expect_exit 0 "$sdca" info one.h5
expect_prints "1 row x 1 column, 1 non-zero ("
expect_exit 0 "$sdca" train one.h5 -o one.model.h5 --loss hinge --solver sdca --lambda 1 --epochs 1
grep -qF "data      1 row x 1 column, 1 non-zero, read" err || fail "settings of one row: $(cat err)"
expect_prints "after 1 epoch (1 round) in"
expect_exit 0 "$sdca" predict one.model.h5 one.h5
expect_prints "of 1 row)"
expect_exit 0 "$sdca" predict one.model.h5 narrow.h5
grep -qF "it knows 1 only" err || fail "a model of one label: $(cat err)"
"$python" - <<'END'
import csv, h5py
w = h5py.File("narrow.model.h5")["w"][0]
score = float(next(csv.DictReader(open("wider.csv")))["score"])
assert abs(score - 0.6 * w) < 1e-6, (score, w)
END
