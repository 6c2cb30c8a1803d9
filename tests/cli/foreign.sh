#!/usr/bin/env bash
# Files that h5py and SciPy wrote, in any width, order and layout, train to the
# same bits as the same data through sdca convert.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/foreign.py" write
"$sdca" convert rows.txt convert.h5 --values float64 --quiet
"$sdca" convert rows01.txt convert01.h5 --values float64 --quiet
"$sdca" convert real.txt convert-real.h5 --values float64 --task regression --quiet
for pack in gzip xz bzip2; do
    $pack <rows.txt >rows.packed
    "$sdca" convert rows.packed "convert-$pack.h5" --values float64 --quiet
done
"$sdca" convert - convert-stdin.h5 --values float64 --quiet <rows.txt

for file in convert*.h5 foreign-*.h5 scaled-*.h5 full-*.h5; do
    case $file in
    *real*) loss=squared ;;
    *) loss=smooth-hinge ;;
    esac
    expect_exit 0 "$sdca" train "$file" -o "model-$file" --loss $loss --lambda 0.01 --rel-gap 1e-7 \
        --summary "$file.json" --quiet
    expect_exit 0 "$sdca" info "$file"
    expect_prints "data set"
done
for file in convert foreign-csr64 foreign-unsorted foreign-gzip foreign-linked foreign-dense32; do
    expect_exit 0 on 3 "$sdca" train $file.h5 -o model3-$file.h5 --loss smooth-hinge --lambda 0.01 \
        --rel-gap 1e-7 --summary $file.3.json --quiet
done

# Values are told as the file has them.
for form in csr16:float16 dense16:float16 csr32:float32 dense64:float64; do
    expect_exit 0 "$sdca" info "foreign-${form%:*}.h5"
    grep -qx "  values       ${form#*:}" out || fail "expected ${form#*:}, came '$(cat out)'"
done

# One label alone, rows without anything in them, and no columns at all.
for file in single-plus single-zero empty-rows no-columns; do
    expect_exit 0 on 2 "$sdca" train $file.h5 -o model-$file.h5 --lambda 0.1 --rel-gap 1e-6 --quiet
    expect_exit 0 "$sdca" predict model-$file.h5 $file.h5 -o $file.csv
done

"$python" "$here/foreign.py" check
