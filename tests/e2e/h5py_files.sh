#!/usr/bin/env bash
# Files by h5py and SciPy, of any type, order and layout, train to the same bits as the
# same data through sdca convert.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/h5py_files.py" write
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
    case $file in # rounding limits the provable gap with 70,000 large entries
    full-long*) target=1e-3 ;;
    *) target=1e-7 ;;
    esac
    expect_exit 0 "$sdca" train "$file" -o "model-$file" --loss $loss --lambda 0.01 --rel-gap $target \
        --summary "$file.json" --quiet --follow-links
    expect_exit 0 "$sdca" info "$file" --follow-links
    expect_prints "data set"
done
for file in convert foreign-csr64 foreign-unsorted foreign-gzip foreign-linked foreign-dense32; do
    expect_exit 0 on 3 "$sdca" train $file.h5 -o model3-$file.h5 --loss smooth-hinge --lambda 0.01 \
        --rel-gap 1e-7 --summary $file.3.json --quiet --follow-links
done

# info shows the values as stored.
for form in csr16:float16 dense16:float16 csr32:float32 dense64:float64; do
    expect_exit 0 "$sdca" info "foreign-${form%:*}.h5"
    grep -qx "  values       ${form#*:}" out || fail "expected ${form#*:}, got '$(cat out)'"
done

# A single label, empty rows, and no columns.
for file in single-plus single-zero empty-rows no-columns; do
    expect_exit 0 on 2 "$sdca" train $file.h5 -o model-$file.h5 --lambda 0.1 --rel-gap 1e-6 --quiet
    expect_exit 0 "$sdca" predict model-$file.h5 $file.h5 -o $file.csv
done

"$python" "$here/h5py_files.py" check

# info shows what train would reject, and row counts per label.
"$python" - <<'END'
import h5py, numpy as np, scipy.sparse as sp
x = sp.random(9, 4, density=0.5, format="csr", random_state=1)
def save(name, matrix, y, weight=None):
    with h5py.File(name + ".h5", "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = matrix.format + "_matrix", matrix.shape
        group["data"], group["indices"], group["indptr"] = matrix.data, matrix.indices, matrix.indptr
        file["y"] = y
        if weight is not None:
            file["weight"] = weight
two = np.array([3, 3, 7, 3, 7, 7, 3, 3, 3])
save("rows", x, two)
save("real", x, np.arange(9.0) + 0.5)
save("by-columns", x.tocsc(), two)
with h5py.File("by-columns.h5", "r+") as file:
    file["X"].attrs["encoding-type"] = "coo_matrix"
save("weighted", x, two, -np.arange(9.0) % 9 - (np.arange(9) == 4) * 9)
save("too-few", x, two[:8])
END
for name in rows real; do
    expect_exit 0 "$sdca" info $name.h5
    ! grep -q rejected out || fail "info: train would not refuse $name: $(cat out)"
done
expect_prints 'labels       9 of more than 8 different numbers'
expect_exit 0 "$sdca" info rows.h5
expect_prints 'labels       9: 3 (6 rows), 7 (3 rows)'
# refused NAME TEXT - info prints TEXT, and train rejects the file.
refused() {
    expect_exit 0 "$sdca" info "$1.h5"
    expect_prints "rejected     by train: $2"
    expect_exit 65 "$sdca" train "$1.h5" -o out.h5 --lambda 0.1 --quiet
}
refused by-columns 'X is a coo_matrix, not a csr_matrix or csc_matrix'
refused weighted 'weight is negative or not finite in 1 row'
refused too-few 'y has 8 labels for 9 rows'
