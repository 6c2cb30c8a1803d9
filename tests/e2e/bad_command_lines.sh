#!/usr/bin/env bash
# A wrong command line gives exit status 64 and one line with the mistake and a suggestion,
# on any number of ranks. An output that cannot be created is reported before
# training.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.0005 --quiet

# refuse_on RANKS TEXTS... -- ARGUMENT... - rejected with a message that contains TEXTS.
refuse_on() {
    part "${@:2}"
    expect_refusal 64 on "$1" "$sdca" "${arguments[@]}"
    [ ! -s out ] || fail "expected nothing on standard output, got '$(cat out)'"
}
refuse() {
    refuse_on 1 "$@"
}

refuse_on 3 "--lamda" "did you mean --lambda" -- train data.h5 -o out.h5 --lamda 1e-3
refuse "--names" "--format text" -- export data.h5 out.h5 --names
refuse_on 2 "--lambda" "--C" -- train data.h5 -o out.h5
refuse "--bias" "1e6" -- train data.h5 -o out.h5 --lambda 1e-3 --bias 1e7
refuse_on 2 "trian" "did you mean train" -- trian data.h5
refuse "--lamda" "did you mean --lambda" -- train data.h5 -o out.h5 --lamda 1e-3
refuse "--lambda" "--C" -- train data.h5 -o out.h5
refuse "--lambda" "--C" -- train data.h5 -o out.h5 --lambda 1e-3 --C 1
refuse "--gap" "--rel-gap" -- train data.h5 -o out.h5 --lambda 1e-3 --gap 1 --rel-gap 1
refuse "-o MODEL.h5" -- train data.h5 --lambda 1e-3
refuse "--lambda expects" "1e-1:1e-6:20" "'nothing'" -- train data.h5 -o out.h5 --lambda nothing
for list in 0 -1 '1e-3,' ,1e-3 1e-3,nan 1e-3,0 1e-3:1e-5 1e-3:1e-5:x 1e-3:1e-5:4:2 1e-3:0:4 1e-3:inf:4; do
    refuse "--lambda expects" -- train data.h5 -o out.h5 --path out --lambda=$list
done
refuse "2 to 1000 values" -- train data.h5 -o out.h5 --path out --lambda 1e-3:1e-5:1
refuse "2 to 1000 values" -- train data.h5 -o out.h5 --path out --lambda 1e-3:1e-5:1001
refuse "2 to 1000 values" -- train data.h5 -o out.h5 --path out --lambda 1e-3:1e-3:4
refuse "at most 1000 values" -- train data.h5 -o out.h5 --path out --lambda "$(seq -s , 1001)"
refuse "twice" -- train data.h5 -o out.h5 --path out --lambda 1e-3,1e-4,0.001
refuse "between 1e-100 and 1e100" -- train data.h5 -o out.h5 --path out --lambda 1e-3,1e-101
refuse "--path DIR" -- train data.h5 -o out.h5 --lambda 1e-3,1e-4
refuse "--path requires several lambda" -- train data.h5 -o out.h5 --path out --lambda 1e-3
refuse "--path requires several lambda" -- train data.h5 -o out.h5 --path out --C 1
for option in "--checkpoint-every 1m" "--init sgd" "--average-from 1" --bound; do
    # shellcheck disable=SC2086
    refuse "${option% *} is for one lambda" -- train data.h5 -o out.h5 --path out --lambda 1e-3,1e-4 $option
done
refuse "--solver sag is for one lambda" -- train data.h5 -o out.h5 --path out --lambda 1e-3,1e-4 --solver sag
refuse "--output average is for one lambda" -- train data.h5 -o out.h5 --path out --lambda 1e-3,1e-4 \
    --output average --epochs 4
