#!/usr/bin/env bash
# --standardize and --intercept: every loss, SDCA and Newton's method, sparse and dense
# rows with weights, 1 to 4 ranks, beside scikit-learn, libsvm and explicit columns.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/columns.py" write
classification=(hinge smooth-hinge squared-hinge logistic)
regression=(squared absolute epsilon-insensitive huber)

# learn RANKS NAME KIND STANDARDIZE INTERCEPT LOSS OPTIONS... - train, and list the run in ./runs.txt.
learn() {
    local labels=class flag=()
    [[ " ${regression[*]} " != *" $6 "* ]] || labels=number
    [ "$5" != intercept ] || flag=(--intercept)
    expect_exit 0 on "$1" "$sdca" train "$3-$labels.h5" -o "$2.model" --summary "$2.json" --lambda 0.02 \
        --standardize "$4" "${flag[@]}" --loss "$6" --rel-gap 1e-7 --quiet "${@:7}"
    echo "$2 $3 $4 $5 $6" >>runs.txt
}

for loss in "${classification[@]}" "${regression[@]}"; do
    for solver in sdca newton; do
        learn 1 "table-full-$loss-$solver" table full intercept "$loss" --solver "$solver"
        learn 1 "sparse-scale-$loss-$solver" sparse scale intercept "$loss" --solver "$solver"
        learn 1 "table-alone-$loss-$solver" table full alone "$loss" --solver "$solver"
        learn 1 "sparse-alone-$loss-$solver" sparse scale alone "$loss" --solver "$solver"
    done
    learn 1 "sparse-full-$loss" sparse full intercept "$loss"
    learn 1 "sparse-none-$loss" sparse none intercept "$loss" --solver sdca
    labels=class
    [[ " ${regression[*]} " != *" $loss "* ]] || labels=number
    for kind in table-full sparse-scale; do # explicit columns, without an intercept
        expect_exit 0 "$sdca" train "${kind%-*}-$labels-explicit-${kind#*-}.h5" -o out.model \
            --summary "explicit-$kind-$loss.json" --lambda 0.02 --loss "$loss" --rel-gap 1e-9 --quiet
    done
done
for ranks in 2 3 4; do
    learn "$ranks" "ranks-$ranks-hinge" table full intercept hinge --solver sdca
    learn "$ranks" "ranks-$ranks-logistic" sparse scale intercept logistic --solver sdca
    learn "$ranks" "ranks-$ranks-absolute" sparse full intercept absolute --solver newton
    learn "$ranks" "ranks-$ranks-squared" table full alone squared --solver sdca
done
"$python" "$here/columns.py" runs <runs.txt

# Newton's steps of an intercept do not depend on lambda, which is no penalty of it: labels far from 0 take no more
# rounds, and need only the intercept.
for loss in "${regression[@]}"; do
    for lambda in 1 1e6; do
        expect_exit 0 "$sdca" train far.h5 -o out.model --lambda $lambda --loss "$loss" --intercept --solver newton --rel-gap 1e-6 \
            --rounds 60 --quiet
    done
done

# Columns without variance are not scaled, and train says so.
expect_exit 0 "$sdca" train table-class.h5 -o out.model --lambda 0.02 --standardize full --intercept --test table-class.h5
grep -q '1 column has no variance' err || fail "expected the column without variance in: $(cat err)"

# The model needs to know of nothing: predict, info and exports.
name=table-full-logistic-newton
expect_exit 0 on 2 "$sdca" predict $name.model table-class.h5 -o scores.csv
expect_exit 0 "$sdca" info $name.model
expect_prints "intercept"
expect_prints "full"
for format in liblinear text json; do
    suffix=$format
    [ $format != text ] || suffix=txt
    expect_exit 0 "$sdca" export $name.model export.$suffix --format $format
done
liblinear-predict -q new.txt export.liblinear liblinear.out >/dev/null 2>&1 ||
    liblinear-predict new.txt export.liblinear liblinear.out >/dev/null
"$python" "$here/columns.py" bias $name

# Several classes side by side, and one at a time with Newton's method.
for run in "1 table full sdca" "3 sparse scale sdca" "1 table full newton"; do
    read -r ranks kind standardize solver <<<"$run"
    expect_exit 0 on "$ranks" "$sdca" train "$kind-three.h5" -o three.model --summary three.json --lambda 0.02 \
        --loss logistic --standardize "$standardize" --intercept --solver "$solver" --rel-gap 1e-7 \
        --test "$kind-three.h5" --quiet
    "$python" "$here/columns.py" classes three "$kind" "$standardize"
done

