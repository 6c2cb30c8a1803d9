#!/usr/bin/env bash
# More than two classes: certificates and predictions against NumPy, scikit-learn and
# LIBLINEAR, on one and three ranks, dense, sparse and with unused columns; warm starts,
# budgets, and files for other programs.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# dense.h5 has labels 3, 5, 7, ..., words.h5 the same as words, sparse.h5 has most columns unused.
"$python" "$here/several_classes.py" make

# train NAME DATA OPTIONS... - on 1 and 3 ranks, each with all outputs.
train() {
    local name=$1 data=$2
    shift 2
    for ranks in 1 3; do
        expect_exit 0 on $ranks "$sdca" train "$data" -o "$name-$ranks.h5" --test "$data" --summary "$name-$ranks.json" \
            --history "$name-$ranks.csv" "$@"
        cp out "$name-$ranks.out"
        expect_exit 0 on $ranks "$sdca" predict "$name-$ranks.h5" "$data" -o "$name-$ranks-predicted.csv"
        cp out "$name-$ranks.error"
        expect_exit 0 on 2 "$sdca" predict "$name-$ranks.h5" "$data" -o "$name-$ranks-predicted.h5" --quiet
    done
}
train hinge dense.h5 --loss hinge --C 0.1 --rel-gap 1e-10
train logistic words.h5 --loss logistic --C 0.5 --bias 1 --rel-gap 1e-8
train sdca words.h5 --loss logistic --C 0.5 --solver sdca --rel-gap 1e-6 --multiclass ovr
train sparse sparse.h5 --loss squared-hinge --lambda 1e-3 --bias 2 --normalize rows --rel-gap 1e-6
"$python" "$here/several_classes.py" judge

# Progress names the class; the settings name the first ones.
expect_exit 0 "$sdca" train words.h5 -o model.h5 --lambda 1e-2 --progress progress.json
grep -q "labels    4 classes, each against the rest: 'a b', 'b,c'" err || fail "settings: $(cat err)"
grep -q 'gap/primal class$' err || fail "names of the table: $(cat err)"
for class in 'a b' 'b,c' 'c "d"' d; do
    grep -q "^ *0 .*e[+-][0-9]* $class\$" err || fail "class $class: $(cat err)"
done
grep -q '"event": "evaluation".*"class": 3, "classes": 4}' progress.json || fail "$(tail -2 progress.json)"
expect_prints "Certified: the sum of P(w) over 4 classes = "

# LIBLINEAR reads the export: the same labels, and the same probabilities.
expect_exit 0 "$sdca" train dense.h5 -o bias.h5 --loss logistic --lambda 1e-3 --bias 1 --quiet
for model in hinge-1 bias; do
    expect_exit 0 "$sdca" export $model.h5 peer.model
    expect_exit 0 "$sdca" predict $model.h5 dense.h5 -o ours.csv
    options=() && [ $model = hinge-1 ] || options=(-b 1)
    expect_exit 0 liblinear-predict "${options[@]}" dense.txt peer.model theirs.txt
    "$python" "$here/several_classes.py" liblinear
done
expect_exit 0 "$sdca" export logistic-1.h5 model.json --format json
expect_exit 0 "$sdca" export logistic-1.h5 model.tsv --format text --names
"$python" "$here/several_classes.py" exports
expect_exit 0 "$sdca" export bias.h5 - --format json
"$python" -m json.tool <out >pretty || fail "export to standard output: $(head -3 out)"

# info and report.
expect_exit 0 "$sdca" info logistic-1.h5
expect_prints "labels       4 classes, each against the rest"
[ "$(grep -c '^  class  ' out)" -eq 4 ] || fail "info: $(cat out)"
expect_exit 0 "$sdca" info many.h5 # from the script above: data of 25 classes
expect_exit 0 "$sdca" train many.h5 -o many-model.h5 --lambda 1e-2 --rel-gap 1e-2 --history many.csv --summary many.json --quiet
"$python" "$here/several_classes.py" clock
expect_exit 0 "$sdca" info many-model.h5
[ "$(grep -c '^  class  ' out)" -eq 20 ] || fail "info: $(cat out)"
grep -qx '               and 5 more' out || fail "info: $(cat out)"
expect_exit 0 "$sdca" report logistic-1.h5 many-model.h5 -o page.html
"$python" "$here/several_classes.py" page
expect_exit 65 "$sdca" report hinge-1.csv -o page.html
expect_says "hinge-1.csv" "history of several classes"
expect_exit 64 "$sdca" report hinge-1.h5 logistic-1.h5 -o figure.svg
expect_says "has several classes, which are a figure of their own"
if command -v gnuplot >gnuplot.path; then
    expect_exit 0 "$sdca" report hinge-1.h5 -o figure.svg
    grep -q '>5<' figure.svg || fail "a figure has a curve for each label"
fi

# A warm start takes the row of the same label, for any other order or number of classes.
expect_exit 0 "$sdca" train words.h5 -o again.h5 --loss logistic --C 0.5 --bias 1 --rel-gap 1e-4 --solver sdca \
    --warm-start logistic-1.h5 --summary again.json --history again.csv --quiet