refuse "DATA.h5" -- train -o out.h5 --lambda 1e-3
refuse "data.h5" -- train data.h5 data.h5 -o out.h5 --lambda 1e-3
refuse "--lambda" "0" -- train data.h5 -o out.h5 --lambda 0
refuse "--lambda" "-1" -- train data.h5 -o out.h5 --lambda -1
refuse "--lambda" "nan" -- train data.h5 -o out.h5 --lambda=nan
refuse "--lambda" "1e-3x" -- train data.h5 -o out.h5 --lambda 1e-3x
refuse "--lambda" -- train data.h5 -o out.h5 --lambda
refuse "--lambda" "twice" -- train data.h5 -o out.h5 --lambda 1e-3 --lambda 1e-2
refuse "'lambda'" "did you mean --lambda" -- train data.h5 lambda -o out.h5
refuse "--epochs" "1.5" -- train data.h5 -o out.h5 --lambda 1e-3 --epochs 1.5
refuse "--epochs" "at least 1 and at most 9223372036854775807" "1e30" -- \
    train data.h5 -o out.h5 --lambda 1e-3 --epochs 1e30
refuse "--epochs" "0" -- train data.h5 -o out.h5 --lambda 1e-3 --epochs 0
refuse "--loss" "hinge" "logistic" -- train data.h5 -o out.h5 --lambda 1e-3 --loss hing
refuse "--order" "permutation" -- train data.h5 -o out.h5 --lambda 1e-3 --order shuffled
refuse "--gamma" "smooth-hinge" -- train data.h5 -o out.h5 --lambda 1e-3 --gamma 1
refuse "--delta" "huber" -- train data.h5 -o out.h5 --lambda 1e-3 --loss absolute --delta 1
refuse "--epsilon" "epsilon-insensitive" -- train data.h5 -o out.h5 --lambda 1e-3 --epsilon 1
refuse "--positive is for classification, not for --loss squared" -- train data.h5 -o out.h5 --lambda 1e-3 --loss squared --positive 1
refuse "--multiclass is for classification, not for --loss squared" -- train data.h5 -o out.h5 --lambda 1e-3 --loss squared --multiclass ovr
refuse "--logistic-step" "logistic" -- train data.h5 -o out.h5 --lambda 1e-3 --logistic-step exact
refuse "--average-from" "--output" -- train data.h5 -o out.h5 --lambda 1e-3 --average-from 1
refuse "--output average" "--epochs" -- train data.h5 -o out.h5 --lambda 1e-3 --output average
refuse "--output random" "--epochs" -- train data.h5 -o out.h5 --lambda 1e-3 --output random
refuse "--average-from 4" "--epochs 4" -- train data.h5 -o out.h5 --lambda 1e-3 --output average \
    --average-from 4 --epochs 4
refuse "--init sgd" -- train data.h5 -o out.h5 --lambda 1e-3 --init sgd --solver sgd --epochs 1
refuse_on 2 "sgd" "one rank" -- train data.h5 -o out.h5 --lambda 1e-3 --solver sgd --epochs 1
for words in "--keep 3" "--checkpoint-every 1m"; do
    # shellcheck disable=SC2086
    refuse "--checkpoint" -- train data.h5 -o out.h5 --lambda 1e-3 $words
done
refuse "500r" "'10'" -- train data.h5 -o out.h5 --lambda 1e-3 --checkpoint c.h5 --checkpoint-every 10
refuse "10s" "'60'" -- train data.h5 -o out.h5 --lambda 1e-3 --log-every 60
refuse "10s" "'5r'" -- train data.h5 -o out.h5 --lambda 1e-3 --log-every 5r
refuse "--keep" "100" -- train data.h5 -o out.h5 --lambda 1e-3 --checkpoint c.h5 --keep 101
refuse "--resume" "--checkpoint" -- train data.h5 -o out.h5 --lambda 1e-3 --resume
refuse "--from" "--resume" -- train data.h5 -o out.h5 --lambda 1e-3 --from c.h5
refuse "--warm-start" -- train data.h5 -o out.h5 --lambda 1e-3 --warm-start m.h5 --init sgd
refuse "--model" "--data" -- bound --model model.h5
refuse "--quiet" "--verbose" -- train data.h5 -o out.h5 --lambda 1e-3 --quiet --verbose
refuse "--output average" "newton" -- train data.h5 -o out.h5 --lambda 1e-3 --solver newton \
    --output average --epochs 4
refuse "--aggregate" "newton" -- train data.h5 -o out.h5 --lambda 1e-3 --solver newton \
    --aggregate add