# A run that was saved and resumed has the bits of one that was not.
for options in "1 table --intercept --standardize full" "3 sparse --intercept --standardize scale" \
    "1 table --standardize full" "2 table --intercept --solver newton --standardize full"; do
    read -r ranks kind options <<<"$options"
    rm -f run.h5*
    # shellcheck disable=SC2086
    set -- "$sdca" train $kind-class.h5 --lambda 0.001 --loss logistic --rel-gap 1e-9 $options --deterministic --quiet
    expect_exit 0 on "$ranks" "$@" -o whole.model
    expect_exit 3 on "$ranks" "$@" -o part.model --rounds 2 --checkpoint run.h5
    expect_exit 0 on "$ranks" "$@" -o part.model --checkpoint run.h5 --resume
    "$python" "$here/columns.py" same whole.model part.model
done

# A checkpoint is a model in the same units; other settings are refused.
words=("is a checkpoint of a run with --standardize full")
expect_refusal 64 "$sdca" train table-class.h5 --lambda 0.001 --loss logistic --intercept -o out.h5 --checkpoint run.h5 --resume
words=("is a checkpoint of a run with --intercept")
expect_refusal 64 "$sdca" train table-class.h5 --lambda 0.001 --loss logistic --standardize full -o out.h5 --checkpoint run.h5 --resume
expect_exit 0 "$sdca" predict run.h5 table-class.h5 -o saved.csv
expect_exit 0 "$sdca" predict whole.model table-class.h5 -o whole.csv
cmp <(cut -d, -f1 saved.csv) <(cut -d, -f1 whole.csv) || fail "a checkpoint predicts other labels than its model"

# A warm start from the solution is the solution.
for start in whole.model run.h5; do
    expect_exit 0 "$sdca" train table-class.h5 -o warm.model --summary warm.json --lambda 0.001 --loss logistic --solver sdca \
        --standardize full --intercept --warm-start $start --rel-gap 1e-4 --quiet
    "$python" -c 'import sys; sys.exit(float(sys.argv[1]) > 20)' "$(summary epochs warm.json)" ||
        fail "a warm start from $start took $(summary epochs warm.json) epochs"
done

# A path of several lambda.
expect_exit 0 "$sdca" train table-class.h5 -o out.model --summary path.json --path path --lambda 1:0.02:4 --loss hinge \
    --standardize full --intercept --solver sdca --rel-gap 1e-7 --quiet
