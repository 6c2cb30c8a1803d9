#!/usr/bin/env bash
# kill -9 at random times, of a rank, of mpirun or of all, repeatedly, with frequent
# checkpoints: each start resumes from the last checkpoint or, without one, starts afresh;
# the final result equals that of an undisturbed run, bit for bit.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
what=(data.h5 --lambda 1e-5 --rel-gap 1e-5 --local-steps 0.02 --evaluate 0.1 --deterministic)
expect_exit 0 on 3 "$sdca" train "${what[@]}" -o whole.h5

# hit - kill one rank, mpirun, or all.
hit() {
    case $((RANDOM % 3)) in
    0) kill -9 "$(ranks | shuf -n 1)" 2>/dev/null || kill -9 "$launcher" ;;
    1) kill -9 "$launcher" ;;
    2) kill_all ;;
    esac
}

# look BEFORE EVERY - after a kill there is a complete checkpoint, not older than the previous
# one nor than the interval allows, or none at all.
look() {
    local told
    [ -z "$(leftovers run.h5)" ] || tally torn
    if [ ! -e run.h5 ]; then
        [ "$1" -eq 0 ] || fail "the checkpoint of round $1 is gone"
        return
    fi
    round=$(checkpoint round run.h5)
    told=$(sed -nE 's/^ +([0-9]+) .*/\1/p' background.err | tail -n 1)
    [ "$round" -ge "$1" ] || fail "the checkpoint is of round $round, before it was of round $1"
    [ $((round + $2)) -ge "${told:-0}" ] ||
        fail "the checkpoint is of round $round, but the run had reached round $told"
}

# expect_whole - the model equals that of the undisturbed run. Start over.
expect_whole() {
    checkpoint same whole.h5 model.h5
    rm -f model.h5* run.h5*
    round=0
    tally whole
}

round=0
for ((k = 0; k < repeat; k++)); do
    every=$((k % 3 == 2 ? 5 : 1))
    begin 3 "${what[@]}" -o model.h5 --checkpoint run.h5 --checkpoint-every "${every}r" --resume
    [ $((k % 4)) -eq 3 ] || within 20 grep -q '^  target' background.err || fail "no rounds after 20 s: $(cat background.err)"
    sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
    if [ ! -e model.h5 ]; then # not finished yet
        hit
        tally fault
    fi
    expect_over "killed"
    ! grep -q damaged background.err || fail "damage after a kill: $(cat background.err)"
    if grep -q '^  target' background.err; then # training has started
        [ "$round" -eq 0 ] || grep -q 'resumed   from run.h5$' background.err || fail "not resumed: $(cat background.err)"
        [ "$round" -eq 0 ] || tally resume
    fi
    if [ -e model.h5 ]; then expect_whole; else look "$round" "$every"; fi
done

# Finish without further kills.
expect_exit 0 on 3 "$sdca" train "${what[@]}" -o model.h5 --checkpoint run.h5 --checkpoint-every 100r --resume
tally resume
[ -z "$(leftovers run.h5)" ] || fail "left over: $(leftovers run.h5)"
expect_none run.h5.lock
expect_whole
