#!/usr/bin/env bash
# A bias gives the same result as a constant column in the file, and as LIBLINEAR's -B.
# predict, export and logistic probabilities use it.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/bias.py" write
for file in with-*.h5 without-*.h5; do
    bias=2
    [ "${file%%-*}" = without ] || bias=0
    expect_exit 0 "$sdca" train "$file" -o "model-$file" --bias $bias --lambda 0.01 --loss smooth-hinge --solver sdca \
        --rel-gap 1e-4 --quiet
done

# solve LOSS SOLVER TEXT TASK RANKS OPTIONS... - by sdca and by LIBLINEAR, at C = 0.1.
solve() {
    "$sdca" convert "$3.txt" "$3.h5" --values float64 --task "$4" --quiet
    expect_exit 0 on "$5" "$sdca" train "$3.h5" -o "model-$1.h5" --loss "$1" "${@:6}" --C 0.1 --bias 2 --rel-gap 1e-7 --quiet
    liblinear-train -q -s "$2" -c 0.1 -p 0.1 -B 2 -e 1e-6 "$3.txt" "$1.liblinear"
    expect_exit 0 "$sdca" export "model-$1.h5" "$1.exported" --format liblinear
}
solve hinge 3 signs classification 1
solve squared-hinge 1 signs classification 2
solve logistic 7 signs classification 2
solve epsilon-insensitive 13 real regression 1 --epsilon 0.1

expect_exit 0 "$sdca" train signs.h5 -o model-normalized.h5 --normalize rows --bias 2 --lambda 0.01 --summary \
    normalized.json --quiet
expect_exit 0 "$sdca" predict model-normalized.h5 signs.h5 -o predicted-normalized.csv
expect_exit 0 "$sdca" train signs.h5 -o again.h5 --C 0.1 --bias 2 --rel-gap 1e-7 --test wider.h5 --summary summary.json --quiet
expect_exit 0 on 3 "$sdca" predict model-hinge.h5 signs.h5 -o predicted.csv
cp out predicted.out
expect_exit 0 "$sdca" predict model-hinge.h5 wider.h5 -o predicted-wider.csv
expect_exit 0 "$sdca" predict model-hinge.h5 narrower.h5 -o predicted-narrower.csv
expect_exit 0 "$sdca" export model-hinge.h5 weights.txt --format text
expect_exit 0 "$sdca" predict model-logistic.h5 signs.h5 -o likely.csv
expect_exit 0 on 2 "$sdca" predict model-logistic.h5 signs.h5 -o likely.h5
liblinear-predict -b 1 signs.txt logistic.exported likely.liblinear >/dev/null
"$python" "$here/bias.py" check

# A resumed run equals an uninterrupted one; its checkpoint predicts like a model.
how=(--C 0.1 --bias 2 --rel-gap 1e-7 --solver sdca --quiet)
expect_exit 0 "$sdca" train signs.h5 -o whole.h5 "${how[@]}"
expect_exit 3 "$sdca" train signs.h5 -o half.h5 "${how[@]}" --epochs 8 --checkpoint check.h5
expect_exit 0 "$sdca" train signs.h5 -o resumed.h5 "${how[@]}" --checkpoint check.h5 --resume
expect_exit 64 "$sdca" train signs.h5 -o out.h5 --C 0.1 --solver sdca --checkpoint check.h5 --resume
expect_says "--bias 2"
for start in check half; do
    expect_exit 0 "$sdca" train signs.h5 -o out.h5 "${how[@]}" --warm-start $start.h5
done
"$python" - <<'END'
from bias import read_model
from oracle import near
near(read_model("resumed.h5"), read_model("whole.h5"), 0.0, "a run that was resumed")
END

expect_exit 0 "$sdca" info model-hinge.h5
expect_prints "from a constant column of 2"
expect_exit 64 "$sdca" export model-normalized.h5 out --format liblinear
expect_says "normalised"
expect_exit 64 "$sdca" train signs.h5 -o out.h5 --C 1 --bias -1
expect_says "--bias"
expect_exit 64 "$sdca" train signs.h5 -o out.h5 --C 1 --bias 1e30
expect_says "--bias"