expect_exit 0 "$sdca" train fewer.h5 -o two.h5 --loss logistic --C 0.5 --rel-gap 1e-4 --quiet
expect_exit 0 "$sdca" train words.h5 -o more.h5 --loss logistic --C 0.5 --rel-gap 1e-4 --solver sdca \
    --warm-start two.h5 --history more.csv --quiet
expect_exit 0 "$sdca" train third.h5 -o third-model.h5 --loss logistic --C 0.5 --rel-gap 1e-4 --solver sdca \
    --warm-start two.h5 --history third.csv --quiet
expect_exit 0 "$sdca" train fewer.h5 -o back.h5 --loss logistic --C 0.5 --rel-gap 1e-4 --solver sdca \
    --warm-start logistic-1.h5 --history back.csv --quiet
"$python" "$here/several_classes.py" warm

# A class that misses the target decides the exit status. The budget of epochs is per class, that of seconds for all.
expect_exit 3 "$sdca" train words.h5 -o model.h5 --solver sdca --lambda 1e-6 --rel-gap 1e-12 --epochs 2 --summary summary.json
expect_prints "of 4 classes reached the target."
"$python" -c 'import json; s = json.load(open("summary.json")); assert s["epochs"] == 8 and s["status"] == "budget", s'
expect_exit 0 "$sdca" info model.h5
expect_prints "target not reached"
expect_exit 3 "$sdca" train words.h5 -o model.h5 --solver sdca --lambda 1e-6 --rel-gap 1e-15 --time 0.2 --quiet

# Weights of classes are those of their rows, also if their names have commas.
how=(--loss logistic --lambda 1e-2 --rel-gap 1e-10 --quiet)
expect_exit 0 "$sdca" train words.h5 -o by-class.h5 "${how[@]}" --class-weight 'b,c=2,c "d"=0.5,a b=3'
expect_exit 0 "$sdca" train words-weighted.h5 -o by-row.h5 "${how[@]}"
"$python" "$here/several_classes.py" class_weights

# A run that is resumed has the time of all classes.
many=(train many.h5 -o many-again.h5 --lambda 1e-2 --rel-gap 1e-6 --checkpoint many-run.h5 --resume --history many.csv --summary many.json)
expect_exit 3 "$sdca" "${many[@]}" --epochs 1
expect_prints "With --resume, a larger budget is for the last class; with --warm-start many-again.h5, for all."
expect_exit 3 "$sdca" "${many[@]}" --epochs 2 --quiet
"$python" "$here/several_classes.py" clock
expect_exit 0 "$sdca" train many.h5 -o many-all.h5 --lambda 1e-2 --rel-gap 1e-6 --warm-start many-again.h5 --quiet

# Unknown labels count as errors.
expect_exit 0 "$sdca" predict bias.h5 other-labels.h5
expect_prints "Error: 1 (20 of 20 rows)"
grep -q "it knows 3, 5, 7 and 9" err || fail "unknown labels: $(cat err)"

expect_exit 64 "$sdca" bound --model hinge-1.h5 --data dense.h5
expect_says "the refined analysis is of one model, and 'hinge-1.h5' has one for each of 4 classes"

# The classes of a first batch do not go on to a smaller target; those of the last one do.
"$python" -c 'import h5py, numpy as np
x = np.random.default_rng(3).normal(size=(120, 4))
with h5py.File("twelve.h5", "w") as twelve, h5py.File("three.h5", "w") as three:
    twelve["X"], twelve["y"] = x, np.arange(120) % 12
    three["X"], three["y"] = x, np.arange(120) % 3'
batches=(-o model.h5 --lambda 1e-2 --solver sdca --quiet --rel-gap)
expect_exit 0 "$sdca" train twelve.h5 "${batches[@]}" 1e-1 --checkpoint run.h5
expect_exit 64 "$sdca" train twelve.h5 "${batches[@]}" 1e-9 --checkpoint run.h5 --resume
expect_says "'run.h5' has finished classes of a run with another target: give the same --gap or --rel-gap"
expect_exit 0 "$sdca" train twelve.h5 "${batches[@]}" 1e-1 --checkpoint run.h5 --resume
expect_exit 0 "$sdca" train three.h5 "${batches[@]}" 1e-1 --checkpoint three-run.h5
expect_exit 0 "$sdca" train three.h5 "${batches[@]}" 1e-9 --checkpoint three-run.h5 --resume
"$python" -c 'import h5py
proof = h5py.File("model.h5")["certificate"]
assert (proof["gap"][:] <= 1e-9 * proof["primal"][:]).all(), proof["gap"][:]'

# Models that another program has changed.
"$python" "$here/several_classes.py" damage >damaged
while IFS=$'\t' read -r file text; do
    for command in info "predict"; do
        operands=("$file") && [ $command = info ] || operands=("$file" words.h5)
        expect_exit 65 "$sdca" $command "${operands[@]}"
        expect_says "$file" "$text"
    done
    expect_exit 65 "$sdca" export "$file" exported
    expect_none exported
done <damaged