refuse "--solver" "newton" -- train data.h5 -o out.h5 --lambda 1e-3 --solver newtn
refuse "one file" -- train data.h5 -o out.h5 --lambda 1e-3 --history out.h5
refuse "trian" "did you mean train" -- trian data.h5
refuse "subcommand" --
refuse "unknown subcommand" -- mnist data.h5
refuse "unknown option '--frobnicate'" -- info data.h5 --frobnicate
refuse "--quiet" "takes no value" -- predict data.h5 data.h5 --quiet=yes
refuse "cov2" "did you mean cov1" -- generate cov2 out.h5
refuse "--scale" -- generate cov1 out.h5 --scale 0
refuse "scale" "1e+06" -- generate cov1 out.h5 --scale 1e9
refuse "classes" "2 to 10000" -- generate topics out.h5 --classes 1
refuse "classes" "2 to 10000" -- generate digits out.h5 --classes 10001
refuse "cov1" "no choice of classes" -- generate cov1 out.h5 --classes 3
refuse "cov1" "no choice of columns" -- generate cov1 out.h5 --columns 3
refuse "columns" "1 to 2147483646" -- generate ctr out.h5 --columns 1e10
refuse "would be one file" -- generate cov1 out.h5 --test out.h5
for output in "train data.h5 -o - --lambda 1e-3" "train data.h5 -o out.h5 --lambda 1e-3 --checkpoint -" \
    "convert rows.txt -" "generate cov1 -" "generate cov1 out.h5 --scale 0.001 --test -"; do
    # shellcheck disable=SC2086 # words
    refuse "'-' is standard output" "HDF5" -- $output
done
expect_none ./-
refuse "--evaluate" "at most 1e9" -- train data.h5 -o out.h5 --lambda 1e-3 --evaluate 1e300
refuse "--gamma must be between" -- train data.h5 -o out.h5 --lambda 1e-3 --loss smooth-hinge --gamma 1e300
refuse "--format" "liblinear" -- export data.h5 out.txt --format xml
refuse "--columns" -- convert data.txt out.h5 --columns 99999999999

"$sdca" generate ccat wide.h5 --scale 0.0005 --quiet
refuse_on 2 "4000 columns" -- train wide.h5 -o out.h5 --lambda 1e-3 --solver newton

# The message is printed even if rank 0 is the last to parse its options.
# shellcheck disable=SC2016
expect_exit 64 on 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" != 0 ] || sleep 2; exec "$0" train --lamda 1' \
    "$sdca"
expect_says "did you mean --lambda"

# Outputs that would overwrite an input, under any name.
ln data.h5 linked.h5
refuse "data.h5" -- train data.h5 -o data.h5 --lambda 1e-2
refuse "data.h5" -- train ./data.h5 -o "$PWD/data.h5" --lambda 1e-2
refuse "linked.h5" -- train data.h5 --test ./linked.h5 -o linked.h5 --lambda 1e-2
printf '+1 1:1\n-1 1:2\n' >rows.txt
refuse "rows.txt" -- convert rows.txt ./rows.txt
expect_exit 0 "$sdca" info data.h5
expect_prints "data set"

# Outputs that cannot be created.
expect_exit 73 on 2 "$sdca" train data.h5 -o none/model.h5 --lambda 1e-3
expect_says "none/model.h5" "No such file"
expect_exit 73 "$sdca" train data.h5 -o model.h5 --lambda 1e-3 --history none/h.csv
expect_says "none/h.csv"
expect_exit 73 "$sdca" train data.h5 -o . --lambda 1e-3
expect_says "'.'"
expect_none model.h5
expect_exit 73 "$sdca" generate cov1 none/data.h5 --scale 0.001
expect_says "none/data.h5"
expect_exit 73 "$sdca" generate cov1 out.h5 --scale 0.001 --test none/test.h5
expect_says "none/test.h5"
expect_none out.h5
"$sdca" train data.h5 -o model.h5 --lambda 1e-3 --quiet
expect_exit 73 "$sdca" export model.h5 none/model
expect_says "none/model"
expect_exit 73 "$sdca" predict model.h5 data.h5 -o none/out.csv
expect_says "none/out.csv"
expect_exit 73 on 2 "$sdca" predict model.h5 data.h5 -o none/out.h5
expect_says "none/out.h5"
expect_exit 73 "$sdca" train data.h5 -o none/ --lambda 1e-3
expect_says "none/"
expect_exit 73 "$sdca" convert rows.txt folder/none/out.h5
expect_says "folder/none/out.h5"

