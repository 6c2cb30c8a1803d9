#!/usr/bin/env bash
# convert --missing and --hash encode a table as scikit-learn's SimpleImputer and
# OneHotEncoder do, and predict does the same to another table; mistakes are pointed out.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# expect_warns TEXT - the last command printed this on standard error.
expect_warns() {
    grep -qF -- "$1" err || fail "expected a warning with '$1', got '$(cat err)'"
}

"$python" "$here/missing_values.py" write
# check RULE HASH - --missing RULE, with --hash unless HASH is 0.
check() {
    local rule=$1 hash=$2 drop=id
    local how=(--label outcome --values float64 --missing "$rule")
    if [ "$hash" -gt 0 ]; then
        how+=(--hash "$hash")
    else
        drop=id,street
    fi
    expect_exit 0 "$sdca" convert train.csv "$rule".h5 "${how[@]}" --drop $drop
    expect_prints "left out, with missing values"
    "$sdca" train "$rule".h5 -o model.h5 --lambda 0.01 --bias 1 --quiet
    expect_exit 0 "$sdca" predict model.h5 new.csv -o scores.csv --keep id
    error=$("$python" "$here/missing_values.py" check "$rule" "$hash" "$rule".h5 model.h5 scores.csv)
    [ "$(head -n 1 out)" = "$error" ] || fail "$rule: $(head -n 1 out) where $error is right"
    case $rule in
    drop) expect_warns "missing values and no prediction" ;;
    *) expect_warns "missing in columns where the training data have all values" ;;
    esac
    expect_warns "no label: the metrics are those of the others"
    # The same by a converted table, which has no rows without labels.
    "$python" "$here/missing_values.py" labelled
    "$sdca" convert labelled.csv few.h5 --like "$rule".h5 --label outcome --drop $drop --quiet
    "$sdca" predict model.h5 few.h5 -o converted.csv --quiet
    "$sdca" predict model.h5 labelled.csv -o direct.csv --quiet
    "$python" "$here/missing_values.py" same direct.csv converted.csv
}
check drop 0
check mean 16
check median 0
check category 16
expect_exit 0 on 3 "$sdca" predict model.h5 new.csv -o again.csv --keep id --quiet
cmp scores.csv again.csv || fail "another prediction on 3 ranks"

# The summary has a line per column; the schema is kept.
expect_exit 0 "$sdca" convert train.csv mean.h5 --label outcome --drop id,street --missing mean
expect_prints "  id: left out"
expect_prints "  pay: 0 to 4"
expect_prints "  sex: 2 categories: f, m"
grep -q '^  age: .* to .*, [0-9]* missing, taken as [0-9.]*$' out || fail "no line for age: $(cat out)"
grep -q '^  city: 3 categories: Aix, Köln, Ulm, [0-9]* missing$' out || fail "no line for city: $(cat out)"
expect_prints "  outcome: label, 2 categories: no, yes"
[ -z "$("$sdca" convert train.csv quiet.h5 --label outcome --drop id,street --missing mean --quiet 2>&1)" ] || fail "--quiet prints something"
cmp mean.h5 quiet.h5 || fail "the same table gives two different files"
# The difference of these numbers overflows, but their mean does not.
printf 'a,y\n1.7e308,0\n-1.7e308,1\n,0\n' > huge.csv
expect_exit 0 "$sdca" convert huge.csv huge.h5 --missing mean --values float64
grep -qF '1 missing, taken as 0' err out || fail "the mean of huge numbers: $(cat err out)"
expect_exit 0 "$sdca" info mean.h5
expect_prints "2 numeric, 7 one-hot: age, age is missing, city=Aix"

# What is surely a mistake.
{
    echo 'nr,day,when,price,name,kind,y'
    for k in {1..30}; do
        echo "$((k + 6)),2021-03-$((k % 9 + 1)),$((k % 28 + 1)).4.1999,\"$k,5\",n$k,$((k % 2)),$((k % 3 % 2))"
    done
} >odd.csv
expect_exit 0 "$sdca" convert odd.csv odd.h5
expect_warns "the column 'nr' counts the rows: --drop 'nr' leaves it out"
expect_warns "the column 'day' has dates, which are taken as categories: --drop 'day' leaves it out"
expect_warns "the column 'when' has dates"
expect_warns "the column 'price' has numbers with commas, which are taken as categories: --drop 'price' leaves it out, or write decimals with a point and thousands without a comma"
expect_warns "the column 'name' has a different category in nearly every row"
[ "$(grep -c Warning err)" -eq 5 ] || fail "more than five mistakes: $(cat err)"
expect_exit 0 "$sdca" convert odd.csv odd.h5 --drop nr,day,when,price,name
[ ! -s err ] || fail "a warning without a reason: $(cat err)"

