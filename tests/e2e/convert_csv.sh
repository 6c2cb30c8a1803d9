#!/usr/bin/env bash
# convert gives the same result as Python's csv module, NumPy and scikit-learn's
# OneHotEncoder, in all forms; a test set gets the columns of its training set.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/convert_csv.py" write
how=(--label outcome --values float64)
for form in plain lf quoted marked tail; do
    expect_exit 0 "$sdca" convert $form.csv from-$form.h5 "${how[@]}"
    expect_prints "labels: lost is stored as -1 ("
done
for pack in gzip:gz xz:xz bzip2:bz2; do
    ${pack%:*} <plain.csv >packed.csv."${pack#*:}"
    expect_exit 0 "$sdca" convert packed.csv."${pack#*:}" from-"${pack%:*}".h5 "${how[@]}" --quiet
done
cp plain.csv CAPITALS.CSV
expect_exit 0 "$sdca" convert CAPITALS.CSV from-capitals.h5 "${how[@]}"
gzip <plain.csv >CAPITALS.Csv.GZ
expect_exit 0 "$sdca" convert CAPITALS.Csv.GZ from-packed-capitals.h5 "${how[@]}"
expect_exit 0 "$sdca" convert semicolons.csv from-semicolons.h5 --separator ';' "${how[@]}"
expect_exit 0 "$sdca" convert bars from-bars.h5 --separator '|' "${how[@]}"
expect_exit 0 "$sdca" convert tabs.tsv from-tabs.h5 --separator tab "${how[@]}"
expect_exit 0 "$sdca" convert plain.csv from-commas.h5 --separator , "${how[@]}"
printf 'a;b\nx;y\nz\n' | "$sdca" convert - one-column.h5 --separator , --no-label --quiet
cp plain.csv noname
expect_exit 0 "$sdca" convert noname from-noname.h5 --format csv "${how[@]}"
# Standard input and pipes, which can be read only once; a file from its current offset.
expect_exit 0 "$sdca" convert - from-file.h5 --format csv "${how[@]}" <plain.csv
gzip <plain.csv | "$sdca" convert - from-pipe.h5 --format csv "${how[@]}" --quiet
mkfifo fifo.csv
cat plain.csv >fifo.csv &
expect_exit 0 "$sdca" convert fifo.csv from-fifo.h5 "${how[@]}"
[ -z "$(leftovers from-pipe.h5)" ] || fail "left over: $(leftovers from-pipe.h5)"

expect_exit 0 "$sdca" convert tabs.tsv tabs.h5 "${how[@]}"
expect_exit 0 "$sdca" convert headless.csv headless.h5 --label 5 --values float64
{ read -r _ && "$sdca" convert - behind.h5 --format csv --header no --label 5 --values float64 --quiet; } <lf.csv
cmp behind.h5 headless.h5 || fail "a file is not read from its current offset"
expect_exit 0 "$sdca" convert wide.csv wide.h5
expect_exit 0 "$sdca" convert other.csv other.h5 "${how[@]}" --like from-plain.h5
expect_exit 0 "$sdca" convert other.csv unlabelled.h5 --no-label --drop outcome --values float64 --like from-plain.h5
"$python" "$here/convert_csv.py" check

# --like reproduces the training set's conversion, also from a file with fewer attributes.
printf 'a,b,y\n3,4,1\n5,12,2.5\n8,15,4\n' >fit.csv
expect_exit 0 "$sdca" convert fit.csv fit.h5 --normalize rows --task regression --values float64
expect_exit 0 "$sdca" info fit.h5
expect_prints "normalize    rows"
expect_exit 0 "$sdca" convert fit.csv fit-like.h5 --like fit.h5
cmp fit.h5 fit-like.h5 || fail "--like does not take over --normalize, --task and --values"
expect_exit 0 "$sdca" convert fit.csv fit-same.h5 --like fit.h5 --normalize rows --task regression --values float64
cmp fit.h5 fit-same.h5 || fail "repeating the options that --like takes over changes the result"
"$python" -c 'import h5py; file = h5py.File("fit.h5", "r+"); del file.attrs["normalize"]'
expect_exit 0 "$sdca" info fit.h5
expect_exit 0 "$sdca" convert fit.csv fit-none.h5 --like fit.h5
expect_exit 0 "$sdca" convert fit.csv fit-rows.h5 --like fit.h5 --normalize rows
cmp fit-rows.h5 fit-like.h5 || fail "--normalize is ignored with a file that does not record it"
"$python" - <<'END'
import h5py, numpy as np
with h5py.File("fit-like.h5") as rows, h5py.File("fit-none.h5") as none:
    assert np.allclose(rows["X/data"][:], [3 / 5, 4 / 5, 5 / 13, 12 / 13, 8 / 17, 15 / 17], rtol=1e-15)
    assert list(none["X/data"][:]) == [3, 4, 5, 12, 8, 15] and none["X/data"].dtype == np.float64
    assert list(none["y"][:]) == [1, 2.5, 4] and none["y"].attrs["task"] == "regression"
