#!/usr/bin/env bash
# Text that is not as it should be is refused by convert with the right exit status
# and a sentence that names file, line and reason; no output appears.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# refuse CODE TEXT WORDS... - the text, after a good first line, is refused in
# these words.
refuse() {
    local expected=$1 text=$2
    shift 2
    printf '+1 1:1 3:2\n%b' "$text" >bad.txt
    expect_exit "$expected" "$sdca" convert bad.txt out.h5
    expect_says "bad.txt" "$@"
    expect_none out.h5
}

refuse 65 '-1 1:abc\n' "line 2" "'abc'" "not a number"
refuse 65 '-1 1:1e\n' "line 2" "not a number"
refuse 65 '-1 1:0x10\n' "line 2" "not a number"
refuse 65 '-1 1:1,5\n' "line 2" "not a number"
refuse 65 '-1 1:1e400\n' "line 2" "too large"
refuse 65 '-1 1:nan\n' "line 2" "not finite"
refuse 65 '-1 1:1 2:inf\n' "line 2, column 10" "not finite"
refuse 65 '-1 1:-Infinity\n' "line 2" "not finite"
refuse 65 'nan 1:1\n' "line 2" "not finite"
refuse 65 'yes 1:1\n' "line 2" "'yes'" "not a number"
refuse 65 '1:1 2:1\n' "line 2" "not a number"
refuse 65 '-1 0:1\n' "line 2" "index 0" "--zero-based"
refuse 65 '-1 -3:1\n' "line 2" "index"
refuse 65 '-1 1.5:1\n' "line 2" "index"
refuse 65 '-1 3:1 2:1\n' "line 2, column 8" "not above the one before"
refuse 65 '-1 3:1 3:1\n' "line 2" "not above the one before"
refuse 65 '-1 99999999999:1\n' "line 2" "2147483646"
refuse 65 '-1 99999999999999999999999:1\n' "line 2" "2147483646"
refuse 65 '-1 1:\n' "line 2" "no value"
refuse 65 '-1 1\n' "line 2" "':' is missing"
refuse 65 '-1 1:1 2: 3\n' "line 2" "no value"
refuse 65 '-1 :1\n' "line 2" "index"
refuse 65 '-1 qid:x 1:1\n' "line 2" "qid"
refuse 65 '-1 1:1\n\n# three\n3 1:1\n' "line 5" "third" "--task regression"
refuse 65 '-1 1:1e39\n' "line 2" "float32"
refuse 65 '-1 1:1\n+1 2:x' "line 3" "not a number"
refuse 65 '-1 1:1\0 2:1\n' "line 2"
refuse 65 '\xff\xfe-1 1:1\n' "line 2"

# Too small for float32: no error, but told.
printf '1 1:1e-60 2:1e-60\n-1 2:1 3:0\n' >small.txt
printf 'a,b,label\n1e-60,2,1\n1,3,-1\n' >small.csv
expect_exit 0 "$sdca" convert small.txt small.h5
expect_prints "1 non-zero ("
grep -qx "Warning: 2 values are too small for float32 and have become 0; --values float64 keeps them" err ||
    fail "values that vanish: $(cat err)"
expect_exit 0 "$sdca" convert small.csv small.h5
grep -qx "Warning: 1 value is too small for float32 and has become 0; --values float64 keeps it" err ||
    fail "a value of a table that vanishes: $(cat err)"
for words in --quiet "--values float64"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$sdca" convert small.txt small.h5 $words
    [ ! -s err ] || fail "$words says: $(cat err)"
done

# Whole numbers that float32 changes: told, unless it was asked for.
printf '1 1:1700000001 2:-16777217\n-1 2:16777216\n' >large.txt
printf 'a,label\n1700000001,1\n0.1,-1\n' >large.csv
expect_exit 0 "$sdca" convert large.txt large.h5
grep -qx "Warning: 2 whole numbers are too large for float32 to be exact and have been rounded; --values float64 keeps them" err ||
    fail "whole numbers that are rounded: $(cat err)"