ends=(path/*.h5)
"$python" - "${ends[-1]}" <<'END'
import sys, h5py
from oracle import near, read_summary
with h5py.File(sys.argv[1], "r") as file:
    near(file["certificate"].attrs["primal"], read_summary("table-full-hinge-sdca.json")["primal"], 1e-6, "P at the end of a path")
END

# Advice names the options that help, and nothing is said once they are there.
# advice OPTIONS DATA ARGUMENTS... - the only warnings are to try OPTIONS.
advice() {
    expect_exit 0 "$sdca" train "${@:2}" -o out.model
    if [ -n "$1" ]; then
        grep -q "Warning: .*: try $1\$" err || fail "expected the advice $1 in: $(cat err)"
        ! grep Warning err | grep -qv ": try $1\$" || fail "more than the advice $1 in: $(cat err)"
    else
        ! grep -q Warning err || fail "unexpected advice: $(cat err)"
    fi
}
# says TEXT - the last advice has these words.
says() {
    grep -qF -- "$1" err || fail "expected '$1' in: $(cat err)"
}
advice "--standardize full --intercept" table-class.h5 --lambda 0.02 --loss logistic
advice "--standardize full --intercept" table-number.h5 --lambda 0.02 --loss squared
says "the sizes of the columns differ by a factor of"
advice "--standardize full" sizes.h5 --lambda 0.02 --loss logistic --intercept
advice "--standardize scale" sizes.h5 --lambda 0.02 --loss logistic --bias 1
awk 'BEGIN {
    print "age,income,town,y"
    for (i = 0; i < 90; i++) { print 20 + 7 * i % 50 "," 9000 + 997 * i % 40000 ",t" i % 30 "," i * i % 3 % 2 }
}' >short.csv
"$sdca" convert short.csv short.h5 --quiet # a third of the rows that make few columns a table
for loss in hinge logistic; do
    advice "--standardize full --intercept" short.h5 --lambda 0.02 --loss $loss --rel-gap 0.99
    says "the sizes of the columns differ by a factor of"
done
advice "--normalize rows" words.h5 --lambda 0.02
says "the rows have norms up to"
advice "--intercept" table-number.h5 --lambda 0.02 --loss squared --standardize full
says "the labels have the mean"
advice "--class-weight balanced" rare.h5 --lambda 0.02 --loss logistic --intercept
says "one class has only 0.5 % of the rows"
advice "--class-weight balanced" few.h5 --lambda 0.1 --loss logistic --intercept
says "of the rarer class"
advice "--class-weight balanced" few.h5 --lambda 10 --loss logistic --intercept
says "no better than the majority vote"
advice "a smaller --lambda, such as 1e+02" table-class.h5 --lambda 1000 --standardize full --intercept
says "no better than the majority vote"
advice "a smaller --lambda, such as 1e+05" table-number.h5 --lambda 1e6 --loss squared --standardize full --intercept
says "no better than the mean"
advice "a smaller --lambda, such as 0.00[0-9]*" table-number.h5 --lambda 1000 --loss absolute --standardize full --intercept
says "no better than the mean"
awk 'BEGIN {
    print "u,v,y,rare"
    for (i = 0; i < 300; i++) {
        s = i % 7 - 3 + i % 5 * 2
        print i % 7 "," i % 5 "," (s < 1 ? "low" : s < 4 ? "middle" : "high") "," (s > 9 ? "a" : s < -2 ? "b" : "c")
    }
}' >three.csv
"$sdca" convert three.csv three.h5 --label y --drop rare --quiet
"$sdca" convert three.csv three-rare.h5 --label rare --drop y --quiet
for loss in hinge logistic; do
    advice "a smaller --lambda, such as 1e+02" three.h5 --lambda 1000 --loss $loss --standardize full --intercept
    says "no better than the majority vote"
    grep majority err >alone.txt
    expect_exit 0 on 3 "$sdca" train three.h5 -o out.model --lambda 1000 --loss $loss --standardize full --intercept --all-ranks
    grep majority err | cmp - alone.txt || fail "another advice on three ranks: $(cat err)"
    advice "--class-weight balanced" three-rare.h5 --lambda 1 --loss $loss --standardize full --intercept
    says "no better than the majority vote"
    advice "" three.h5 --lambda 0.001 --loss $loss --standardize full --intercept
    advice "" three-rare.h5 --lambda 1 --loss $loss --standardize full --intercept --class-weight balanced
done
awk 'BEGIN {
    srand(1)
    for (i = 0; i < 80; i++) {
        line = i % 10 < 3 ? "+1" : "-1"
        for (j = 1; j <= 60; j++) { line = line " " j ":" rand() - 0.5 }
        print line >(i < 40 ? "noise.txt" : "noise-test.txt")
    }
}'
"$sdca" convert noise.txt noise.h5 --quiet
"$sdca" convert noise-test.txt noise-test.h5 --quiet
choose=(noise.h5 --lambda "1000,0.001" --validation noise-test.h5 --loss logistic --intercept)
advice "a smaller --lambda, such as 1e+02" "${choose[@]}" # about the chosen model, which is not the last
says "no better than the majority vote"
grep majority err >alone.txt
expect_exit 0 on 3 "$sdca" train "${choose[@]}" -o out.model --all-ranks
grep majority err | cmp - alone.txt || fail "another advice on a chosen model on three ranks: $(cat err)"
advice "" rare.h5 --lambda 0.02 --loss logistic --class-weight balanced
advice "" few.h5 --lambda 0.02 --loss logistic --intercept --class-weight balanced
advice "" words.h5 --lambda 0.02 --normalize rows
advice "" categories.h5 --lambda 0.01
advice "" categories.h5 --lambda 0.01 --loss logistic --intercept
advice "" sparse-class.h5 --lambda 0.02 --loss logistic --standardize scale --intercept
advice "" table-class.h5 --lambda 0.02 --loss logistic --standardize full --intercept
advice "" table-number.h5 --lambda 0.02 --loss squared --standardize full --intercept
"$sdca" generate astro-ph text.h5 --scale 0.02 --quiet
advice "" text.h5 --lambda 1e-3
advice "" text.h5 --lambda 1e-2 --loss logistic

# What is refused.
words=("--intercept excludes --bias")
expect_refusal 64 "$sdca" train table-class.h5 -o out.h5 --lambda 1 --intercept --bias 1
words=("--intercept excludes --output average")
expect_refusal 64 "$sdca" train table-class.h5 -o out.h5 --lambda 1 --intercept --output average --epochs 3
words=("--intercept is for SDCA and Newton's method, not for --solver sag")
expect_refusal 64 "$sdca" train table-class.h5 -o out.h5 --lambda 1 --intercept --solver sag --loss logistic
words=("rows of 'sparse-class.h5' are sparse: --standardize full needs --intercept")
for ranks in 1 3; do
    expect_refusal 64 on $ranks "$sdca" train sparse-class.h5 -o out.h5 --lambda 1 --standardize full
done
words=("variance is not finite")
expect_refusal 65 "$sdca" train huge.h5 -o out.h5 --lambda 1 --standardize scale
