#!/usr/bin/env bash
# Failures that no command line can provoke: system and HDF5 calls that fail at the worst
# moment, and values that only a bug in sdca can produce. See sdca_injected.c.
set -euo pipefail
. "$(dirname "$0")/common.sh"
injected=${SDCA_INJECTED:?is the program whose calls fail: run it by ctest}

# fails_with CALL CODE TEXT COMMAND... - with this call (KIND:N) failing, the command exits with CODE and leaves no output.
fails_with() {
    local call=$1 expected=$2 sentence=$3
    shift 3
    expect_exit "$expected" env SDCA_INJECT="$call" "$injected" "$@"
    expect_says "$sentence"
    expect_none out.h5 out.svg
}

"$sdca" generate cov1 data.h5 --scale 0.001 --quiet
train=(train data.h5 -o out.h5 --lambda 1e-2 --quiet --solver sdca)
"$sdca" train data.h5 -o model.h5 --lambda 1e-2 --history history.csv --quiet
printf 'label,size\nyes,1\nno,2\n' >table.csv

# Disks that fail on close, or while writing.
generate=(generate cov1 out.h5 --scale 0.1 --quiet)
fails_with H5Gcreate2:0 74 "cannot create X in 'out.h5'" "${generate[@]}"
fails_with H5Dset_extent:0 74 "cannot extend" "${generate[@]}"
fails_with H5Awrite:0 74 "cannot write the attribute" "${generate[@]}"
fails_with H5Fopen:0 74 "cannot read back 'out.h5'" "${generate[@]}"
fails_with rename:0 74 "cannot finish 'out.h5': Input/output error" "${generate[@]}"
echo precious >pair.h5 # with two outputs, neither is replaced before both are complete
fails_with H5Fopen:1 74 "cannot read back 'pair.h5'" "${generate[@]}" --test pair.h5
[ "$(cat pair.h5)" = precious ] || fail "the older file has changed"
fails_with H5Aread:0 74 "cannot read the attribute" info model.h5
fails_with H5Aopen:0 65 "cannot open the attribute" info model.h5
fails_with tmpfile:0 74 "cannot make a temporary file" report model.h5 -o out.svg
fails_with tmpfile:1 74 "cannot write a temporary file" report model.h5 -o out.svg
fails_with getline:0 74 "cannot read 'history.csv': " report history.csv -o out.svg
fails_with gzrewind:0 74 "cannot read table.csv a second time" convert table.csv out.h5
fails_with open:0 73 "cannot copy '-' beside 'out.h5'" convert - out.h5 --format csv < <(cat table.csv)
# The file exists, but cannot be read.
fails_with none:0 74 "cannot read /proc/self/mem: " convert /proc/self/mem out.h5

# Checkpoints: without locks none are written; one that fails verification is not kept.
fails_with fcntl:0 73 "cannot lock 'run.h5.lock'" "${train[@]}" --checkpoint run.h5
expect_none run.h5
expect_exit 74 env SDCA_INJECT=crc32:2 "$injected" "${train[@]}" --checkpoint run.h5
grep -q "'run.h5' differs when it is read back" err || fail "a corrupted checkpoint is not detected"
expect_none run.h5
rm out.h5

expect_exit 0 "$sdca" "${train[@]}" --checkpoint run.h5
rm out.h5
fails_with rename:0 73 "cannot rename 'run.h5': Input/output error" "${train[@]}" --checkpoint run.h5
expect_exit 0 "$sdca" info run.h5

# Internal errors.
fails_with w:0 70 "the objective is no longer finite (src/objective/duality_gap.c:" "${train[@]}"
fails_with alpha:0 70 "is negative (src/objective/duality_gap.c:" "${train[@]}"
fails_with nan:0 70 "is not a number (src/objective/duality_gap.c:" "${train[@]}"
