#!/usr/bin/env bash
# The choice of lambda: folds, their metrics and the choice against scikit-learn with the
# same folds; validation sets, groups, budgets, signals and wrong input.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/selection.py" make

# choose NAME DATA LOSS METRIC OPTIONS... - on 1 and 3 ranks: the same folds, judged both.
runs="1 3"
choose() {
    local name=$1 data=$2 loss=$3 metric=$4
    shift 4
    for ranks in $runs; do
        expect_exit 0 on "$ranks" "$sdca" train "$data" -o "$name-$ranks.h5" --loss "$loss" --metric "$metric" \
            --rel-gap 1e-9 --lambda 1e-1:1e-3:3 --selection "$name-$ranks.csv" --summary "$name-$ranks.json" \
            --fold-file "$name-$ranks.folds" --all-ranks "$@"
        echo "judge $name-$ranks $data $loss $metric $*" >>cases
    done
    [ "$runs" != "1 3" ] || cmp "$name-1.folds" "$name-3.folds" || fail "folds depend on the ranks"
}
choose lanes two.h5 logistic log-loss --folds 5 --solver sdca
choose weights weights.h5 logistic error --folds 3 --solver sdca --select best
choose one-se two.h5 logistic balanced-error --folds 4 --solver sdca --select one-se
choose newton two.h5 logistic auc --folds 3 --solver newton
choose classes four.h5 logistic f1 --folds 3 --solver sdca
choose words four.h5 logistic log-loss --folds 3 --solver newton
choose batches real.h5 squared rmse --folds 9 --solver sdca
choose mae real.h5 squared mae --folds 2 --solver newton
choose r2 real.h5 squared r2 --folds 3
choose hinge two.h5 hinge auc --folds 3 --solver sdca
# Class weights are for the training: rows that are held out have their own weights.
choose class-weights weights.h5 logistic log-loss --folds 3 --solver sdca --class-weight 1=3,-1=0.5
choose balanced weights.h5 hinge error --folds 3 --solver newton --class-weight balanced
choose four-balanced four.h5 logistic f1 --folds 3 --class-weight balanced

# Standardised columns and intercepts: side by side, one at a time, and a fold by itself.
choose table-full table-four.h5 logistic log-loss --folds 3 --solver sdca --standardize full
choose table table.h5 logistic log-loss --folds 4 --solver sdca --standardize full --intercept
runs=1
choose table-batches table-real.h5 squared rmse --folds 9 --solver sdca --standardize full --intercept
choose sparse sparse.h5 logistic log-loss --folds 3 --solver sdca --standardize full --intercept
choose table-hinge table.h5 hinge error --folds 3 --solver sdca --standardize full --intercept
runs=2
choose table-newton table.h5 logistic log-loss --folds 3 --solver newton --standardize full --intercept
choose table-four table-four.h5 logistic log-loss --folds 3 --solver sdca --standardize full --intercept
choose plain two.h5 logistic log-loss --folds 3 --intercept

# The same command gives the same bits, another seed other folds.
expect_exit 0 "$sdca" train two.h5 -o again.h5 --loss logistic --metric log-loss --rel-gap 1e-9 --lambda 1e-1:1e-3:3 \
    --folds 5 --solver sdca --selection again.csv
cmp again.csv lanes-1.csv || fail "not the same bits"
expect_exit 0 "$sdca" train two.h5 -o again.h5 --lambda 1e-1,1e-2 --folds 5 --fold-seed 2 --fold-file seed.folds
! cmp -s seed.folds lanes-1.folds || fail "the seed changes nothing"

# While folds are trained, the progress names them.
expect_exit 0 "$sdca" train two.h5 -o again.h5 --loss logistic --rel-gap 1e-9 --lambda 1e-1,1e-3 --folds 11 --solver sdca \
    --log-every 0.000001s --progress folds.jsonl
for folds in "1, \"last_fold\": 8" "9, \"last_fold\": 11"; do
    grep -q "\"lambda\": 0.1, \"first_fold\": $folds, \"folds\": 11}\$" folds.jsonl || fail "$(tail -n 2 folds.jsonl)"
