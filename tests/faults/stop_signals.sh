#!/usr/bin/env bash
# Stop signals: exit status 75, a checkpoint and no model; the same command continues with
# --resume.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
long=(data.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --solver sdca --evaluate 10 --summary summary.json)
what=("${long[@]}" --checkpoint run.h5)

# expect_stopped OUT - check the files of a stopped run; OUT is its output.
expect_stopped() {
    expect_none model.h5 run.h5.lock
    [ "$(summary status)" = interrupted ] || fail "wrong summary: $(cat summary.json)"
    grep -q 'Stopped early' "$1" || fail "got $(cat "$1")"
    [ "$(checkpoint round run.h5)" -ge "$round" ] || fail "expected more than $round rounds"
    round=$(checkpoint round run.h5)
    tally resume
}

# The background run has no SIGINT (number 2) handler: the next SIGINT ends it.
has_no_handler() {
    local handled
    handled=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$launcher/status")
    [ $((0x$handled & 2)) -eq 0 ]
}

# The background run has printed a dozen lines since line $told.
has_told_more() {
    [ "$(wc -l <background.err)" -ge $((told + 12)) ]
}

# A non-interactive shell makes background jobs ignore SIGINT; an interactive one does not.
keyboard=(env --default-signal=INT)
round=0
through=("${keyboard[@]}")
for signal in USR1 USR2 TERM HUP INT; do # a single process
    begin 1 "${what[@]}" --resume
    expect_rounds
    kill -"$signal" "$launcher"
    expect_status 75 "$signal to a single process"
    expect_stopped background.out
done
# A second SIGINT does not wait for the end of a round of several seconds.
"$sdca" generate cov1 large.h5 --scale 0.2 --quiet
begin 1 large.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --solver sdca --evaluate 1 --local-steps 1000
within 20 evaluations 1 || fail "expected a started run, got $(cat background.out background.err)"
kill -INT "$launcher"
within 10 has_no_handler || fail "the SIGINT handler is still installed"
kill -INT "$launcher"
expect_status 130 "a second SIGINT"
expect_none model.h5
through=()
# Ignored signals stay ignored.
through=(env '--ignore-signal=INT,HUP')
begin 1 "${what[@]}" --resume
expect_rounds
kill -INT "$launcher"
kill -HUP "$launcher"
told=$(wc -l <background.err)
within 20 has_told_more || fail "ignored SIGINT and SIGHUP: expected more rounds, got $(cat background.out background.err)"
kill -TERM "$launcher"
expect_status 75 "SIGTERM after an ignored SIGINT"
expect_stopped background.out
through=()
for signal in USR1 USR2; do
    begin 3 "${what[@]}" --resume
    expect_rounds
    kill -"$signal" "$launcher"
    expect_status 75 "$signal to mpirun"
    expect_stopped background.out
done
# A stop signal to one rank stops all.
begin 3 "${what[@]}" --resume
expect_rounds
kill -TERM "$(ranks | tail -n 1)"
expect_status 75 "SIGTERM to one rank"
expect_stopped background.out
# mpirun passes SIGTERM on, kills within seconds, and has its own exit status.
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
[ "$(summary status)" = budget ] || fail "wrong summary: $(cat summary.json)"

# A signal without a checkpoint writes the current model, like an exhausted budget.
begin 3 "${long[@]}"
expect_rounds
kill -USR1 "$launcher"
expect_status 3 "SIGUSR1 without --checkpoint"
grep -q "Stopped on request" background.out || fail "expected a message about the signal, got: $(cat background.out)"
expect_exit 0 "$sdca" info model.h5
rm model.h5
through=("${keyboard[@]}")
begin 1 "${long[@]}"
expect_rounds
kill -INT "$launcher"
expect_status 3 "SIGINT without --checkpoint"
grep -q "Stopped on request" background.out || fail "expected a message about SIGINT, got: $(cat background.out)"
expect_exit 0 "$sdca" info model.h5
