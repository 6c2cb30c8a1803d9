#!/usr/bin/env bash
# Runs that are told to stop: exit status 75 and a checkpoint, no model, and the same
# command goes on with --resume.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
long=(data.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --solver sdca --evaluate 10 --summary summary.json)
what=("${long[@]}" --checkpoint run.h5)

# expect_stopped OUT - what is left of a run that was told to; OUT has its words.
expect_stopped() {
    expect_none model.h5 run.h5.lock
    [ "$(summary status)" = interrupted ] || fail "the summary says $(cat summary.json)"
    grep -q 'Stopped early' "$1" || fail "it says $(cat "$1")"
    [ "$(checkpoint round run.h5)" -ge "$round" ] || fail "expected more than $round rounds"
    round=$(checkpoint round run.h5)
    tally resume
}

# The next SIGINT ends the run in the background: it, number 2, has no handler any more.
has_no_handler() {
    local handled
    handled=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$launcher/status")
    [ $((0x$handled & 2)) -eq 0 ]
}

# The run in the background has told of a dozen evaluations since $told lines.
has_told_more() {
    [ "$(wc -l <victim.err)" -ge $((told + 12)) ]
}

# A shell like this one has what it does in the background ignore SIGINT; a keyboard's does not.
keyboard=(env --default-signal=INT)
round=0
through=("${keyboard[@]}")
for signal in USR1 USR2 TERM HUP INT; do # a single process
    begin 1 "${what[@]}" --resume
    expect_rounds
    kill -"$signal" "$launcher"
    expect_status 75 "$signal to a single process"
    expect_stopped victim.out
done
# A second SIGINT does not wait for the end of the round, which takes seconds.
"$sdca" generate cov1 large.h5 --scale 0.2 --quiet
begin 1 large.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --solver sdca --evaluate 1 --local-steps 1000
within 20 evaluations 1 || fail "expected a run under way, came $(cat victim.out victim.err)"
kill -INT "$launcher"
within 10 has_no_handler || fail "expected that the next SIGINT ends the run"
kill -INT "$launcher"
expect_status 130 "a second SIGINT"
expect_none model.h5
through=()
# Where they are ignored they stay so.
through=(env '--ignore-signal=INT,HUP')
begin 1 "${what[@]}" --resume
expect_rounds
kill -INT "$launcher"
kill -HUP "$launcher"
told=$(wc -l <victim.err)
within 20 has_told_more || fail "ignored SIGINT and SIGHUP: expected more rounds, came $(cat victim.out victim.err)"
kill -TERM "$launcher"
expect_status 75 "SIGTERM after an ignored SIGINT"
expect_stopped victim.out
through=()
for signal in USR1 USR2; do
    begin 3 "${what[@]}" --resume
    expect_rounds
    kill -"$signal" "$launcher"
    expect_status 75 "$signal to mpirun"
    expect_stopped victim.out
done
# One rank that is told to stop stops all.
begin 3 "${what[@]}" --resume
expect_rounds
kill -TERM "$(ranks | tail -n 1)"
expect_status 75 "SIGTERM to one rank"
expect_stopped victim.out
# mpirun passes SIGTERM on and then kills within seconds, and its exit status is its own.
begin 3 "${what[@]}" --resume
expect_rounds
kill -TERM "$launcher"
expect_over "SIGTERM to mpirun"
[ "$code" -ne 0 ] || fail "SIGTERM to mpirun: exit status 0"
expect_none model.h5
[ "$(checkpoint round run.h5)" -ge "$round" ] || fail "expected more than $round rounds"
round=$(checkpoint round run.h5)

for ranks in 1 3; do
    expect_exit 75 on "$ranks" "$sdca" train "${what[@]}" --resume --time 0.5
    expect_stopped out
done
expect_exit 3 on 2 "$sdca" train "${long[@]}" --time 0.5
[ "$(summary status)" = budget ] || fail "the summary says $(cat summary.json)"

# A signal without a checkpoint: the model so far, as if a budget had run out.
begin 3 "${long[@]}"
expect_rounds
kill -USR1 "$launcher"
expect_status 3 "SIGUSR1 without --checkpoint"
grep -q "Stopped on request" victim.out || fail "expected to be told of the signal, came: $(cat victim.out)"
expect_exit 0 "$sdca" info model.h5
rm model.h5
through=("${keyboard[@]}")
begin 1 "${long[@]}"
expect_rounds
kill -INT "$launcher"
expect_status 3 "SIGINT without --checkpoint"
grep -q "Stopped on request" victim.out || fail "expected to be told of SIGINT, came: $(cat victim.out)"
expect_exit 0 "$sdca" info model.h5
