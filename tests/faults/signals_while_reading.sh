#!/usr/bin/env bash
# A signal ends a run that is still reading, even if a read blocks forever, and leaves
# no files. With --checkpoint the status is 75, since resuming the same command loses nothing.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
sdca_injected=${SDCA_INJECTED:?is the program that gets stuck: run it by ctest}
plain=$sdca
sdca=$sdca_injected
. "$here/../faults/background_run.sh"

"$plain" generate cov1 data.h5 --scale 0.002 --quiet
"$plain" generate cov1 test.h5 --scale 0.001 --seed 7 --quiet
what=(data.h5 -o model.h5 --lambda 1e-3 --quiet)

is_stuck() {
    grep -q '^stuck' background.err
}

# stuck READS RANKS ARGUMENT... - start a background run in which each rank blocks after READS reads.
stuck() {
    local reads=$1
    shift
    through=(env "--default-signal=INT,TERM,HUP,USR1,USR2" "SDCA_INJECT=stuck:$reads")
    begin "$@"
    through=()
    within 30 is_stuck || fail "expected a blocked read, got $(cat background.out background.err)"
}

# ends STATUS WHAT - the run ends within seconds, and leaves no files.
ends() {
    expect_status "$1" "$2"
    expect_none model.h5 new.h5 new.h5.lock run.h5.lock
}

# At the very first read, and while reading rows.
for reads in 0 12; do
    for signal in USR1:138 USR2:140 TERM:143 HUP:129 INT:130; do
        stuck "$reads" 1 "${what[@]}"
        kill -"${signal%:*}" "$launcher"
        ends "${signal#*:}" "${signal%:*} at read $reads"
        stuck "$reads" 1 "${what[@]}" --checkpoint new.h5 --resume
        kill -"${signal%:*}" "$launcher"
        ends 75 "${signal%:*} at read $reads with --checkpoint"
    done
done

# A resumed run, while reading its test set; its checkpoint stays unchanged.
expect_exit 3 "$plain" train "${what[@]}" --checkpoint run.h5 --rounds 2 --rel-gap 1e-12
rm model.h5
cp run.h5 before.h5
stuck 40 1 "${what[@]}" --test test.h5 --checkpoint run.h5 --resume
kill -TERM "$launcher"
ends 75 "SIGTERM at the test set"
cmp run.h5 before.h5 || fail "expected the same checkpoint as before"
expect_exit 0 "$plain" train "${what[@]}" --checkpoint run.h5 --resume
rm model.h5

# On several ranks.
for signal in USR1 USR2; do
    stuck 3 2 "${what[@]}" --checkpoint new.h5 --resume
    kill -"$signal" "$launcher"
    ends 75 "$signal to mpirun"
done
stuck 3 2 "${what[@]}" --checkpoint new.h5 --resume
kill -TERM "$(ranks | tail -n 1)"
ends 75 "SIGTERM to one rank"
stuck 3 2 "${what[@]}"
kill -USR1 "$launcher"
ends 138 "SIGUSR1 to mpirun, without a checkpoint"