expect_exit 0 "$sdca" convert large.csv large.h5
grep -qx "Warning: 1 whole number is too large for float32 to be exact and has been rounded; --values float64 keeps it" err ||
    fail "a whole number of a table that is rounded: $(cat err)"
for words in "--quiet" "--values float32" "--values float64" "--normalize rows" "--like large.h5"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$sdca" convert large.csv small.h5 $words
    [ ! -s err ] || fail "$words says: $(cat err)"
done

: >empty.txt
expect_exit 65 "$sdca" convert empty.txt out.h5
expect_says "empty.txt" "no rows"
printf '# nothing\n\n' >comment.txt
expect_exit 65 "$sdca" convert comment.txt out.h5
expect_says "comment.txt" "no rows"
printf '1\n-1 3:0\n' >labels.txt
expect_exit 65 "$sdca" convert labels.txt out.h5
expect_says "labels.txt: there are no columns in it"
expect_none out.h5
expect_exit 0 "$sdca" convert labels.txt labels.h5 --columns 3
expect_exit 65 "$sdca" convert - out.h5 </dev/null
expect_says "standard input" "no rows"
expect_exit 66 "$sdca" convert missing.txt out.h5
expect_says "missing.txt" "No such file"
expect_exit 66 "$sdca" convert . out.h5
expect_says "directory"

# Packed files that are cut short or damaged.
"$python" -c 'for i in range(3000): print(f"{1 - 2 * (i % 2)} 1:{i * 0.37} 2:{i * i % 97}")' >good.txt
for pack in gzip xz bzip2; do
    $pack <good.txt >whole
    head -c $(($(stat -c %s whole) / 2)) whole >half
    expect_exit 65 "$sdca" convert half out.h5
    expect_says "half" "damaged or truncated"
    expect_none out.h5
    "$python" -c 'b = bytearray(open("whole", "rb").read()); b[len(b) // 2] ^= 4; open("hurt", "wb").write(b)'
    expect_exit 65 "$sdca" convert hurt out.h5
    complaints | grep -q hurt || fail "expected words about the file hurt, came $(cat err)"
    expect_none out.h5
done

# Outputs that cannot be made, and one that stays as it was.
expect_exit 73 "$sdca" convert good.txt none/out.h5
expect_says "none/out.h5" "No such file"
mkdir directory.h5
expect_exit 73 "$sdca" convert good.txt directory.h5
expect_says "directory.h5"
echo precious >old.h5
expect_exit 65 "$sdca" convert bad.txt old.h5
[ "$(cat old.h5)" = precious ] || fail "a failed conversion has changed what was there"
[ -z "$(leftovers old.h5)" ] || fail "left over: $(leftovers old.h5)"
expect_exit 65 "$sdca" convert good.txt out.h5 --columns 1
expect_says "good.txt" "line 2" "columns"

# Indices from 0, as scikit-learn writes them; sentences count as the text does.
"$python" - <<'END'
import numpy, sklearn.datasets
sklearn.datasets.dump_svmlight_file(numpy.array([[1.5, 0, 2], [0, 3, 0]]), [1, -1], "zero.txt")
END
grep -q ' 0:1.5' zero.txt || fail "scikit-learn begins with another index: $(cat zero.txt)"
expect_exit 65 "$sdca" convert zero.txt out.h5
expect_says "--zero-based"
expect_exit 0 "$sdca" convert zero.txt zero.h5 --zero-based
printf '1 1:1.5 3:2\n-1 2:3\n' >one.txt
expect_exit 0 "$sdca" convert one.txt one.h5
cmp zero.h5 one.h5 || fail "--zero-based gives other columns"
expect_exit 65 "$sdca" convert zero.txt out.h5 --zero-based --columns 2
expect_says "line 1" "the index 2 is beyond the 2 columns"
printf '1 0:1e39\n' >large.txt
expect_exit 65 "$sdca" convert large.txt out.h5 --zero-based
expect_says "of index 0"

# Each process of mpirun does the work, and has the exit status.
expect_exit 65 on 2 "$sdca" convert bad.txt out.h5
complaints | grep -q "bad.txt" || fail "expected a complaint of bad.txt, came '$(cat err)'"
expect_none out.h5
