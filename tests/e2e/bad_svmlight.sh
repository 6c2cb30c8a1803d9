#!/usr/bin/env bash
# convert rejects malformed text with the right exit status and a message that names file,
# line and reason. No output is created.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# refuse CODE TEXT TEXTS... - the text, after a valid first line, is rejected with a
# message that contains TEXTS.
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
refuse 65 '1,3 4:1\n' "line 2" "'1,3'" "a row has one label"
for k in {1..100}; do echo "$k.5 1:1"; done >labels.txt
refuse 65 "$(cat labels.txt)\n" "line 101" "more than 100 different labels, not all of them whole numbers" "--task regression"
for k in {2..10001}; do echo "$k 1:1"; done >labels.txt
refuse 65 "$(cat labels.txt)\n" "line 10001" "more than 10000 different labels, which" "--task regression"
refuse 65 '-1 1:1e39\n' "line 2" "float32"
refuse 65 '-1 1:1\n+1 2:x' "line 3" "not a number"
refuse 65 '-1 1:1\0 2:1\n' "line 2"
refuse 65 '\xff\xfe-1 1:1\n' "line 2"

# Values that underflow in float32: a warning, not an error.
printf '1 1:1e-60 2:1e-60\n-1 2:1 3:0\n' >small.txt
printf 'a,b,label\n1e-60,2,1\n1,3,-1\n' >small.csv
expect_exit 0 "$sdca" convert small.txt small.h5
expect_prints "1 non-zero ("
grep -qx "Warning: 2 values are too small for float32 and have become 0; --values float64 keeps them" err ||
    fail "warning on underflow: $(cat err)"
expect_exit 0 "$sdca" convert small.csv small.h5
grep -qx "Warning: 1 value is too small for float32 and has become 0; --values float64 keeps it" err ||
    fail "warning on underflow in a table: $(cat err)"
for words in --quiet "--values float64"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$sdca" convert small.txt small.h5 $words
    [ ! -s err ] || fail "$words printed: $(cat err)"
done

# Integers that float32 rounds: a warning, unless float32 was requested.
printf '1 1:1700000001 2:-16777217\n-1 2:16777216\n' >large.txt
printf 'a,label\n1700000001,1\n0.1,-1\n' >large.csv
expect_exit 0 "$sdca" convert large.txt large.h5
grep -qx "Warning: 2 whole numbers are too large for float32 to be exact and have been rounded; --values float64 keeps them" err ||
    fail "warning on rounded integers: $(cat err)"
expect_exit 0 "$sdca" convert large.csv large.h5
grep -qx "Warning: 1 whole number is too large for float32 to be exact and has been rounded; --values float64 keeps it" err ||
    fail "warning on a rounded integer in a table: $(cat err)"
for words in "--quiet" "--values float32" "--values float64" "--normalize rows" "--like large.h5"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$sdca" convert large.csv small.h5 $words
    [ ! -s err ] || fail "$words printed: $(cat err)"
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

# Truncated or damaged compressed files.
"$python" -c 'for i in range(3000): print(f"{1 - 2 * (i % 2)} 1:{i * 0.37} 2:{i * i % 97}")' >good.txt
for pack in gzip xz bzip2; do
    $pack <good.txt >whole
    head -c $(($(stat -c %s whole) / 2)) whole >half
    expect_exit 65 "$sdca" convert half out.h5
    expect_says "half" "damaged or truncated"
    expect_none out.h5
    "$python" -c 'b = bytearray(open("whole", "rb").read()); b[len(b) // 2] ^= 4; open("hurt", "wb").write(b)'
    expect_exit 65 "$sdca" convert hurt out.h5
    complaints | grep -q hurt || fail "expected a message about the file hurt, got $(cat err)"
    expect_none out.h5
done

# Outputs that cannot be created, and an existing file that must stay unchanged.
expect_exit 73 "$sdca" convert good.txt none/out.h5
expect_says "none/out.h5" "No such file"
mkdir directory.h5
expect_exit 73 "$sdca" convert good.txt directory.h5
expect_says "directory.h5"
echo precious >old.h5
expect_exit 65 "$sdca" convert bad.txt old.h5
[ "$(cat old.h5)" = precious ] || fail "a failed conversion changed the existing file"
[ -z "$(leftovers old.h5)" ] || fail "left over: $(leftovers old.h5)"
expect_exit 65 "$sdca" convert good.txt out.h5 --columns 1
expect_says "good.txt" "line 2" "columns"

# Indices from 0, as scikit-learn writes them; messages use the indices of the text.
"$python" - <<'END'
import numpy, sklearn.datasets
sklearn.datasets.dump_svmlight_file(numpy.array([[1.5, 0, 2], [0, 3, 0]]), [1, -1], "zero.txt")
END
grep -q ' 0:1.5' zero.txt || fail "scikit-learn uses another first index: $(cat zero.txt)"
expect_exit 65 "$sdca" convert zero.txt out.h5
expect_says "--zero-based"
expect_exit 0 "$sdca" convert zero.txt zero.h5 --zero-based
printf '1 1:1.5 3:2\n-1 2:3\n' >one.txt
expect_exit 0 "$sdca" convert one.txt one.h5
cmp zero.h5 one.h5 || fail "--zero-based gives different columns"
expect_exit 65 "$sdca" convert zero.txt out.h5 --zero-based --columns 2
expect_says "line 1" "the index 2 is beyond the 2 columns"
printf '1 0:1e39\n' >large.txt
expect_exit 65 "$sdca" convert large.txt out.h5 --zero-based
expect_says "of index 0"

# Each process of mpirun converts, and returns the exit status.
expect_exit 65 on 2 "$sdca" convert bad.txt out.h5
complaints | grep -q "bad.txt" || fail "expected an error about bad.txt, got '$(cat err)'"
for _ in {1..50}; do # mpirun may end before a process that it has ended by a signal
    [ -n "$(leftovers out.h5)" ] || break
    sleep 0.1
done
expect_none out.h5
