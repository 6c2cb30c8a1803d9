#!/usr/bin/env bash
# Several lambda, and the choice of one: a run that is killed, stopped by a signal or out of time resumes after the last
# finished lambda, with the bits of an undisturbed run.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph two.h5 --scale 0.1 --quiet
"$sdca" generate astro-ph held.h5 --scale 0.1 --seed 5 --quiet
"$sdca" generate cov1 table.h5 --scale 0.006 --quiet
"$python" "$here/../faults/class_checkpoints.py" make cells.h5ad 800 5
choice=(--selection model.csv --history history.csv --summary summary.json)

# undisturbed RANKS ARGUMENT... - the run to compare with.
undisturbed() {
    rm -rf run.h5* whole* model* fits
    how=("${@:2}" -o model.h5 --deterministic)
    expect_exit 0 on "$1" "$sdca" train "${how[@]}"
    mv model.h5 whole.h5
    [ ! -e model.csv ] || mv model.csv whole.csv
    mv history.csv whole-history.csv
    [ ! -e fits ] || mv fits whole-fits
    how+=(--checkpoint run.h5)
}

# compare - the resumed run has the bits of the undisturbed one.
compare() {
    local file pairs=(whole.h5 model.h5 whole-history.csv history.csv)
    [ ! -e whole.csv ] || pairs+=(whole.csv model.csv)
    for file in whole-fits/*; do
        [ ! -e "$file" ] || pairs+=("$file" "fits/${file#*/}")
    done
    set -- "${pairs[@]}"
    while [ $# -gt 0 ]; do
        "$python" "$here/../faults/path_checkpoints.py" same "$1" "$2"
        shift 2
    done
    tally resume
}

# finished N - the run in the background has a checkpoint, and has begun the fit after N.
finished() {
    [ -e run.h5 ] && grep -q "($(($1 + 1)) of " background.err
}

# interrupt RANKS N COMMAND... - do this after N lambda; again if it came too late.
interrupt() {
    rm -f model.h5
    until [ -e run.h5 ] && [ ! -e model.h5 ]; do
        rm -rf run.h5* model.h5
        begin "$1" "${how[@]}"
        within 180 finished "$2" || fail "no checkpoint after 180 s: $(cat background.err)"
        "${@:3}"
        expect_over "${*:3}"
    done
    tally fault
}
kill_a_rank() {
    kill -9 "$(ranks | tail -n 1)" || true
}
stop_by_signal() {
    kill -USR1 "$launcher" || true
}

# resume RANKS ARGUMENT... - with little time at first, until the run is over.
resume() {
    local seconds=0.2
    code=75
    while [ "$code" -eq 75 ]; do
        run on "$1" "$sdca" train "${how[@]}" --resume --time "$seconds" "${@:2}"
        seconds=$("$python" -c "print(3 * $seconds)")
    done
    [ "$code" -eq 0 ] || fail "resumed: exit status $code, $(cat err)"
}

# A choice by folds, two ranks, killed; then the finished run, and one on another number of ranks.
folds=(--loss logistic --calibrate --lambda 1e-2:1e-5:6 --folds 3 --select one-se --solver sdca --rel-gap 1e-6 "${choice[@]}")
undisturbed 2 two.h5 "${folds[@]}"
interrupt 2 2 kill_a_rank
cp run.h5 early.h5
expect_exit 0 "$sdca" info run.h5
expect_prints "of 6 lambda are finished"
resume 2
compare
expect_exit 0 on 2 "$sdca" train "${how[@]}" --resume
compare
cp early.h5 run.h5
resume 1
expect_exit 0 "$sdca" info whole.h5
grep " lambda " out >expected
expect_exit 0 "$sdca" info model.h5
grep " lambda " out | cmp - expected || fail "another choice on one rank"

# A checkpoint of other data; and a start from the alpha of this one.
expect_exit 65 "$sdca" train held.h5 -o out.h5 "${folds[@]}" --resume --checkpoint run.h5
expect_says "'run.h5' is a checkpoint of other data"
expect_exit 0 "$sdca" train two.h5 -o out.h5 --loss logistic --lambda 1e-5 --warm-start run.h5

# A path by itself, stopped by a signal.
undisturbed 1 table.h5 --loss hinge --lambda 1e-1:1e-4:8 --path fits --intercept --standardize scale --solver sdca \
    --rel-gap 1e-5 "${choice[@]:2}"
interrupt 1 3 stop_by_signal
[ "$code" -eq 75 ] || fail "expected exit status 75, got $code: $(cat background.err)"
grep -q "of 8 lambda are finished" background.out || fail "$(cat background.out)"
resume 1
compare

# Stopped before the first lambda is finished there is no checkpoint, and nothing is lost.
rm -f run.h5* model.h5
expect_exit 75 "$sdca" train "${how[@]}" --time 0.001
expect_prints "There is no checkpoint yet"
expect_none run.h5 model.h5

# Out of time after any fit: each model that was written is in the checkpoint.
seconds=0.002
code=75
while [ "$code" -eq 75 ]; do
    rm -rf run.h5* fits
    run "$sdca" train "${how[@]}" --time "$seconds"
    seconds=$("$python" -c "print(1.2 * $seconds)")
    if [ "$code" -eq 75 ] && [ -e run.h5 ]; then
        expect_exit 0 "$sdca" info run.h5
        expect_prints "$(find fits -name '*.h5' | wc -l) of 8 lambda are finished"
        code=75
    fi
done
[ "$code" -eq 0 ] || fail "out of time: exit status $code, $(cat err)"

# Out of time, often: classes side by side, a validation set with its bound, and one fold at a time.
undisturbed 2 cells.h5ad --label cell_type --loss smooth-hinge --lambda 1e-1:1e-3:4 --folds 3 --solver sdca \
    --rel-gap 1e-5 "${choice[@]}"
resume 2
compare
undisturbed 1 two.h5 --lambda 1e-2:1e-4:6 --validation held.h5 --solver sdca --rel-gap 1e-6 "${choice[@]}"
resume 1
compare
undisturbed 1 table.h5 --loss logistic --lambda 1e-1:1e-4:5 --folds 4 --solver newton --intercept \
    --standardize full --path fits "${choice[@]}"
resume 1
compare
