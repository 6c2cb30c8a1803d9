#!/usr/bin/env bash
# Small malicious files are rejected at once, with a message: none consumes memory or time for
# data it does not store, none makes sdca read other files, and none crashes it.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.0005 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-2 --quiet
"$python" "$here/malicious_files.py" model.h5
train=("$sdca" train)
options=(-o out.h5 --lambda 0.1 --quiet)

# refuse TEXTS... -- COMMAND... - rejected with a message that contains TEXTS, without output.
refuse() {
    part "$@"
    expect_refusal 65 "${arguments[@]}"
    expect_none out.h5 out.csv out.txt out.html
}

# refuse_data FILE TEXTS... - train, predict and info reject it.
refuse_data() {
    refuse "$@" -- "${train[@]}" "$1" "${options[@]}"
    refuse "$@" -- "$sdca" predict model.h5 "$1" -o out.csv --quiet
    refuse "$@" -- "$sdca" info "$1"
}

# Files that declare more than they store.
refuse_data row.h5 "X/data" "18446744073709551616 bytes" "stores 0"
for file in labels wrapped chunk compact beyond; do
    refuse_data "$file.h5" "y in" "is declared with" "stores"
done
for file in dense dense-gzip no-columns rows33 rows40; do
    refuse_data "$file.h5" "X in" "is declared with" "stores 0"
done
for ranks in 1 2; do
    refuse offsets.h5 "X/indptr" "declared" -- on $ranks "${train[@]}" offsets.h5 "${options[@]}"
    refuse offsets.h5 "X/indptr" "declared" -- on $ranks "$sdca" predict model.h5 offsets.h5 -o out.csv
    refuse categories.h5 "declared" -- on $ranks "${train[@]}" categories.h5 "${options[@]}" --label ct
    refuse categories.h5 "declared" -- on $ranks "$sdca" predict model.h5 categories.h5 -o out.csv --label ct
done
for file in words all-words wide-words; do
    refuse "$file.h5" "obs/ct/categories" "declared" -- "${train[@]}" "$file.h5" "${options[@]}" --label ct
done
refuse shared.h5 "the strings of obs/ct/categories" "longer than the file" -- \
    "${train[@]}" shared.h5 "${options[@]}" --label ct
for file in row labels dense rows33 compact; do
    refuse "$file.h5" "declared" -- on 2 "${train[@]}" "$file.h5" "${options[@]}"
done
refuse "declared" -- "${train[@]}" data.h5 "${options[@]}" --test rows33.h5

