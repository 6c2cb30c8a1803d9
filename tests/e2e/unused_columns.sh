#!/usr/bin/env bash
# Unused columns cost nothing and change nothing: 10 million columns, 500 of them in use,
# give the same bits as 500 columns, on any number of ranks, resumed or not; 2^31 - 2
# columns need little memory.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/unused_columns.py" write
for name in gaps none; do
    expect_exit 0 "$sdca" convert $name.txt $name.h5 --quiet
done

# both NAME RANKS EXIT OPTION... - train on both sets with $solver.
solver=sdca
both() {
    local name=$1 ranks=$2 status=$3 set
    shift 3
    for set in gaps none; do
        expect_exit "$status" on "$ranks" "$sdca" train $set.h5 -o "$set-$name.h5" --lambda 1e-3 --deterministic \
            --solver "$solver" --quiet "${@//SET/$set}"
    done
}

for ranks in 1 2 4; do
    both $ranks $ranks 0 --rel-gap 1e-4 --bias 1 --normalize rows --test SET-test.h5 --history SET-$ranks.csv \
        --summary SET-$ranks.json
done
both model 1 0 --rel-gap 1e-5
solver=newton both newton 1 0 --loss logistic --rel-gap 1e-6
both warm-model 1 0 --rel-gap 1e-4 --bias 2 --warm-start SET-model.h5

# A stopped run resumes with the same bits, also on other ranks.
how=(--rel-gap 1e-9 --bias 1)
expect_exit 3 on 2 "$sdca" train none.h5 -o none-whole.h5 --lambda 1e-3 --deterministic --solver sdca --quiet "${how[@]}" \
    --rounds 40
both half 2 3 "${how[@]}" --rounds 15 --checkpoint SET-check.h5
for set in gaps none; do
    cp $set-check.h5 $set-moved-check.h5
    cp $set-check.h5 $set-begun.h5
done
both resumed 2 3 "${how[@]}" --rounds 40 --checkpoint SET-check.h5 --resume
both moved 3 3 "${how[@]}" --rounds 30 --checkpoint SET-moved-check.h5 --resume
both warm-check 1 0 --rel-gap 1e-4 --bias 1 --warm-start SET-check.h5
solver=sgd both sgd-half 1 3 --epochs 3 --checkpoint SET-sgd.h5
solver=sgd both sgd-resumed 1 3 --epochs 5 --checkpoint SET-sgd.h5 --resume
"$python" "$here/unused_columns.py" compare 1 2 4 model newton warm-model begun resumed moved moved-check warm-check sgd-resumed \
    sgd

# The most unused columns that are not left out, and the maximum number of columns.
how=(--lambda 1e-3 --rel-gap 1e-5 --deterministic --solver sdca --quiet)
expect_exit 0 "$sdca" train some.h5 -o some-model.h5 "${how[@]}"
(
    ulimit -v 8000000 # KB; a vector over all columns is 16 GB
    expect_exit 3 "$sdca" train most.h5 -o out.h5 "${how[@]}" --rounds 10 --checkpoint biased.h5 --bias 1
    expect_exit 0 "$sdca" train most.h5 -o out.h5 "${how[@]}" --checkpoint biased.h5 --bias 1 --resume
    expect_exit 3 "$sdca" train most.h5 -o out.h5 "${how[@]}" --rounds 10 --checkpoint most-check.h5
    expect_exit 0 "$sdca" train most.h5 -o most-model.h5 "${how[@]}" --checkpoint most-check.h5 --resume
    expect_exit 0 "$sdca" train most.h5 -o out.h5 "${how[@]}" --warm-start most-model.h5
    expect_exit 0 "$sdca" predict most-model.h5 most.h5 -o predicted-most.csv
)
(
    ulimit -v 500000 # KB; a vector over 10 million columns is 80 MB
    expect_exit 0 "$sdca" info most-model.h5
    expect_prints "columns      2147483646, 500 with a non-zero weight"
    expect_exit 0 "$sdca" report gaps-model.h5 -o report.html
    expect_exit 0 "$sdca" report most-model.h5 -o most.html
    grep -qF '500 of 2147483646 weights are non-zero.' most.html || fail "wrong number of weights"
)
"$python" "$here/report_contents.py" model report.html gaps-model.h5
expect_exit 0 "$sdca" export gaps-model.h5 weights.txt --format text
expect_exit 0 on 2 "$sdca" predict gaps-model.h5 gaps.h5 -o predicted.csv

# A full test set, and empty rows.
expect_exit 0 "$sdca" train few.h5 -o few-model.h5 --lambda 1e-2 --test few-test.h5 --summary few.json
grep -q "90 columns (30 used)" err || fail "expected the number of used columns, got '$(cat err)'"
for ranks in 1 3; do
    expect_exit 0 on $ranks "$sdca" train empty.h5 -o out.h5 --lambda 1e-2
done
"$python" "$here/unused_columns.py" judge
