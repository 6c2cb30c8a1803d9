#!/usr/bin/env bash
# AnnData files: any kind of obs column as label, predictions as strings, test sets with
# differently numbered categories, and column names from var.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/anndata_files.py" write
how=(--loss smooth-hinge --lambda 0.01 --rel-gap 1e-7 --quiet)
expect_exit 0 "$sdca" train plain.h5 -o model-plain.h5 "${how[@]}"
for column in reversed unused numbered bool int float old; do
    expect_exit 0 "$sdca" train csr.h5ad -o model-$column.h5 --label $column "${how[@]}"
done
expect_exit 0 on 3 "$sdca" train dense.h5ad -o model-dense.h5 --label state "${how[@]}"
expect_exit 0 "$sdca" train csr.h5ad -o model.h5 --label state --test sick.h5ad --summary summary.json "${how[@]}"
for name in fallback unnamed; do
    expect_exit 0 "$sdca" train $name.h5ad -o model-$name.h5 "${how[@]}"
done

expect_exit 0 "$sdca" predict model.h5 test.h5ad --label state -o test.csv
cp out test.out
expect_exit 0 on 3 "$sdca" predict model.h5 test.h5ad --label unused -o test-predicted.h5
cp out unused.out
expect_exit 0 on 2 "$sdca" predict model.h5 sick.h5ad --label state
cp out sick.out
"$python" "$here/anndata_files.py" check

expect_exit 0 "$sdca" predict model.h5 test.h5ad -o unlabelled.csv
cmp unlabelled.csv test.csv || fail "labels change predictions"
expect_exit 0 "$sdca" info model.h5
expect_prints "healthy for negative scores, sick, a bit for positive ones"
expect_exit 0 "$sdca" info test.h5ad
grep -q '^  for --label  .*bool (numbers), .*int (numbers), .*numbered (categories), old (categories), .*state (categories)' out ||
    fail "columns that can be labels: $(cat out)"
! grep -qE '(text|short|nullable|_index) \(' out || fail "columns that cannot be labels: $(cat out)"
expect_exit 0 "$sdca" train csr.h5ad -o hinge.h5 --label state --lambda 0.1 --loss hinge --quiet
expect_exit 0 "$sdca" bound --model hinge.h5 --data csr.h5ad --label state
expect_prints "Theorem"
expect_exit 0 "$sdca" export model.h5 model.txt --format liblinear
grep -qx "label 1 0" model.txt || fail "labels in LIBLINEAR's format: $(head -4 model.txt)"

# refuse TEXTS... -- ARGUMENTS... - exit status 65 and a message with these texts.
refuse() {
    part "$@"
    expect_refusal 65 on $ranks "$sdca" "${arguments[@]}"
}
ranks=1
"$python" -c 'import h5py; h5py.File("csc.h5ad", "r+")["X"].attrs["encoding-type"] = "coo_matrix"'
refuse "X in 'csc.h5ad' is a coo_matrix where a csr_matrix or a csc_matrix is needed" -- train csc.h5ad -o out.h5 --label state --lambda 0.1
refuse "csr.h5ad" "no labels" "--label" "obs" -- train csr.h5ad -o out.h5 --lambda 0.1
refuse "csr.h5ad" "'nothing'" "obs" -- train csr.h5ad -o out.h5 --label nothing --lambda 0.1
expect_exit 0 "$sdca" train csr.h5ad -o long.h5 --label long --lambda 0.1 --quiet
refuse "csr.h5ad" "text" "category" -- train csr.h5ad -o out.h5 --label text --lambda 0.1
refuse "csr.h5ad" "obs/nullable" -- train csr.h5ad -o out.h5 --label nullable --lambda 0.1
refuse "csr.h5ad" "199 labels" "200 rows" -- train csr.h5ad -o out.h5 --label short --lambda 0.1
refuse "csr.h5ad" "words" -- train csr.h5ad -o out.h5 --label state --loss squared --lambda 0.1
refuse "test.h5ad" "numbers" "words" -- predict model.h5 test.h5ad --label int
refuse "test.h5ad" "words" -- predict model-plain.h5 test.h5ad --label state
refuse "column 3 of 'swapped.h5ad' is 'gene4', where 'csr.h5ad' has 'gene3'" "the same order" -- \
    train csr.h5ad -o out.h5 --label int --lambda 0.1 --test swapped.h5ad
# Errors that only one rank sees.
ranks=3
expect_exit 0 on $ranks "$sdca" predict model.h5 swapped.h5ad --unlabelled -o swapped.csv
expect_exit 0 "$sdca" predict model-fallback.h5 unnamed.h5ad
expect_exit 0 on $ranks "$sdca" train csr.h5ad -o gaps.h5 --label gaps --lambda 0.1
grep -qF "1 row of 'csr.h5ad' without a label: left out" err || fail "the missing label: $(cat err)"
refuse "test.h5ad" "row" "'a'" "'healthy' and 'sick, a bit'" -- predict model.h5 test.h5ad --label three
