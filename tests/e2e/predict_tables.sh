#!/usr/bin/env bash
# predict reads tables and LIBSVM text with the schema of the model: the same predictions
# as of converted files, and as scikit-learn's OneHotEncoder gives.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# expect_warns TEXT - the last command printed this on standard error.
expect_warns() {
    grep -qF -- "$1" err || fail "expected a warning with '$1', got '$(cat err)'"
}

"$python" "$here/predict_tables.py" write
drop=(--drop 'id,w,kind,y')
"$sdca" convert train.csv train.h5 --label outcome "${drop[@]}" --quiet
"$sdca" train train.h5 -o model.h5 --lambda 0.01 --loss logistic --bias 1 --quiet
"$sdca" convert known.csv known.h5 --like train.h5 --label outcome "${drop[@]}" --quiet

# Columns in another order, others between them, unknown categories.
expect_exit 0 "$sdca" predict model.h5 test.csv -o scores.csv --keep id,city
unknown=$("$python" "$here/predict_tables.py" check model.h5 scores.csv)
expect_warns "$unknown values are not a category of the training data, the first in the column 'city'"
expect_prints "Error: "
for ranks in 1 3; do
    expect_exit 0 on $ranks "$sdca" predict model.h5 test.csv -o again.csv --keep id,city --quiet
    cmp scores.csv again.csv || fail "another prediction on $ranks ranks"
done

# same MODEL TABLE DATA [OPTIONS] - a table is predicted like the file that convert makes of it.
same() {
    local model=$1 table=$2 data=$3
    shift 3
    for out in csv h5; do
        expect_exit 0 "$sdca" predict "$model" "$table" -o direct.$out "$@"
        expect_exit 0 "$sdca" predict "$model" "$data" -o converted.$out "$@"
        cmp direct.$out converted.$out || fail "$table and $data differ in the predictions of $model"
    done
    [ "$("$sdca" predict "$model" "$table" "$@")" = "$("$sdca" predict "$model" "$data" "$@")" ] ||
        fail "$table and $data differ in the error of $model"
}
same model.h5 known.csv known.h5
gzip <known.csv >known.csv.gz
same model.h5 known.csv.gz known.h5
expect_exit 0 "$sdca" predict model.h5 - --format csv -o piped.csv <known.csv
expect_exit 0 "$sdca" predict model.h5 known.h5 -o converted.csv
cmp piped.csv converted.csv || fail "standard input is predicted in another way"
expect_exit 0 "$sdca" predict model.h5 unlabelled.csv -o unlabelled-out.csv
cmp unlabelled-out.csv converted.csv || fail "labels change the predictions"
expect_exit 0 "$sdca" predict model.h5 known.csv -o ignored.csv --unlabelled
! grep -v "^Certain: " out || fail "--unlabelled prints an error"

# Several classes, weights, normalised rows, float64 values, regression.
"$sdca" convert train.csv classes.h5 --label kind --weight w --drop id,y,outcome --values float64 --quiet
"$sdca" train classes.h5 -o classes-model.h5 --lambda 0.01 --loss logistic --quiet
"$sdca" convert known.csv classes-known.h5 --like classes.h5 --label kind --weight w --drop id,y,outcome --quiet
same classes-model.h5 known.csv classes-known.h5
same classes-model.h5 known.csv classes-known.h5 --unweighted
"$sdca" train classes.h5 -o rows-model.h5 --lambda 0.01 --normalize rows --quiet
same rows-model.h5 known.csv classes-known.h5
"$sdca" train classes.h5 -o one-model.h5 --lambda 0.01 --positive b --quiet
same one-model.h5 known.csv classes-known.h5
"$sdca" convert train.csv numbers.h5 --label y --task regression --drop id,w,outcome,kind --quiet
"$sdca" train numbers.h5 -o numbers-model.h5 --lambda 0.01 --loss squared --quiet
"$sdca" convert known.csv numbers-known.h5 --like numbers.h5 --label y --drop id,w,outcome,kind --quiet
same numbers-model.h5 known.csv numbers-known.h5