# Models.
for model in model-history:history/round model-rounds:rounds/round model-names:column_names model-link:pipe; do
    file=${model%:*}.h5 place=${model#*:}
    refuse "$file" "$place" -- "$sdca" info "$file"
    refuse "$file" "$place" -- "$sdca" export "$file" out.txt
    refuse "$file" "$place" -- "$sdca" report "$file" -o out.html
    refuse "$file" "$place" -- "$sdca" bound --model "$file" --data data.h5
    refuse "$file" "$place" -- "$sdca" predict "$file" data.h5 -o out.csv
    refuse "$file" "$place" -- "${train[@]}" data.h5 "${options[@]}" --warm-start "$file"
done
for file in model-history.h5 model-rounds.h5; do
    refuse "$file" "declared" -- on 2 "$sdca" predict "$file" data.h5 -o out.csv
    refuse "$file" "declared" -- on 2 "${train[@]}" data.h5 "${options[@]}" --warm-start "$file"
done
expect_exit 0 "$sdca" predict model-wide.h5 data.h5 --quiet # without memory for 2^31 weights
expect_exit 0 "$sdca" bound --model model-wide.h5 --data data.h5

# Invalid sizes.
for file in shape-infinite shape-nan shape-fraction; do
    refuse_data "$file.h5" "shape of X" "not an integer"
done
for file in shape-int64 shape-uint64; do
    refuse "$file.h5" "7 row offsets for 9223372036854775807 rows" -- "${train[@]}" "$file.h5" "${options[@]}"
done
refuse "for -7 rows" -- "${train[@]}" shape-negative.h5 "${options[@]}"
refuse "has -4 columns" -- "${train[@]}" shape-columns.h5 "${options[@]}"
expect_exit 0 "${train[@]}" shape-real.h5 -o fine.h5 --lambda 0.1 --quiet
refuse "data of format 99" "knows format 1" -- "${train[@]}" format-99.h5 "${options[@]}"
refuse "data of format 0" -- "${train[@]}" format-0.h5 "${options[@]}"
refuse "format-version" "not an integer" -- "${train[@]}" format-fraction.h5 "${options[@]}"

# Invalid labels.
expect_exit 0 "${train[@]}" signs.h5 -o fine.h5 --lambda 0.1 --quiet
for case in "nan:row 4: y is nan" "five:row 1: y is 5" "zero:row 0: y is 0"; do
    file=signs-${case%%:*}.h5
    refuse "$file" "${case#*:}" "-1 or +1" -- "${train[@]}" "$file" "${options[@]}"
    expect_exit 0 "$sdca" info "$file"
    expect_prints "rejected     by train: y is neither -1 nor +1 in 1 row"
done
expect_exit 0 "${train[@]}" codes.h5 -o fine.h5 --lambda 0.1 --quiet --label ct
for case in "fraction:row 2: the code of the label is 0.5" "beyond:row 4: the code of the label is 2" \
    "negative:row 5: the code of the label is -2" "nan:row 3: the code of the label is nan"; do
    file=codes-${case%%:*}.h5
    refuse "$file" "${case#*:}" -- "${train[@]}" "$file" "${options[@]}" --label ct
done
expect_exit 0 "${train[@]}" codes-missing.h5 -o fine.h5 --lambda 0.1 --keep-dual --label ct # left out
expect_exit 0 "$sdca" verify fine.h5 codes-missing.h5
refuse "row 4: y is nan" -- on 2 "${train[@]}" signs-nan.h5 "${options[@]}"
refuse "row 4: the code" -- on 2 "${train[@]}" codes-beyond.h5 "${options[@]}" --label ct

# Links to other files are followed only on request, and only to plain files; a pipe would block.
for file in link link-absolute link-x link-chain link-soft-out; do
    refuse_data "$file.h5" "has a link to the file" "--follow-links"
    expect_exit 0 "${train[@]}" "$file.h5" -o fine.h5 --lambda 0.1 --quiet --follow-links
    expect_exit 0 "$sdca" predict fine.h5 "$file.h5" --quiet --follow-links
    expect_exit 0 "$sdca" bound --model fine.h5 --data "$file.h5" --follow-links
    expect_exit 0 "$sdca" info "$file.h5" --follow-links
done
for file in link link-x link-chain; do
    refuse "$file.h5" "has a link to the file" -- on 2 "${train[@]}" "$file.h5" "${options[@]}"
    expect_exit 0 on 2 "${train[@]}" "$file.h5" -o fine.h5 --lambda 0.1 --quiet --follow-links
done
mkdir sub
cp link.h5 sub/away.h5 # the link's target exists in the current directory only
expect_exit 0 "${train[@]}" sub/away.h5 -o fine.h5 --lambda 0.1 --quiet --follow-links
for case in "link-pipe:'pipe', to which" "link-chain-pipe:'pipe', to which" "link-folder:'folder', to which"; do
    file=${case%%:*}.h5
    refuse_data "$file" "has a link to the file"
    refuse "${case#*:}" "is not a regular file" -- "${train[@]}" "$file" "${options[@]}" --follow-links
    refuse "${case#*:}" "is not a regular file" -- "$sdca" info "$file" --follow-links
done
refuse "'nowhere.h5', to which" "is not there" -- "${train[@]}" link-missing.h5 "${options[@]}" --follow-links
refuse "is not a regular file" -- on 2 "${train[@]}" link-pipe.h5 "${options[@]}" --follow-links
for file in link-names link-weight link-var; do
    refuse "$file.h5" "has a link to the file" -- "${train[@]}" "$file.h5" "${options[@]}"
done
for file in link-nowhere link-user; do
    refuse "cannot open y in '$file.h5'" -- "${train[@]}" "$file.h5" "${options[@]}" --follow-links
    refuse "cannot open y in '$file.h5'" -- "$sdca" predict model.h5 "$file.h5" -o out.csv
done
expect_exit 0 "${train[@]}" link-soft.h5 -o fine.h5 --lambda 0.1 --quiet
for file in raw raw-pipe; do
    refuse_data "$file.h5" "X/data" "stored in other files"
    refuse "X/data" "stored in other files" -- "${train[@]}" "$file.h5" "${options[@]}" --follow-links
done
refuse raw-pipe.h5 "X/data" "stored in other files" -- on 2 "${train[@]}" raw-pipe.h5 "${options[@]}"
refuse "obs/ct/categories" "stored in other files" -- "${train[@]}" raw-words.h5 "${options[@]}" --label ct
refuse "obs/ct/categories" "virtual dataset" -- "${train[@]}" virtual-words.h5 "${options[@]}" --label ct

# Small or well compressed files are valid.
expect_exit 0 "${train[@]}" fine-unwritten.h5 -o fine.h5 --lambda 0.1 --quiet
expect_exit 0 "$sdca" info fine-packed.h5
expect_prints "3000000: 0 (3000000 rows)"

# Checkpoints with impossible numbers and a valid checksum.
expect_exit 3 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --solver sdca --gap 1e-300 --epochs 3 \
    --checkpoint run.h5 --quiet
expect_exit 3 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --solver sgd --epochs 3 --gap 1e-300 \
    --checkpoint sgd.h5 --quiet
rm out.h5
"$python" "$here/malicious_checkpoints.py"
for case in place:order/place negative:order/place infinite:ranks/made mark:rows/mark \
    alpha:alpha nan:kept/alpha weights:w unknown:solver; do
    refuse "${case#*:} in" "out of range" -- "$sdca" train data.h5 -o out.h5 --lambda 1e-3 \
        --solver sdca --gap 1e-300 --epochs 6 --quiet --resume --from "run-${case%:*}.h5"
done
refuse "sgd/place in" "out of range" -- "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --solver sgd \
    --epochs 6 --gap 1e-300 --quiet --resume --from sgd-place.h5
refuse "run-earlier.h5" "earlier version" "--warm-start" -- "$sdca" train data.h5 -o out.h5 \
    --lambda 1e-3 --solver sdca --gap 1e-300 --epochs 6 --quiet --resume --from run-earlier.h5
refuse "kept/w in" "not a vector" -- "$sdca" train data.h5 -o out.h5 --lambda 1e-3 \
    --solver sdca --gap 1e-300 --epochs 6 --quiet --resume --from run-table.h5
expect_exit 3 "$sdca" train data.h5 -o fine.h5 --lambda 1e-3 \
    --solver sdca --gap 1e-300 --epochs 6 --quiet --resume --from run-solver.h5
