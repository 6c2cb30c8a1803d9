#!/usr/bin/env bash
# Cells of 8 and of 11 types, which are trained side by side: a run that is killed, stopped by a signal or out of time
# resumes with the bits of an undisturbed one, and on other ranks reaches the same optimum.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

# judge COMMAND ARGUMENT... - see class_checkpoints.py.
judge() {
    "$python" "$here/../faults/class_checkpoints.py" "$@"
}
judge make cells.h5ad 1500 8
judge make eleven.h5ad 1500 11
how=(--label cell_type --loss smooth-hinge --lambda 1e-3 --solver sdca --rel-gap 1e-6 --local-steps 0.1 --deterministic)
for data in cells eleven; do
    expect_exit 0 on 2 "$sdca" train $data.h5ad "${how[@]}" -o $data.h5
    expect_exit 0 "$sdca" predict $data.h5 $data.h5ad --label cell_type -o $data.csv
done

# has_reached CLASS - this class has been evaluated, and there is a checkpoint.
has_reached() {
    [ -e run.h5 ] && grep -q " type $1\$" background.err
}

# interrupt DATA CLASS EVERY COMMAND... - start on two ranks, and do this when the class is reached; again if it came
# too late.
interrupt() {
    rm -f model.h5 run.h5*
    until [ -e run.h5 ] && [ ! -e model.h5 ]; do
        rm -f model.h5 run.h5*
        begin 2 "$1.h5ad" "${how[@]}" -o model.h5 --checkpoint run.h5 --checkpoint-every "$3"
        within 180 has_reached "$2" || fail "no checkpoint after 180 s: $(cat background.err)"
        "${@:4}"
        expect_over "${*:4}"
    done
    tally fault
}

# resume RANKS DATA - and compare with the undisturbed run.
resume() {
    expect_exit 0 on "$1" "$sdca" train "$2.h5ad" "${how[@]}" -o model.h5 --checkpoint run.h5 --resume
    expect_exit 0 "$sdca" predict model.h5 "$2.h5ad" --label cell_type -o predicted.csv
    judge optimum "$2.h5" model.h5 "$2.csv" predicted.csv
    [ "$1" -ne 2 ] || judge same "$2.h5" model.h5
    tally resume
}
kill_a_rank() {
    kill -9 "$(ranks | tail -n 1)" || true
}
stop_by_signal() {
    kill -USR1 "$launcher" || true
}

interrupt cells 7 1r kill_a_rank
expect_exit 0 "$sdca" info run.h5
expect_prints "run.h5: checkpoint"
expect_prints "labels       8 classes, each against the rest"
[ "$(grep -c '^  class  ' out)" -eq 8 ] || fail "info: $(cat out)"
cp run.h5 early.h5
resume 2 cells
# A finished run has nothing left to do.
mv model.h5 finished.h5
resume 2 cells
mv early.h5 run.h5
rm model.h5
resume 3 cells

interrupt cells 7 1r stop_by_signal
[ "$code" -eq 75 ] || fail "expected exit status 75, got $code: $(cat background.err)"
resume 2 cells
rm -f model.h5 run.h5*
expect_exit 75 on 2 "$sdca" train cells.h5ad "${how[@]}" -o model.h5 --checkpoint run.h5 --time 0.001
expect_none model.h5
resume 2 cells

# In the second batch.
interrupt eleven 10 5r kill_a_rank
cp run.h5 other.h5
resume 2 eleven
mv other.h5 run.h5
rm model.h5
resume 1 eleven

# With an intercept: the bounds on those of the first batch, which is finished, are in the checkpoint of the second.
how+=(--intercept)
rm -f run.h5* eleven.h5
expect_exit 0 on 2 "$sdca" train eleven.h5ad "${how[@]}" -o eleven.h5
expect_exit 0 "$sdca" predict eleven.h5 eleven.h5ad --label cell_type -o eleven.csv
interrupt eleven 10 5r stop_by_signal
resume 2 eleven
# The last checkpoint has models that are evaluated but not yet finished: resuming evaluates nothing again.
mv model.h5 finished.h5
resume 2 eleven
unset "how[-1]"

# Checkpoints of other classes, or of two.
rm -f out.h5
expect_exit 65 "$sdca" train cells.h5ad "${how[@]}" -o out.h5 --checkpoint run.h5 --resume
expect_says "'run.h5' is a checkpoint of other data"
rm -f run.h5*
expect_exit 0 "$sdca" train cells.h5ad "${how[@]}" -o two.h5 --positive "type 3" --checkpoint run.h5 --quiet
run "$sdca" train cells.h5ad "${how[@]}" -o out.h5 --checkpoint run.h5 --resume
[ "$code" -eq 64 ] || [ "$code" -eq 65 ] || fail "a checkpoint of two classes: exit status $code, $(cat err)"
expect_says "run.h5"
expect_none out.h5
