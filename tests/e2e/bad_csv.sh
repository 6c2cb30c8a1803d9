#!/usr/bin/env bash
# convert rejects malformed tables with the right exit status and a message that names
# file, line, column and reason. No output is created.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# refuse CODE TEXT TEXTS... [-- OPTIONS...] - the table is rejected with a message that contains TEXTS.
refuse() {
    part "${@:3}"
    printf '%b' "$2" >bad.csv
    expect_refusal "$1" "$sdca" convert bad.csv out.h5 "${arguments[@]}"
}

refuse 65 'age,label\n1,1\n,-1\n' "bad.csv" "values are missing in 1 column: 'age' (1, in line 3)"
for word in NA nan NaN null None n/a '?' '#N/A' '<NA>' '""' ' '; do
    refuse 65 "age,label\n1,1\n$word,-1\n" "bad.csv" "values are missing in 1 column: 'age' (1, in line 3)"
done
refuse 65 'age,label\n1,1\n"2\n3",1\n4,NA\n' "line 3" "column 'age'" "not a number"
refuse 65 'age,label\n1,"p\nq"\n2,r\n4,\n' "values are missing in 1 column: 'label' (1, in line 5)"
refuse 65 'age,label\n1,1\n-,1\n' "line 3" "'-' is not a number as the first value is; if it means a missing value, make the field empty" "--categorical"
refuse 65 'age,label\ninf,1\n' "line 2" "column 'age'" "not finite"
refuse 65 'id,label\nab12,1\n12e4567,-1\n' "line 3" "column 'id'" "'12e4567' is a number where the first value is none" "--categorical"
refuse 65 'age,label\n1,1\n2\n' "bad.csv" "line 3" "1 field" "2"
refuse 65 'age,label\n1,1\n\n2,1,3\n' "bad.csv" "line 4" "3 fields"
refuse 65 "age,label\n$(printf '1,a%d\\n' {1..10001})" "line 10002" "'a10001'" "one more than 10000 labels"
refuse 65 "age,label\n$(printf '1,%d.5\\n' {1..101})" "line 102" "more than 100 different labels" "--task regression"
refuse 65 'age,label\n1,a\n' "line 2" "'a'" "regression" -- --task regression
refuse 65 'age,label\nx,1\ny,1\nz,1\n' "1 column has more than 2 categories: 'age'" "--drop" -- --categories 2
refuse 65 'age,label\n"x,1\ny,1\n' "line 2" "quote" "not closed"
refuse 65 'age,label\n"x"y,1\n' "line 2" "after the closing quote"
refuse 65 'age,label\n1,1\r2,1\n' "line 2" "carriage return"
refuse 65 'age,label\nx,1\ncaf\xe9,1\n' "line 3" "UTF-8"
refuse 65 'age,label\n1e39,1\n' "line 2" "float32"
refuse 65 'age,label\n' "bad.csv" "no rows"
refuse 65 '' "bad.csv" "no rows"
refuse 64 'age,size\n1,1\n' "bad.csv" "--label" "age, size"
refuse 64 'y,label\n1,1\n' "--label" "y, label"
refuse 64 'age,label\n1,1\n' "'wight'" "--label" "age, label" -- --label wight
refuse 64 'age,label\n1,1\n' "3" "age, label" -- --label 3
refuse 64 'age,label\n1,1\n' "'id'" "--drop" -- --drop id
refuse 64 'age,label\n1,1\n' "--columns" -- --columns 5
refuse 64 'age,label\n1,1\n' "--zero-based applies to LIBSVM text" -- --zero-based
refuse 64 '1,1\n' "--header yes"

# Other delimiters, and invalid ones.
for options in "" "--label y" "--no-label" "--header no --label 1"; do
    read -ra how <<<"$options"
    refuse 64 'a;b;y\n1;2;1\n' "bad.csv, line 1" "'a;b;y' is one field; --separator ';' splits it" -- "${how[@]}"
