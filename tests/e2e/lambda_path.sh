#!/usr/bin/env bash
# Several lambda in one run: each model's objective against NumPy, its optimum against
# scikit-learn and against a single run; files, budgets and signals.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/lambda_path.py" make

# train NAME DATA LAMBDAS OPTIONS... - a path on 1 and 3 ranks.
train() {
    local name=$1 data=$2 lambdas=$3
    shift 3
    for ranks in 1 3; do
        expect_exit 0 on $ranks "$sdca" train "$data" -o "$name-$ranks.h5" --path "$name-$ranks" --lambda "$lambdas" \
            --summary "$name-$ranks.json" --history "$name-$ranks.csv" --progress "$name-$ranks.progress" \
            --test "$data" "$@"
        cp out "$name-$ranks.out"
    done
}
# A list in any order: the largest comes first.
train hinge two.h5 1e-3,1e-1,1e-2,1e-4 --loss hinge --rel-gap 1e-6 --solver sdca
train logistic two.h5 1e-1:1e-4:4 --loss logistic --rel-gap 1e-8 --solver sdca --bias 1
train newton two.h5 1e-1:1e-4:4 --loss logistic --rel-gap 1e-8 --solver newton
train squared real.h5 1e-1:1e-4:4 --loss squared --rel-gap 1e-8 --solver sdca
train classes four.h5 1e-1:1e-4:4 --loss logistic --rel-gap 1e-8 --solver sdca
train words four.h5 1e-1:1e-4:4 --loss logistic --rel-gap 1e-8 --solver newton
"$python" "$here/lambda_path.py" judge
expect_exit 0 cmp hinge-1.h5 hinge-1/4-lambda-0.0001.h5

# The same command gives the same bits, in a directory that has its models already.
cp -r hinge-3 earlier
train hinge two.h5 1e-3,1e-1,1e-2,1e-4 --loss hinge --rel-gap 1e-6 --solver sdca
"$python" "$here/lambda_path.py" same earlier hinge-3

# Output: the table of fits, the lambda above each fit's evaluations.
grep -q '^Path: 4 models in hinge-3 after ' hinge-3.out || fail "$(cat hinge-3.out)"
grep -q '^lambda 0.01 (2 of 4)$' err || fail "$(cat err)"
grep -q '"lambda": 0.0001}$' hinge-1.progress || fail "$(tail -1 hinge-1.progress)"

# Newton's method gains nothing from the fit before if the loss has corners: a path is SDCA's. A single fit is not.
expect_exit 0 "$sdca" generate cov1 table.h5 --scale 0.02 --quiet
expect_exit 0 "$sdca" train table.h5 -o m.h5 --lambda 1e-6
grep -q "solver    newton" err || fail "$(cat err)"
expect_exit 0 "$sdca" train table.h5 -o m.h5 --path corners --lambda 1e-4,1e-6
grep -q "solver    sdca" err || fail "$(cat err)"
expect_exit 0 "$sdca" train table.h5 -o m.h5 --path smooth --lambda 1e-4,1e-6 --loss logistic
grep -q "solver    newton" err || fail "$(cat err)"

# A warm start is that of the first fit.
expect_exit 0 "$sdca" train two.h5 -o warm.h5 --path warm --lambda 1e-1,1e-2 --loss hinge --solver sdca \
    --rel-gap 1e-6 --warm-start hinge-1/1-lambda-0.1.h5 --summary warm.json
expect_exit 0 "$sdca" train two.h5 -o cold.h5 --path cold --lambda 1e-1,1e-2 --loss hinge --solver sdca \
    --rel-gap 1e-6 --summary cold.json
"$python" -c 'import json
warm, cold = (json.load(open(name + ".json"))["path"][0]["epochs"] for name in ("warm", "cold"))
assert warm < cold, (warm, cold)'

# Budgets: epochs are for each fit, seconds are for all.
expect_exit 3 "$sdca" train two.h5 -o m.h5 --path epochs --lambda 1e-2:1e-6:3 --rel-gap 1e-12 --epochs 2 \
    --solver sdca --summary s.json
"$python" -c 'import json
fits = json.load(open("s.json"))["path"]
assert [fit["epochs"] for fit in fits] == [2, 2, 2] and {fit["status"] for fit in fits} == {"budget"}, fits'
expect_exit 3 "$sdca" train two.h5 -o m.h5 --path time --lambda 1e-8:1e-9:100 --rel-gap 1e-15 --time 0.3 \
    --solver sdca --summary s.json --history h.csv
expect_prints "The run ended before the other"
[ "$(summary planned_fits s.json)" = 100 ] || fail "$(cat s.json)"
[ "$(find time -name '*.h5' | wc -l)" = "$("$python" -c 'import json; print(len(json.load(open("s.json"))["path"]))')" ] ||
    fail "$(ls time)"
expect_exit 0 cmp m.h5 "$(find time -name '*.h5' | sort | tail -1)"
for ranks in 1 2; do
    launch=() && [ $ranks = 1 ] || launch=("$mpirun" -np "$ranks")
    "${launch[@]}" "$sdca" train two.h5 -o m.h5 --path signal-$ranks --lambda 1e-8:1e-9:1000 --rel-gap 1e-15 \
        --solver sdca --all-ranks >out 2>err &
    for _ in $(seq 100); do
        ! grep -q '^lambda' err || break
        sleep 0.1
    done
    kill -USR1 $!
    code=0 && wait $! || code=$?
    [ $code = 3 ] || fail "exit status $code after a signal: $(cat err)"
    expect_prints "The run ended before the other"
done

# Models of another path in the directory would be mixed with those of this one.
expect_refusal 73 "$sdca" train two.h5 -o m.h5 --path hinge-1 --lambda 1e-1,1e-2
expect_says "hinge-1" "of another path"
touch file
expect_refusal 73 "$sdca" train two.h5 -o m.h5 --path file --lambda 1e-1,1e-2
expect_refusal 73 "$sdca" train two.h5 -o m.h5 --path no/such/place --lambda 1e-1,1e-2
mkdir mine
expect_refusal 64 "$sdca" train two.h5 -o mine/1-lambda-0.1.h5 --path mine --lambda 1e-1,1e-2
cp two.h5 mine/1-lambda-0.1.h5
expect_refusal 64 "$sdca" train mine/1-lambda-0.1.h5 -o m.h5 --path mine --lambda 1e-1,1e-2
expect_says "would replace the input"
expect_refusal 64 "$sdca" train two.h5 -o m.h5 --path mine --lambda 1e-1,1e-2 --resume --from mine/1-lambda-0.1.h5
expect_says "would replace the input"
for output in -o "-o m.h5 --checkpoint" "-o m.h5 --folds 2 --selection"; do
    # shellcheck disable=SC2086 # words
    expect_refusal 64 "$sdca" train two.h5 $output new --path new --lambda 1e-1,1e-2
    expect_says "would be one file"
done
expect_exit 0 "$sdca" train two.h5 -o m.h5 --path new/ --lambda 1e-1,1e-2 --quiet

# A row that is too large for the smallest lambda is found before the first fit.
expect_refusal 65 "$sdca" train large.h5 -o m.h5 --path large --lambda 1e-1,1e-90
expect_says "too large for double precision"
[ ! -e large ] || fail "a refused path has a directory"