# Categories that would be numbers without end, as hexadecimal names may be.
printf 'id,y\nab12,0\n12e4567,1\n34e5678,1\n1234,0\n' >names.csv
printf 'id\n12e4567\n34e9999\n' >new-names.csv
"$sdca" convert names.csv names.h5 --categorical id --quiet
"$sdca" train names.h5 -o names-model.h5 --lambda 0.1 --quiet
expect_exit 0 "$sdca" predict names-model.h5 new-names.csv -o names-out.csv
expect_warns "1 value is not a category of the training data, the first in the column 'id'"
[ "$(cut -d, -f1 names-out.csv | tr '\n' ' ')" = "prediction 1 0 " ] || fail "12e4567 is no category: $(cat names-out.csv)"

# LIBSVM text, also with columns that the model does not have.
printf '1 1:1 3:2\n-1 2:1.5\n1 1:3\n-1 2:2 3:-1\n' >rows.txt
printf '1 1:2 3:0.5\n-1 2:2 7:4\n-1\n' >new.txt
"$sdca" convert rows.txt rows.h5 --quiet
"$sdca" convert new.txt new.h5 --quiet
for normalize in none rows; do
    "$sdca" train rows.h5 -o rows-model.h5 --lambda 0.1 --normalize $normalize --quiet
    "$sdca" predict rows-model.h5 new.txt -o direct.csv --quiet
    "$sdca" predict rows-model.h5 new.h5 -o converted.csv --quiet
    cmp direct.csv converted.csv || fail "LIBSVM text is predicted in another way, --normalize $normalize"
done
printf '1 0:2 2:0.5\n-1 1:2 6:4\n-1\n' >zero.txt
"$sdca" predict rows-model.h5 zero.txt -o zero.csv --zero-based --quiet
cmp zero.csv converted.csv || fail "--zero-based is ignored"

# A file appears whole or not at all. Standard output has the rows before an error.
expect_exit 0 "$sdca" predict model.h5 known.csv -o good.csv
{ cat known.csv && printf 'k,word,Ulm,0,1,yes,a,1\n'; } >word.csv
for ranks in 1 3; do
    for out in csv h5; do
        expect_exit 65 on $ranks "$sdca" predict model.h5 word.csv -o whole.$out
        expect_says "word.csv, line $(wc -l <word.csv), column 'age': 'word' is not a number"
        expect_none whole.$out
    done
    expect_exit 65 on $ranks "$sdca" predict model.h5 word.csv -o -
    cmp out good.csv || fail "standard output lacks rows before an error"
done
expect_exit 0 "$sdca" predict model.h5 known.csv -o -
cmp out good.csv || fail "standard output differs from a file"

# Rows without a label among others: the metrics are those of the others.
awk -F, -v OFS=, 'NR > 1 && NR % 3 == 0 { $NF = "" } { print }' label-last.csv >partly.csv
awk -F, 'NR == 1 || NR % 3 != 0' label-last.csv >labelled.csv
expect_exit 0 "$sdca" predict model.h5 partly.csv -o partly-out.csv --metrics partly.json
cmp <(sort partly-out.csv) <(sort good.csv) || fail "missing labels change the predictions"
expect_warns "Note: $(grep -c ',$' partly.csv) rows have no label: the metrics are those of the others"
expect_exit 0 "$sdca" predict model.h5 labelled.csv --metrics labelled.json
cmp <(grep -vE '"(rows|certain_rows)"' partly.json) <(grep -vE '"(rows|certain_rows)"' labelled.json) ||
    fail "rows without a label change the metrics"
awk -F, -v OFS=, 'NR > 1 { $NF = "" } { print }' label-last.csv >none.csv
expect_exit 0 "$sdca" predict model.h5 none.csv -o none-out.csv
cmp none-out.csv good.csv || fail "rows without any label are predicted in another way"