# Amounts as labels: 120 different numbers, which need --task regression. So many classes
# with ten rows each are none.
for rows in 1 10; do
    { echo a,price && for k in {1..120}; do for ((i = 0; i < rows; i++)); do echo "$i,$((1000 + k))"; done; done; } >amounts.csv
    expect_exit 0 "$sdca" convert amounts.csv amounts.h5 --label price
    if [ "$rows" -eq 1 ]; then
        expect_warns "the label 'price' has 120 different numbers, each taken as a class: if they are amounts, add --task regression"
    else
        [ ! -s err ] || fail "a warning about classes of ten rows: $(cat err)"
    fi
    expect_exit 0 "$sdca" convert amounts.csv amounts.h5 --label price --task regression
    [ ! -s err ] || fail "a warning about a regression: $(cat err)"
done
for values in '1,234,567 -1,234 12,345,678:1' '1,5,7 2,5,7 1,234:0' '1, 2, 3,:0' '12,3456,789 1,234:0'; do
    { echo a,y && for word in ${values%:*}; do echo "\"$word\",0" && echo "\"$word\",1"; done; } >commas.csv
    expect_exit 0 "$sdca" convert commas.csv commas.h5
    [ "$(grep -c "has numbers with commas" err)" -eq "${values#*:}" ] || fail "commas in ${values%:*}: $(cat err)"
done

# refuse CODE TEXTS... -- ARGUMENTS... - sdca is called with ARGUMENTS.
refuse() {
    part "${@:2}"
    expect_refusal "$1" "$sdca" "${arguments[@]}"
}
count() { "$python" -c "import csv, sys; print(sum(row[sys.argv[1]].strip() in ('', 'NA', '?', 'null', 'NaN') for row in csv.DictReader(open('train.csv', encoding='utf-8'))))" "$1"; }
refuse 65 "train.csv: values are missing in 3 columns: 'age' ($(count age), first in line " "'city' ($(count city), " "'outcome' ($(count outcome), " "--missing mean" \
    -- convert train.csv out.h5 --label outcome --drop id,street
printf 'a,b,y\n1,,1\n2,NA,0\n' >empty.csv
refuse 65 "empty.csv: all values of the column 'b' are missing; --drop leaves it out" -- convert empty.csv out.h5 --missing mean
refuse 65 "empty.csv: there are no rows in it" -- convert empty.csv out.h5 --missing drop
refuse 65 "3 columns have more than 5 categories: 'day' (dates), 'when' (dates), 'name' (another in every row); --drop" -- convert odd.csv out.h5 --categories 5 --drop nr,price
printf 'a,b,y\np,1,1\nq,,0\nr,2,1\n' >two.csv
refuse 65 "1 column has more than 2 categories: 'a' (another in every row); " "; values are missing in 1 column: 'b' (1, in line 3); --missing mean" \
    -- convert two.csv out.h5 --categories 2
refuse 64 "--like excludes --categorical, --categories, --missing and --hash" -- convert train.csv out.h5 --like mean.h5 --missing mean
refuse 64 "--hash can be at most " -- convert train.csv out.h5 --hash 2147483646
refuse 64 "--missing applies to tables" -- convert rows.txt out.h5 --missing mean
printf '1\n%.0s' {1..300} >weights.txt
refuse 64 "--weights has a weight per row, and --missing mean may leave out rows" \
    -- convert train.csv out.h5 --label outcome --drop id,street --missing mean --weights weights.txt
"$python" "$here/missing_values.py" damage
like=(--label outcome --drop 'id,street')
refuse 65 "var/kind in 'bad-kind.h5' has 'colour', which is no kind of column" -- convert train.csv out.h5 "${like[@]}" --like bad-kind.h5
refuse 65 "'bad-rule.h5' has missing values of a kind 'guess'" -- convert train.csv out.h5 "${like[@]}" --like bad-rule.h5
refuse 65 "var/fill in 'bad-fill.h5' has a number that is not finite" -- convert train.csv out.h5 "${like[@]}" --like bad-fill.h5
refuse 65 "the arrays in var of 'bad-length.h5' differ in length" -- convert train.csv out.h5 "${like[@]}" --like bad-length.h5
refuse 65 "the column 'age' occurs twice in --like" -- convert train.csv out.h5 "${like[@]}" --like bad-twice.h5
