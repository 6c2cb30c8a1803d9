#!/usr/bin/env bash
# train rejects malformed data files within seconds, with one message that names file, row
# and column, whichever rank holds that row. No model is created.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/bad_data_files.py"
"$sdca" generate cov1 good.h5 --scale 0.0005 --quiet
"$sdca" train good.h5 -o model.h5 --lambda 1e-2 --quiet
head -c $(($(stat -c %s model.h5) - 100)) model.h5 >truncated-model.h5

# refuse_on RANKS CODE FILE TEXTS... - train rejects it with a message that contains TEXTS.
refuse_on() {
    local ranks=$1 expected=$2 file=$3
    shift 3
    expect_exit "$expected" on "$ranks" timeout 20 "$sdca" train "$file" -o out.h5 --lambda 0.1 \
        --history out.csv --summary out.json
    expect_says "$file" "$@"
    expect_none out.h5 out.csv out.json
}

# The same for one rank, and for one and two. With two ranks, rows 0 to 2 are on rank 0
# and rows 3 to 5 on rank 1.
refuse() {
    refuse_on 1 "$@"
}
refuse_on_both() {
    refuse_on 1 "$@"
    refuse_on 2 "$@"
}

refuse_on_both 66 missing.h5 "No such file"
refuse_on_both 66 . "directory"
refuse_on_both 65 text.h5 "not an HDF5 file"
refuse 65 empty.h5 "empty"
mkfifo pipe.h5
refuse_on_both 65 pipe.h5 "not a regular file"
refuse_on_both 65 truncated.h5
refuse_on_both 65 heap.h5 "damaged" "heap of strings"
refuse_on_both 65 no-x.h5 "no X"
refuse_on_both 65 no-y.h5 "no labels"
refuse 65 no-shape.h5 "shape"
refuse 65 no-indptr.h5 "X/indptr"
refuse 65 coo.h5 "coo_matrix" "csr_matrix"
refuse 65 text-values.h5 "X/data"
refuse 65 real-indices.h5 "must be integers"
refuse 65 three-dimensional.h5 "X"
refuse 65 one-dimensional.h5 "X in" "1 dimension, not 2"
refuse 65 square-values.h5 "X/data" "2 dimensions, not 1"
refuse 65 no-rows.h5 "no rows"
refuse_on_both 65 nan.h5 "row 4" "column 1" "finite"
refuse_on_both 65 infinite.h5 "row 0" "column 0" "finite"
refuse_on_both 65 dense-nan.h5 "row 2" "column 1" "finite"
refuse_on_both 65 overflow.h5 "row 4"
refuse_on_both 65 column-beyond.h5 "row 3" "column 9"
refuse 65 column-negative.h5 "row 3" "column -1"
refuse 65 column-huge.h5 "row 3" "column"
refuse_on_both 65 duplicate.h5 "row 2" "column 1" "twice"
refuse_on_both 65 descending.h5 "row 2"
refuse 65 offset-first.h5 "row 0"
refuse_on_both 65 offset-beyond.h5 "row 6"
refuse_on_both 65 offset-short.h5 "row 6"
refuse 65 short-indptr.h5 "6 row offsets for 6 rows"
refuse 65 short-indices.h5 "13 values but 12 column indices"
refuse 65 long.h5 "4294967296 rows for this rank"
refuse 65 short-y.h5 "5 labels for 6 rows"
refuse_on_both 65 nan-label.h5 "row 1" "label"
refuse 65 model.h5 "no X"
refuse_on_both 65 weights.h5 "row 4" "the weight is -1"
refuse_on_both 65 other-names.h5 "row 1" "y is -1, where label_names has names for 0 to 1"
refuse 65 text-labels.h5 "is text" "label_names"
refuse 65 flat-labels.h5 "y" "2 dimensions"
refuse 65 wide.h5 "2147483648 columns"
refuse 65 long-shape.h5 "shape" "2 numbers"
refuse 65 number-encoding.h5 "encoding-type" "not text"
refuse 65 many-encodings.h5 "encoding-type" "not text"
refuse 65 many-fixed-encodings.h5 "encoding-type" "not text"
refuse 65 vanishing.h5 "row 0" "vanish"
refuse 74 checked.h5 "X/data"
refuse_on_both 65 lzf-values.h5 "X/data" "compressed with lzf" "h5repack"
refuse_on_both 65 lzf-labels.h5 "y in" "compressed with lzf"
refuse 65 unknown-filter.h5 "X/data" "compressed with filter 399"
expect_exit 65 on 2 "$sdca" train lzf-words.h5 -o out.h5 --label kind --lambda 0.1
expect_says "obs/kind/categories" "lzf-words.h5" "compressed with lzf"
refuse_on_both 65 virtual.h5 "y in" "a virtual dataset" "zeros" "h5repack -l CONTI"
# lzf stores incompressible chunks unfiltered; these need no lzf to read.
expect_exit 0 "$sdca" train lzf-in-vain.h5 -o fine.h5 --lambda 0.1 --quiet
expect_exit 65 "$sdca" train huge.h5 -o out.h5 --lambda 1e-10 --quiet
expect_says "row" "too large"
expect_none out.h5

# The test set of train, and the model and data of predict, are checked as well.
expect_exit 65 on 2 "$sdca" train good.h5 -o out.h5 --lambda 0.1 --test nan.h5 --quiet
expect_says "nan.h5" "row 4"
expect_exit 66 "$sdca" train good.h5 -o out.h5 --lambda 0.1 --test missing.h5 --quiet
expect_says "missing.h5"
expect_exit 65 on 2 "$sdca" predict good.h5 good.h5 -o out.csv
expect_says "good.h5" "not a model"
expect_exit 65 "$sdca" predict model.h5 model.h5 -o out.csv
expect_says "model.h5" "no X"
expect_exit 65 on 2 "$sdca" predict model.h5 nan.h5 -o out.csv
expect_says "nan.h5" "row 4"
expect_exit 66 "$sdca" predict missing.h5 good.h5 -o out.csv
expect_says "missing.h5"
expect_exit 65 on 2 "$sdca" predict truncated-model.h5 good.h5 -o out.csv
expect_says "truncated-model.h5"
expect_none out.h5 out.csv
for command in info "export"; do
    arguments=(text.h5)
    [ "$command" = info ] || arguments+=(out.txt)
    expect_exit 65 "$sdca" "$command" "${arguments[@]}"
    expect_says "text.h5" "HDF5"
done
expect_exit 65 "$sdca" export good.h5 out.txt
expect_says "good.h5" "not a model"
expect_exit 65 "$sdca" info no-x.h5
expect_says "no-x.h5"
for file in one-dimensional square-values flat-labels table-labels; do
    expect_exit 65 "$sdca" info $file.h5
    expect_says "$file.h5" "dimension"
done
expect_none out.txt

# Labels that are valid for regression.
expect_exit 0 on 2 "$sdca" train three-labels.h5 -o fine.h5 --lambda 0.1 --loss squared --quiet
