#!/usr/bin/env bash
# Sample weights of data files, tables, texts and AnnData files, and class weights: a row
# of weight 2 is the row twice, and balanced classes are those of scikit-learn.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/weights.py" write

# learn NAME DATA OPTIONS... - the model is NAME.h5.model, its summary NAME.json.
ranks=1
learn() {
    local name=$1 data=$2
    shift 2
    expect_exit 0 on $ranks "$sdca" train "$data" -o "$name.h5.model" --summary "$name.json" --lambda 0.01 --quiet "$@"
}
for loss in hinge squared-hinge logistic squared; do
    for name in weighted scaled dense repeated plain balanced; do
        learn $name-$loss $name.h5 --loss $loss --rel-gap 1e-8
    done
    ranks=3
    learn ranks-$loss weighted.h5 --loss $loss --rel-gap 1e-8
    ranks=1
done
for solver in sdca newton sag; do
    learn solver-$solver weighted.h5 --loss squared-hinge --solver $solver --rel-gap 1e-5
done
learn sgd weighted.h5 --loss logistic --solver sgd --rel-gap 1e-3 --epochs 100000
learn eg weighted.h5 --loss logistic --solver eg --rel-gap 1e-5
learn halves-hinge halves.h5 --rel-gap 1e-8
learn used-hinge used.h5 --rel-gap 1e-8
learn class-list plain.h5 --class-weight 7=3,3=0.5 --rel-gap 1e-8
ranks=3
learn class-balanced plain.h5 --class-weight balanced --rel-gap 1e-8
ranks=1
learn logistic-balanced plain.h5 --loss logistic --class-weight balanced --rel-gap 1e-8
for column in size whole nullable used; do
    learn obs-$column cells.h5ad --label kind --weight $column --rel-gap 1e-8
done
"$python" "$here/weights.py" check

# Several classes: a row has the weight of its own class in the models of all classes.
learn four-balanced four.h5 --class-weight balanced --rel-gap 1e-8
learn four-both four-weighted.h5 --class-weight balanced --rel-gap 1e-8
ranks=3
learn four-ranks four.h5 --class-weight balanced --rel-gap 1e-8
learn three-ranks three.h5 --rel-gap 1e-10
ranks=1
learn three three.h5 --rel-gap 1e-10
learn three-repeated three-repeated.h5 --rel-gap 1e-10
# One label against the rest are the classes 2 and "not 2".
learn three-alone three-alone.h5 --rel-gap 1e-10
learn three-positive three.h5 --positive 2 --class-weight "2=3,not 2=0.5" --rel-gap 1e-10
for way in weighted unweighted; do
    flag=()
    [ $way = weighted ] || flag=(--unweighted)
    expect_exit 0 on 2 "$sdca" predict three.h5.model three.h5 "${flag[@]}"
    cp out three-$way.out
    learn three-$way three.h5 --rel-gap 1e-10 --test three.h5 "${flag[@]}"
done
"$python" "$here/weights.py" classes

# Weights of 1 are no weights; others change the fingerprint.
learn ones ones.h5
fingerprint() {
    "$sdca" info "$1.h5.model" | grep -o 'fingerprint .*'
}
[ "$(fingerprint ones)" = "$(fingerprint plain-hinge)" ] || fail "weights of 1 change the fingerprint"
[ "$(fingerprint weighted-hinge)" != "$(fingerprint plain-hinge)" ] || fail "weights are not part of the fingerprint"
[ "$(fingerprint class-list)" != "$(fingerprint plain-hinge)" ] || fail "class weights are not part of the fingerprint"
[ "$(fingerprint ranks-hinge)" = "$(fingerprint weighted-hinge)" ] || fail "the fingerprint depends on the ranks"

# train, info and the model say the sum.
expect_exit 0 "$sdca" train weighted.h5 -o model.h5 --lambda 0.01
total=$(summary total_weight weighted-hinge.json)
total=${total%.0}
grep -q "^  weights   sum $total, mean " err || fail "expected the sum of weights $total, got '$(cat err)'"
expect_exit 0 "$sdca" info model.h5
expect_prints "weights      sum $total"
expect_exit 0 "$sdca" train plain.h5 -o model.h5 --lambda 0.01
! grep -q '^  weights' err || fail "unexpected weights: $(cat err)"
expect_exit 0 "$sdca" info weighted.h5
expect_prints "weights      sum $total, from 0 to 3, 0 in "
! grep -q rejected out || fail "train would not reject it: $(cat out)"

