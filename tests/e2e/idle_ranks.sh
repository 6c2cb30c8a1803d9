#!/usr/bin/env bash
# On small data, only one or some of the ranks train, and the result has the same bits as
# a run with that number of ranks. The other ranks sleep until these finish.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph text.h5 --scale 0.05 --test test.h5 --quiet
"$sdca" generate cov1 map.h5 --scale 0.05 --quiet

# expect_working N OF ARGUMENT... - N of OF ranks train.
expect_working() {
    expect_exit 0 "$mpirun" -np "$2" "$sdca" train "${@:3}" -o model.h5 --summary summary.json
    [ "$(summary ranks)" -eq "$2" ] || fail "${*:3}: expected $2 ranks, got $(cat summary.json)"
    [ "$(summary working_ranks)" -eq "$1" ] || fail "${*:3}: expected $1 at work, got $(cat summary.json)"
}

# expect_same_w - w in model.h5 equals w of the single-rank run in alone.h5.
expect_same_w() {
    "$python" - <<'END'
import oracle
one, other = oracle.read_w("alone.h5"), oracle.read_w("model.h5")
oracle.check(one.tobytes() == other.tobytes(), "w is not what one rank finds by itself")
END
}

problem=(text.h5 --lambda 1e-5 --test test.h5)
expect_exit 0 "$sdca" train "${problem[@]}" -o alone.h5
expect_working 1 3 "${problem[@]}"
grep -q '^  ranks     1 of 3, ' err || fail "no message that one of 3 ranks works: $(cat err)"
expect_same_w

# Options for the exchange between ranks, or enough work, make all ranks train.
expect_working 3 3 "${problem[@]}" --all-ranks
expect_working 2 2 "${problem[@]}" --local-steps 0.3
expect_working 2 2 "${problem[@]}" --sigma 2
expect_working 2 2 "${problem[@]}" --aggregate line-search
expect_working 2 2 "${problem[@]}" --rounds 100000
expect_working 1 2 "${problem[@]}" --aggregate auto --local-steps auto --sigma auto
expect_working 2 2 map.h5 --lambda 1e-3 --solver sdca
expect_working 2 2 map.h5 --lambda 1e-3 --solver newton

# Of many ranks, some train, with the same bits as a run with that number of ranks.
"$sdca" generate ccat more.h5 --scale 0.005 --quiet
some=(more.h5 --lambda 2.5e-3 --solver sdca)
"$mpirun" -np 16 "$sdca" train "${some[@]}" -o model.h5 --summary summary.json >out 2>err || fail "$(cat err)"
few=$(summary working_ranks)
[[ $few -gt 1 && $few -lt 16 ]] || fail "expected some of 16 ranks at work, got $(cat summary.json)"
grep -q "^  ranks     $few of 16, .*, line-search" err || fail "no message that $few of 16 ranks work: $(cat err)"
expect_exit 0 "$mpirun" -np "$few" "$sdca" train "${some[@]}" -o alone.h5 --all-ranks
expect_same_w

# Failures and budgets of the training rank apply to all ranks.
expect_exit 66 "$mpirun" -np 2 "$sdca" train text.h5 -o out.h5 --lambda 1e-5 --test none.h5
expect_says "none.h5"
expect_exit 3 "$mpirun" -np 2 "$sdca" train text.h5 -o out.h5 --lambda 1e-5 --epochs 1 --rel-gap 1e-9 \
    --summary summary.json
[ "$(summary working_ranks)" -eq 1 ] || fail "expected one rank at work, got $(cat summary.json)"

# A signal to any rank stops the run, which resumes with the same bits.
working=()
long=(text.h5 --lambda 1e-9 --loss absolute --gap 1e-300 --evaluate 10)
expect_exit 3 "$sdca" train "${long[@]}" -o alone.h5 --epochs 25000
for which in 1 2; do
    begin 2 "${long[@]}" -o model.h5 --epochs 25000 --checkpoint run.h5 --resume
    expect_rounds
    kill -TERM "$(ranks | sed -n "${which}p")"
    expect_status 75 "SIGTERM to rank $which of 2, of which one waits"
    grep -q 'Stopped early' background.out || fail "got $(cat background.out)"
    expect_none run.h5.lock
    [ "$(checkpoint round run.h5)" -gt 0 ] || fail "no round in the checkpoint"
    [ "$which" -eq 1 ] || [ "$(checkpoint round run.h5)" -gt "$round" ] || fail "the run restarted"
    round=$(checkpoint round run.h5)
done
expect_exit 3 "$mpirun" -np 2 "$sdca" train "${long[@]}" -o model.h5 --epochs 25000 --checkpoint run.h5 --resume
expect_same_w

# seconds PID - CPU time in hundredths of a second.
seconds() {
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# A waiting rank sleeps. If it dies, mpirun terminates the run.
begin 2 "${long[@]}" -o never.h5 --epochs 1e9 --checkpoint other.h5
expect_rounds
worker=$(ranks | head -n 1) waiter=$(ranks | tail -n 1)
begun=$(seconds "$waiter")
has_worked() { [ "$(seconds "$worker")" -gt 300 ]; }
within 60 has_worked || fail "the run ended too early"
[ $(($(seconds "$waiter") - begun)) -lt 100 ] || fail "the waiting rank used $(seconds "$waiter") hundredths of a second"
kill -9 "$waiter"
expect_over "a rank that waits killed"
expect_none never.h5