done

# The table names the choice; files of a path are written if asked for.
expect_prints "Chosen: lambda "
expect_exit 0 "$sdca" train two.h5 -o m.h5 --lambda 1e-1,1e-2 --folds 3 --path fits --history h.csv
[ "$(find fits -name '*.h5' | wc -l)" = 2 ] || fail "$(ls fits)"

# Groups stay together, on any number of ranks, in arrays and in columns of obs.
for ranks in 1 3; do
    for data in two.h5 cells.h5ad; do
        expect_exit 0 on "$ranks" "$sdca" train "$data" -o m.h5 --lambda 1e-1,1e-2 --folds 4 --fold-groups donor \
            --fold-file "groups-$ranks-$data" --all-ranks
        echo "groups groups-$ranks-$data $data" >>cases
    done
done
cmp groups-1-two.h5 groups-3-two.h5 || fail "groups depend on the ranks"

# The same from a column of a table, of text, which is no feature.
expect_exit 0 "$sdca" convert donors.csv donors.h5 --label y --group donor
expect_prints "donor: groups of rows"
expect_exit 0 "$sdca" train donors.h5 -o donors-model.h5 --lambda 1e-1,1e-2 --folds 4 --fold-groups donor --fold-file donors.folds
expect_exit 0 "$sdca" predict donors-model.h5 donors.csv -o predictions.csv
expect_exit 0 "$sdca" convert donors.csv again.h5 --label y --group donor --like donors.h5
expect_exit 0 "$sdca" train donors.h5 -o m.h5 --lambda 1e-1,1e-2 --validation again.h5
"$python" "$here/selection.py" donors

# info has the choice.
expect_exit 0 "$sdca" info one-se-1.h5
expect_prints "  chosen by    balanced-error $("$python" "$here/selection.py" chosen one-se-1), one-se of 3 lambda"

# A validation set instead of folds.
for metric in error log-loss; do
    expect_exit 0 on 2 "$sdca" train two.h5 -o valid-$metric.h5 --loss logistic --metric $metric --rel-gap 1e-9 \
        --lambda 1e-1:1e-3:3 --validation held.h5 --selection valid-$metric.csv --summary valid-$metric.json --all-ranks
    echo "validation valid-$metric two.h5 $metric" >>cases
done
for kind in "table-four logistic log-loss full --intercept" "table-real squared rmse full --intercept --solver newton" \
    "table logistic log-loss scale" "sparse logistic log-loss full --intercept"; do
    read -r data loss metric columns <<<"$kind"
    name="valid-$data"
    # shellcheck disable=SC2086 # one word or two
    expect_exit 0 on 2 "$sdca" train "$data.h5" -o "$name.h5" --loss "$loss" --metric "$metric" --rel-gap 1e-9 \
        --lambda 1e-1:1e-3:3 --validation "$data-held.h5" --selection "$name.csv" --summary "$name.json" --all-ranks \
        --standardize $columns
    echo "validation $name $data.h5 $metric $columns" >>cases
done

expect_exit 0 "$sdca" info valid-error.h5
expect_prints " of a validation set, best of 3 lambda"

# With an intercept nothing is proven about other lambda, and nothing is said.
expect_exit 0 "$sdca" train two.h5 -o m.h5 --lambda 1e-1:1e-2:9 --folds 3 --solver sdca --intercept --summary s.json
expect_prints "Chosen: lambda "
! grep -q Proven out || fail "a bound with an intercept"
[ "$("$python" -c 'import json; print(json.load(open("s.json"))["selection"]["error_bound"])')" = None ] || fail "$(cat s.json)"