# Metrics.
for way in weighted unweighted; do
    flag=()
    [ $way = weighted ] || flag=(--unweighted)
    expect_exit 0 on 2 "$sdca" predict weighted-hinge.h5.model weighted.h5 "${flag[@]}"
    cp out $way.out
    learn test-$way weighted.h5 --rel-gap 1e-8 --test weighted.h5 "${flag[@]}"
done
expect_exit 0 "$sdca" predict weighted-hinge.h5.model cells.h5ad --label kind --weight whole
cmp out weighted.out || fail "expected the same error for AnnData, got '$(cat out)'"
expect_exit 0 "$sdca" predict weighted-squared.h5.model weighted.h5
cp out squared.out
# Without labels, weights have no use.
expect_exit 0 "$sdca" predict weighted-hinge.h5.model unlabelled.h5 -o unlabelled.csv
expect_exit 0 "$sdca" predict weighted-hinge.h5.model negative.h5 --unweighted
expect_exit 0 "$sdca" predict weighted-hinge.h5.model negative.h5 --unlabelled -o unlabelled.csv

# convert.
expect_exit 0 "$sdca" convert rows.txt convert-text.h5 --weights weights.txt
expect_prints "weights: $total in all"
gzip -k weights.txt
expect_exit 0 "$sdca" convert rows.csv convert-packed.h5 --drop size --weights weights.txt.gz
sed 's/$/ \r/' weights.txt | "$sdca" convert rows.txt convert-piped.h5 --weights - --quiet
expect_exit 0 "$sdca" convert rows.csv convert-table.h5 --weight size
expect_prints "label 'label', weight 'size'"
expect_exit 0 "$sdca" convert rows.csv convert-again.h5 --weight 2 --like convert-table.h5
"$python" "$here/weights.py" files

# refuse CODE TEXTS... -- ARGUMENTS... - this exit status and a message with these texts.
refuse() {
    local code=$1
    shift
    part "$@"
    expect_refusal "$code" on $ranks "$sdca" "${arguments[@]}"
}
for ranks in 1 2; do
    refuse 65 "negative.h5" "row 117" "the weight is -0.25" -- train negative.h5 -o out.h5 --lambda 1
    refuse 65 "nan.h5" "row 60" "finite" -- train nan.h5 -o out.h5 --lambda 1
    refuse 65 "infinite.h5" "row 2" "finite" -- train infinite.h5 -o out.h5 --lambda 1
    refuse 65 "zero.h5" "weights of all rows" "are 0" -- train zero.h5 -o out.h5 --lambda 1
    refuse 65 "huge.h5" "1e+150" "scale them" -- train huge.h5 -o out.h5 --lambda 1
    refuse 65 "plain.h5" "is inf," -- train plain.h5 -o out.h5 --lambda 1 --class-weight 3=1e308,7=1e308
    refuse 65 "cells.h5ad" "row 77" "the weight is missing" -- train cells.h5ad -o out.h5 --lambda 1 --label kind --weight gaps
    refuse 65 "plain.h5" "no class '5'" "it has 3 and 7" -- train plain.h5 -o out.h5 --lambda 1 --class-weight 5=1
    refuse 65 "four.h5" "no class '5'" "it has 1, 2, 3 and 4" -- train four.h5 -o out.h5 --lambda 1 --class-weight 5=1
    refuse 65 "four.h5" "no class '3'" "it has 'not 2' and '2'" -- train four.h5 -o out.h5 --lambda 1 --class-weight 3=1 --positive 2
    refuse 64 "two class weights" -- train plain.h5 -o out.h5 --lambda 1 --class-weight 3=1,3=2
    refuse 64 "class weights of all classes" -- train plain.h5 -o out.h5 --lambda 1 --class-weight 3=0,7=0