# What is refused.
refuse() {
    part "$@"
    expect_refusal "$wanted" on 1 "$sdca" "${arguments[@]}"
    expect_refusal "$wanted" on 3 "$sdca" "${arguments[@]}"
}
wanted=65
refuse "test.csv, line " "column 'city': '" "is not a category of the training data" -- predict model.h5 test.csv -o out.csv --unknown error
printf 'age,town,id\n1,Ulm,k\n' >few.csv
refuse "few.csv: 2 columns of the training data are not there: 'city', 'pay'; --missing-columns zero takes them as 0" -- predict model.h5 few.csv -o out.csv
expect_exit 0 "$sdca" predict model.h5 few.csv -o few-out.csv --missing-columns zero
expect_warns "2 columns of the training data are not in the table: 0 is used"
printf 'age,city,pay\n1,Ulm,0\n' >full.csv
"$sdca" predict model.h5 full.csv -o full-out.csv --quiet
"$python" - <<'END'
import csv, h5py
with h5py.File("model.h5") as model:
    w, names = model["w"][:], list(model["column_names"].asstr()[:])
    bias = model.attrs["bias"]
scores = [float(next(csv.DictReader(open(f)))["score"]) for f in ("few-out.csv", "full-out.csv")]
assert abs(scores[0] - w[names.index("age")] - bias) < 1e-12, scores
assert abs(scores[1] - w[names.index("age")] - w[names.index("city=Ulm")] - bias) < 1e-12, scores
END
refuse "'rows-model.h5' does not know the columns of a table" -- predict rows-model.h5 known.csv -o out.csv
refuse "'unlabelled.csv' has no labels: -o writes the predictions" -- predict model.h5 unlabelled.csv
printf 'age,city,pay,outcome\n1,Ulm,0,\n' >label.csv
refuse "'label.csv' has no labels: -o writes the predictions" -- predict model.h5 label.csv
printf 'age,city,pay,outcome\n1,Ulm,0,perhaps\n' >label.csv
refuse "'perhaps' is not a label of the training data; --unlabelled ignores the labels" -- predict model.h5 label.csv -o out.csv
refuse "'unlabelled.csv' has no labels, which --metrics needs" -- predict model.h5 unlabelled.csv -o out.csv --metrics out.json
printf '1 1:1\n-1 1:2\n' >signs.txt
refuse "'signs.txt', row 1: the label is '-1', but the model has the labels 'no' and 'yes'" -- predict model.h5 signs.txt -o out.csv
printf 'age,city,pay,outcome,outcome\n1,Ulm,0,yes,no\n' >twice.csv
refuse "twice.csv: more than one column is called 'outcome'" -- predict model.h5 twice.csv -o out.csv
printf 'age,city,pay\n1,,0\n' >gap.csv
refuse "gap.csv, line 2, column 'city': '' is a missing value" -- predict model.h5 gap.csv -o out.csv
printf '1 1:1e308 2:1e308 3:1e308\n' >large.txt
refuse "large.txt, line 1: its score is not finite" -- predict rows-model.h5 large.txt -o out.csv
"$python" - <<'END'
import h5py, shutil
shutil.copy("model.h5", "short.h5")
with h5py.File("short.h5", "r+") as file:
    columns = list(file["table/column"].asstr()[:])
    del file["table/column"]
    file["table/column"] = columns[:-1]
END
refuse "the arrays in table of 'short.h5' differ in length" -- predict short.h5 known.csv -o out.csv
wanted=64
refuse "--keep requires -o OUT.csv" -- predict model.h5 known.csv --keep id
refuse "--keep requires -o OUT.csv" -- predict model.h5 known.csv --keep id -o out.h5
refuse "--keep applies to tables; if 'known.h5' is one" -- predict model.h5 known.h5 --keep id -o out.csv
refuse "--zero-based applies to LIBSVM text" -- predict model.h5 known.csv --zero-based
refuse "LIBSVM text has no columns --label and --weight" -- predict rows-model.h5 new.txt --label y
refuse "no column is called 'none', which --keep asks for" -- predict model.h5 known.csv --keep none -o out.csv
expect_none out.csv out.h5 out.json