# What is proven about lambda that were not tested: by brute force with another solver, on a
# finer grid with the same folds.
for loss in logistic hinge; do
    for kind in "two --folds 3" "four --folds 3" "two --validation held.h5 --bias 1" "weights --folds 3 --class-weight 1=3"; do
        read -r data how <<<"$kind"
        name=bound-$loss-$data${how//[^a-z0-9]/}
        for run in "$name 21 sdca 1e-7" "$name-newton 21 newton 1e-7" "$name-fine 201 newton 1e-9"; do
            read -r out count solver target <<<"$run"
            # shellcheck disable=SC2086 # several words
            expect_exit 0 "$sdca" train $data.h5 -o "$out.h5" --loss $loss --lambda 1e-1:1e-2:$count $how \
                --solver $solver --rel-gap $target --selection "$out.csv" --quiet
        done
        echo "bound $name $name-fine" >>cases
        echo "bound $name-newton $name-fine" >>cases
        [ "$loss$data" = hingetwo ] || continue
        expect_exit 0 "$sdca" report "$name.h5" -o "$name.html"
        echo "report $name" >>cases
    done
done
"$python" "$here/selection.py" cases

# Budgets: a lambda that is not tested on all folds cannot be chosen.
expect_exit 3 "$sdca" train two.h5 -o m.h5 --lambda 1e-1:1e-2:3 --folds 3 --rel-gap 1e-12 --epochs 2 --solver sdca \
    --summary s.json
expect_prints "Models of folds did not reach the target"
[ "$("$python" -c 'import json; print(len(json.load(open("s.json"))["selection"]["fits"]))')" = 3 ] || fail "$(cat s.json)"
expect_exit 3 "$sdca" train two.h5 -o m.h5 --lambda 1e-1:1e-9:1000 --folds 3 --rel-gap 1e-12 --time 0.3 --solver sdca \
    --summary s.json
expect_prints "The run ended before the other"
expect_exit 3 "$sdca" train two.h5 -o m.h5 --lambda 1e-8,1e-9 --folds 3 --rel-gap 1e-15 --time 0.01 --solver sdca
expect_prints "No lambda was tested"
! grep -q "The run ended before the other" out || fail "no lambda was tested, but others were not: $(cat out)"

# A signal ends the run with what is tested by then.
"$sdca" train two.h5 -o signal.h5 --lambda 1e-1:1e-9:1000 --folds 3 --rel-gap 1e-12 --solver sdca \
    --summary signal.json 2> signal.err > signal.out &
job=$!
for _ in $(seq 200); do
    grep -q "over 3 folds" signal.err && break
    sleep 0.05
done
kill -TERM $job
status=0
wait $job || status=$?
[ $status = 3 ] || fail "status $status: $(cat signal.err)"
grep -q "^Chosen: lambda " signal.out || fail "$(cat signal.out)"

# Wrong options.
bad() {
    local status=$1 message=$2
    shift 2
    expect_exit "$status" "$sdca" train "$@"
    expect_says "$message"
}
grid=(-o m.h5 --lambda "1e-1,1e-2")
bad 64 "--fold-groups requires --folds K" two.h5 "${grid[@]}" --path p --fold-groups donor
bad 64 "--metric requires --folds K or --validation FILE.h5" two.h5 "${grid[@]}" --path p --metric error
bad 64 "train takes --folds or --validation, not both" two.h5 "${grid[@]}" --folds 3 --validation held.h5
bad 64 "choose one of several lambda" two.h5 -o m.h5 --lambda 1e-1 --folds 3
bad 64 "--folds must be between 2 and 1000, not 1" two.h5 "${grid[@]}" --folds 1
bad 64 "--select one-se requires --folds" two.h5 "${grid[@]}" --validation held.h5 --select one-se
bad 64 "--metric rmse is for regression, not for --loss logistic" two.h5 "${grid[@]}" --folds 3 --loss logistic --metric rmse
bad 64 "--metric auc is for classification, not for --loss squared" real.h5 "${grid[@]}" --folds 3 --loss squared --metric auc
bad 64 "--metric log-loss requires --loss logistic" two.h5 "${grid[@]}" --folds 3 --loss hinge --metric log-loss
bad 64 "--folds and --validation exclude --keep-dual" two.h5 "${grid[@]}" --folds 3 --keep-dual
bad 64 "--checkpoint-every is for one lambda, not for a path" two.h5 "${grid[@]}" --folds 3 --checkpoint c.h5 --checkpoint-every 5m
# Wrong data.
bad 65 "label 1 of 'rare.h5' has 3 rows, fewer than the 5 folds" rare.h5 "${grid[@]}" --folds 5
bad 65 "6 folds would leave out one row at a time; choose fewer, or train one lambda with --keep-dual" tiny.h5 "${grid[@]}" --folds 6
bad 65 "'tiny.h5' has 6 rows, fewer than the 7 folds" tiny.h5 "${grid[@]}" --folds 7
bad 65 "'wide.h5' has 11 columns, 'two.h5' only 10: a validation set has the columns of the data" two.h5 "${grid[@]}" --validation wide.h5
bad 65 "no row of 'other.h5' has a label of 'two.h5', which are -1 and 1" two.h5 "${grid[@]}" --validation other.h5
expect_exit 0 "$sdca" train two.h5 "${grid[@]}" --validation partly.h5
grep -q "^Warning: 'partly.h5' has 3 rows with a label that the model does not know, which count as wrong" err || fail "$(cat err)"
bad 65 "'donor' of 'two.h5' has 17 groups, fewer than the 20 folds" two.h5 "${grid[@]}" --folds 20 --fold-groups donor
bad 65 "'two.h5' has no array or column of obs 'none' to group rows by" two.h5 "${grid[@]}" --folds 3 --fold-groups none
bad 65 "'two.h5' has no categories or numbers 'words' to group rows by" two.h5 "${grid[@]}" --folds 3 --fold-groups words
bad 65 "'short' of 'two.h5' has 9 groups for 240 rows" two.h5 "${grid[@]}" --folds 3 --fold-groups short
bad 65 "'two.h5', row 3: the group is not a number" two.h5 "${grid[@]}" --folds 3 --fold-groups part
bad 65 "'one.h5' has no auc: it needs rows of several labels" two.h5 "${grid[@]}" --validation one.h5 --metric auc
bad 65 "fold 1 of 'rare.h5' has no auc: it needs rows of several labels" rare.h5 "${grid[@]}" --folds 2 \
    --fold-groups y --metric auc

# Wrong groups of a table.
expect_refusal 64 "$sdca" convert donors.csv g.h5 --label y --group y
expect_says "--group names the label"
expect_refusal 64 "$sdca" convert donors.csv g.h5 --label y --group donor --drop donor
expect_says "--drop names the column of --group"
expect_refusal 64 "$sdca" convert donors.csv g.h5 --label y --group a/b
expect_says "--group 'a/b' has a '/', which the name of an array cannot have"
sed '5s/,[^,]*$/,/' donors.csv >gap.csv
expect_refusal 65 "$sdca" convert gap.csv g.h5 --label y --group donor
expect_says "gap.csv, line 5, column 'donor': '' is no group, and each row needs one"

# Checkpoints of other runs; faults/path_checkpoints has those of the same one.
expect_exit 0 "$sdca" train two.h5 "${grid[@]}" --folds 3 --checkpoint c.h5 --quiet
bad 64 "'c.h5' is a checkpoint of another path: give the same" two.h5 "${grid[@]}" --folds 4 --checkpoint c.h5 --resume
bad 64 "'c.h5' is a checkpoint of another path: give the same" two.h5 "${grid[@]}" --folds 3 --rel-gap 1e-9 --checkpoint c.h5 \
    --resume
bad 64 "'c.h5' is a checkpoint of a path: give the same --lambda" two.h5 -o m.h5 --lambda 1e-2 --checkpoint c.h5 --resume
expect_exit 0 "$sdca" train two.h5 -o m.h5 --lambda 1e-2 --checkpoint single.h5 --quiet
bad 64 "'single.h5' is a checkpoint of one lambda, not of a path" two.h5 "${grid[@]}" --folds 3 --checkpoint single.h5 --resume