# Models that LIBLINEAR's format cannot represent.
printf '0.5 1:1\n1.5 2:1\n' >halves.txt
"$sdca" convert halves.txt halves.h5 --task regression --quiet
"$sdca" train halves.h5 -o halves-model.h5 --lambda 1 --quiet
"$sdca" train halves.h5 -o normalized-model.h5 --lambda 1 --loss squared --normalize rows --quiet
refuse "whole numbers" "0.5" -- export halves-model.h5 out.txt
refuse "normalise" -- export normalized-model.h5 out.txt
expect_none out.txt

# Help and version go to standard output, once.
for command in "" convert generate train predict info "export"; do
    # shellcheck disable=SC2086
    expect_exit 0 on 2 "$sdca" $command --help
    [ "$(grep -ci 'usage: sdca' out)" -eq 1 ] || fail "expected one help text for '$command': $(cat out)"
    [ ! -s err ] || fail "expected nothing on stderr, got '$(cat err)'"
done
expect_exit 0 "$sdca" --version
expect_prints "sdca "

# Two outputs with the same file, by another name, or as a file of the checkpoint.
printf '1 1:1\n-1 2:1\n' >two.txt
"$sdca" convert two.txt two.h5 --quiet
for other in both.h5 ./both.h5 "$PWD/both.h5"; do
    expect_exit 64 "$sdca" train two.h5 -o both.h5 --lambda 1 --history "$other"
    expect_says 'one file'
done
for beside in .lock .old .1 .20 .99; do
    expect_exit 64 "$sdca" train two.h5 -o "run.h5$beside" --lambda 1 --checkpoint run.h5
    expect_says 'one file'
done

# Invalid file names are reported before training; a symbolic link is followed.
for output in "-o" "-o out.h5 --history" "-o out.h5 --summary" "-o out.h5 --checkpoint"; do
    # shellcheck disable=SC2086 # words
    expect_exit 64 "$sdca" train two.h5 --lambda 1 $output ""
    expect_says "empty"
done
long=$(printf 'a%.0s' {1..255})
expect_exit 0 "$sdca" train two.h5 --lambda 1 -o "$long" --quiet
rm "$long"
long=a$long
expect_exit 73 "$sdca" train two.h5 --lambda 1 -o "$long"
expect_says "too long"
mkdir folder
ln -s nowhere.h5 lost.h5
expect_exit 73 "$sdca" train two.h5 --lambda 1 -o lost.h5
expect_says "a dangling symbolic link"
echo old >folder/real.csv
ln -s folder/real.csv link.csv
expect_exit 0 "$sdca" train two.h5 --lambda 1 -o out.h5 --history link.csv --quiet
[ -L link.csv ] || fail "the link is gone"
grep -q '^round,' folder/real.csv || fail "the link was not followed"
expect_exit 64 "$sdca" train two.h5 --lambda 1 -o out.h5 --history link.csv --summary folder/real.csv
expect_says 'one file'
expect_exit 64 "$sdca" train data.h5 --lambda 1e-4 --loss squared-hinge --solver sgd --epochs 3 -o sgd.h5
expect_says "diverges"

# Numbers that would overflow, or give an endless run.
for option in '--epochs 1e18' '--local-steps 1e9' '--lambda 1e-320' '--solver sgd' \
    '--time 1 --deterministic'; do
    read -ra words <<<"$option"
    case $option in
    --lambda*) ;;
    *) words+=(--lambda 1) ;;
    esac
    expect_exit 64 "$sdca" train two.h5 -o never.h5 "${words[@]}"
done
# Without the line search, a step size may diverge; this is reported.
"$sdca" generate cov1 wild.h5 --scale 0.01 --quiet
expect_exit 64 on 3 "$sdca" train wild.h5 -o never.h5 --lambda 1e-4 --loss squared-hinge --aggregate add --sigma 1
expect_says 'diverges'