done
refuse 64 '1;2;1\n' "--separator ';'"
refuse 64 '\na\ty\n1\t1\n' "line 2" "--separator tab"
refuse 64 'a|y\n1|1\n' "--separator '|'"
refuse 64 'a,y\n1,1\n' "--separator ','" -- --format tsv
for word in "" ab 5 x . '"' é tabs $'\t\t'; do
    refuse 64 'a;y\n1;1\n' "--separator expects one character" -- --separator "$word"
done
refuse 64 'a;y\n1;1\n' "--separator applies to tables" -- --separator ';' --format svmlight
refuse 65 'label\n1\n-1\n' "bad.csv: there are no columns in it"
for words in 'csv:,' 'tsv:\t'; do
    printf 'age%by\n1%b1\n' "${words#*:}" "${words#*:}" >noname
    for input in noname -; do
        expect_exit 65 "$sdca" convert $input out.h5 <noname
        expect_says "line 1" "if this is a table, --format ${words%:*} reads it"
    done
done

printf 'c,label\nred,yes\nblue,no\n' >good.csv
"$sdca" convert good.csv good.h5 --quiet
refuse 65 'c,label\ngreen,yes\n' "line 2" "column 'c'" "'green'" -- --like good.h5
refuse 65 'c,label\nred,maybe\n' "line 2" "column 'label'" "'maybe'" -- --like good.h5
refuse 65 'd,label\nred,yes\n' "no column 'c'" -- --like good.h5
refuse 65 'c,d,label\nred,1,yes\n' "'d'" "--drop" -- --like good.h5
refuse 66 'c,label\nred,yes\n' "missing.h5" -- --like missing.h5
refuse 64 'c,label\nred,yes\n' "--like" -- --like good.h5 --categorical c
# --like takes over options that change values; a different option contradicts it.
refuse 64 'c,label\nred,yes\n' "--normalize is that of 'good.h5': none, not rows" -- --like good.h5 --normalize rows
refuse 64 'c,label\nred,yes\n' "--values is that of 'good.h5': float32, not float64" -- --like good.h5 --values float64
refuse 64 'c,label\nred,yes\n' "--task is that of 'good.h5'" "not regression" -- --like good.h5 --task regression
refuse 64 'c,label\nred,yes\n' "--label" "--no-label" -- --label label --no-label
refuse 64 'c,label\nred,yes\n' "--drop names the label" -- --drop label
"$python" - <<'END'
import shutil

import h5py

for name, path, values in [("short", "var/category", ["red"]), ("twice", "var/category", ["", ""]),
                           ("order", "var/category", ["red", "blue"])]:
    shutil.copy("good.h5", name + ".h5")
    with h5py.File(name + ".h5", "r+") as file:
        del file[path]
        file[path] = values
END
refuse 65 'c,label\nred,yes\n' "var of 'short.h5' differ in length" -- --like short.h5
refuse 65 'c,label\n1,yes\n' "the column 'c' occurs twice" -- --like twice.h5
refuse 65 'c,label\nred,yes\n' "the column 'c' do not ascend" -- --like order.h5
"$sdca" train good.h5 -o model.h5 --lambda 0.1 --quiet
refuse 65 'c,label\nred,yes\n' "'model.h5' is a model" "data file that it was trained on" -- --like model.h5
printf '1 1:1\n-1 2:1\n' >rows.txt
"$sdca" convert rows.txt rows.h5 --quiet
refuse 65 'c,label\nred,yes\n' "rows.h5" "table" -- --like rows.h5
expect_exit 64 "$sdca" convert rows.txt out.h5 --label 1
expect_says "--label" "tables" "rows.txt"
expect_none out.h5

# In a read-only directory, a pipe cannot be copied beside the output either.
code=0
printf 'c,label\nred,yes\n' | "$sdca" convert - none/out.h5 --format csv 2>err || code=$?
[ "$code" -eq 73 ] || fail "a copy of standard input in a missing directory: $code"
expect_says "none/out.h5"