done
ranks=1
refuse 65 "short.h5" "119 weights for 120 rows" -- train short.h5 -o out.h5 --lambda 1
refuse 65 "weight in 'flat.h5'" "2 dimensions" -- train flat.h5 -o out.h5 --lambda 1
refuse 65 "weight in 'words.h5'" "not an array of numbers" -- train words.h5 -o out.h5 --lambda 1
refuse 65 "negative.h5" "row 117" -- predict model.h5 negative.h5
refuse 65 "zero.h5" "are 0" -- train plain.h5 --test zero.h5 -o out.h5 --lambda 1
for column in category old text; do
    refuse 65 "obs/$column in 'cells.h5ad' is not a column of numbers" -- train cells.h5ad -o out.h5 --lambda 1 --label kind --weight $column
done
refuse 65 "no column 'nothing' in obs" -- train cells.h5ad -o out.h5 --lambda 1 --label kind --weight nothing
refuse 65 "119 weights for 120 rows" -- train cells.h5ad -o out.h5 --lambda 1 --label kind --weight short
for list in "" 3 3= =1 "3=1," 3=x 3=nan; do
    refuse 64 "class weights are balanced or LABEL=W" -- train plain.h5 -o out.h5 --lambda 1 --class-weight "$list"
done
refuse 64 "class weight of '3' is -1" -- train plain.h5 -o out.h5 --lambda 1 --class-weight 3=-1
refuse 64 "--class-weight" "squared" -- train plain.h5 -o out.h5 --lambda 1 --loss squared --class-weight balanced
refuse 64 "--unweighted requires --test" -- train plain.h5 -o out.h5 --lambda 1 --unweighted
refuse 64 "--weight excludes" -- predict model.h5 plain.h5 --weight w --unweighted
refuse 64 "bounds do not cover weights" -- train weighted.h5 -o out.h5 --lambda 1 --bound
refuse 64 "theorems do not cover weights" "weighted.h5" -- bound --model weighted-hinge.h5.model --data weighted.h5
for name in negative short zero; do
    expect_exit 0 "$sdca" info $name.h5
    expect_prints "rejected     by train: "
done

printf '1 1:1\n-1 1:2\n' >two.txt
printf 'a,w,y\n1,2,0\n2,x,1\n' >two.csv
weights() {
    printf %b "$1" >bad.txt
    shift
    refuse 65 "bad.txt" "$@" -- convert two.txt out.h5 --weights bad.txt
}
weights '1\nx\n' "line 2" "'x' is not a weight"
weights '1\n\n' "line 2" "'' is not a weight"
weights '-1\n1\n' "line 1" "'-1' is not a weight"
weights 'inf\n1\n' "line 1" "'inf' is not a weight"
weights '1e999\n1\n' "line 1" "is not a weight"
weights '1 2\n1\n' "line 1" "is not a weight"
weights '1\n' "ends with line 1" "more rows"
weights '1\n1\n1\n' "line 3" "only 2 rows"
refuse 66 "missing.txt" -- convert two.txt out.h5 --weights missing.txt
printf '0\n0\n' >bad.txt
refuse 65 "two.txt" "weights of all rows are 0" -- convert two.txt out.h5 --weights bad.txt
refuse 65 "two.csv, line 3" "column 'w'" "'x' is not a weight" -- convert two.csv out.h5 --weight w
for value in -1 NA inf; do
    sed "s/x/$value/" two.csv >bad.csv
    refuse 65 "bad.csv, line 3" "column 'w'" "'$value' is not a weight" -- convert bad.csv out.h5 --weight w
done
refuse 64 "no column is called 'v'" "--weight" -- convert two.csv out.h5 --weight v
refuse 64 "--weight names the label" -- convert two.csv out.h5 --weight y
refuse 64 "--drop names the column of --weight" -- convert two.csv out.h5 --weight w --drop w
refuse 64 "--categorical names the column of --weight" -- convert two.csv out.h5 --weight w --categorical w
refuse 64 "--weight or --weights, not both" -- convert two.csv out.h5 --weight w --weights bad.txt
refuse 64 "--weight applies to tables" -- convert two.txt out.h5 --weight w
refuse 64 "IN and --weights" "standard input" -- convert - out.h5 --weights -
cp weights.txt out.txt
expect_exit 64 "$sdca" convert two.txt out.txt --weights out.txt
expect_says "out.txt"