END

expect_exit 0 "$sdca" info from-plain.h5
expect_prints "2 numeric, 13 one-hot: age, colour= blanks ,"
expect_prints "lost as -1"

# The same input gives the same bytes; memory does not grow with the rows.
"$sdca" convert plain.csv again.h5 "${how[@]}" --quiet
cmp again.h5 from-plain.h5 || fail "the same table gives two different files"
"$python" "$here/convert_csv.py" memory "$sdca"

# A model stores column names, and the report shows them for the largest weights.
expect_exit 0 on 2 "$sdca" train from-plain.h5 -o model.h5 --lambda 0.1 --normalize rows --quiet
expect_exit 0 "$sdca" report model.h5 -o page.html
"$python" - <<'END'
import h5py, html
with h5py.File("from-plain.h5") as data, h5py.File("model.h5") as model:
    names = data["var/_index"].asstr()[:]
    assert list(model["column_names"].asstr()[:]) == list(names), names
    largest = names[abs(model["w"][:]).argmax()]
page = open("page.html", encoding="utf-8").read()
assert f"<tr><th scope=\"row\">{html.escape(largest)}</th>" in page, largest
END
# Also as text; columns without names are numbered.
expect_exit 0 "$sdca" train from-plain.h5 -o model.h5 --lambda 0.1 --bias 1 --quiet
expect_exit 0 "$sdca" export model.h5 plain.txt --format text
expect_exit 0 "$sdca" export model.h5 named.tsv --format text --names
printf '1 1:1\n-1 2:1\n' >rows.txt
"$sdca" convert rows.txt rows.h5 --quiet
"$sdca" train rows.h5 -o rows-model.h5 --lambda 0.1 --quiet
expect_exit 0 "$sdca" export rows-model.h5 numbered.tsv --format text --names
"$python" - <<'END'
import h5py
lines = [line.rstrip("\n").split("\t") for line in open("named.tsv", encoding="utf-8")]
names = ["".join(c if c >= " " else " " for c in name) for name in h5py.File("model.h5")["column_names"].asstr()[:]]
assert [name for _, name in lines] == names + ["bias"], lines
assert [weight for weight, _ in lines] == open("plain.txt").read().split(), lines
assert [line.split("\t")[1] for line in open("numbered.tsv")] == ["0\n", "1\n"]
END

# predict finds columns by name; in training names must agree by position: a test set not
# made like its training set is rejected on all ranks.
expect_exit 0 "$sdca" convert other.csv unlike.h5 "${how[@]}"
"$python" "$here/convert_csv.py" narrow other.h5 narrow.h5
"$python" "$here/convert_csv.py" rename other.h5 renamed.h5
# refuse TEXTS... -- ARGUMENTS... - on one rank and on three.
refuse() {
    part "$@"
    expect_refusal 65 on 1 "$sdca" "${arguments[@]}"
    expect_refusal 65 on 3 "$sdca" "${arguments[@]}"
}
refuse "'unlike.h5' lacks 9 columns of the model: 'colour= blanks '" "--missing-columns zero" -- predict model.h5 unlike.h5 -o out.h5
refuse "column 0 of 'unlike.h5' is 'city=Aix', where 'from-plain.h5' has 'age'" "--like TRAIN.h5" -- \
    train from-plain.h5 -o out.h5 --lambda 0.1 --test unlike.h5
refuse "column 0 of 'unlike.h5' is 'city=Aix', where 'model.h5' has 'age'" "--like TRAIN.h5" -- \
    train unlike.h5 -o out.h5 --lambda 0.1 --warm-start model.h5
refuse "'renamed.h5' lacks 1 column of the model: 'city=Ulm'" -- predict model.h5 renamed.h5 -o out.h5
for test in other narrow; do
    expect_exit 0 on 2 "$sdca" predict model.h5 $test.h5 --missing-columns zero
    expect_exit 0 on 2 "$sdca" train from-plain.h5 -o like.h5 --lambda 0.1 --test $test.h5 --quiet
done
expect_exit 0 "$sdca" train other.h5 -o like.h5 --lambda 0.1 --warm-start model.h5 --quiet
expect_exit 0 "$sdca" train narrow.h5 -o narrow-model.h5 --lambda 0.1 --quiet
expect_exit 0 "$sdca" predict narrow-model.h5 other.h5
