#!/usr/bin/env bash
# Two runs with the same checkpoint: the second is rejected, the first is not
# disturbed; a lock ends with its owner.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
what=(data.h5 --lambda 1e-7 --gap 1e-15 --solver sdca --evaluate 10 --checkpoint run.h5 --checkpoint-every 3r)

begin 2 "${what[@]}" -o model.h5
expect_rounds
for ranks in 1 2; do
    for resume in "" --resume; do
        # shellcheck disable=SC2086
        expect_exit 73 on "$ranks" "$sdca" train "${what[@]}" -o other.h5 $resume
        expect_says "'run.h5' is in use by another run"
        expect_none other.h5
    done
done
kill -USR1 "$launcher"
expect_status 75 "the first run"
checkpoint round run.h5 >/dev/null
[ ! -e run.h5.old ] || fail "the second run moved the checkpoint of the first"
[ "$(echo run.h5*)" = "run.h5 run.h5.1" ] || fail "left over: $(echo run.h5*)"

# Locks of dead owners are ignored.
for ranks in 1 2; do
    before=$(checkpoint round run.h5)
    begin "$ranks" "${what[@]}" -o model.h5 --resume
    expect_rounds
    kill_all
    expect_over "killed"
    tally fault
    [ -e run.h5.lock ] || fail "expected the lock file after kill -9"
    expect_exit 3 on "$ranks" "$sdca" train "${what[@]}" -o model.h5 --resume --rounds $((before + 1)) --quiet
    tally resume
    [ ! -e run.h5.lock ] || fail "the lock file remains after the run"
done
