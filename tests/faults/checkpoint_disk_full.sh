#!/usr/bin/env bash
# A full disk while a checkpoint is written: a warning, earlier checkpoints stay
# complete, and training continues; exit status 74 if the last one could not be written.
# A read-only directory is reported before training.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"
. "$here/../faults/small_filesystem.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
mount_small size=4500k # room for two checkpoints of 1.6 MB, not for three
at_exit=(end_mounted)
end_mounted() {
    kill_all
    unmount_small
}
# More epochs than needed, with many checkpoints.
what=(data.h5 --lambda 1e-5 --local-steps 0.1 --checkpoint-every 5r)
here_small=("${what[@]}" --checkpoint small/run.h5 -o model.h5)
elsewhere=("${what[@]}" --checkpoint run.h5)

# expect_left ROUND - only this checkpoint and an older one exist.
expect_left() {
    [ "$(checkpoint round small/run.h5)" -eq "$1" ] || fail "expected a checkpoint of round $1"
    checkpoint round small/run.h5.1 >/dev/null
    [ "$(cd small && echo run*)" = "run.h5 run.h5.1" ] || fail "left over: $(ls small)"
}

# warnings FILE - their number.
warnings() {
    grep -c "^Warning: cannot save a checkpoint: .*No space left on device; the previous one, if any, is kept" "$1" || true
}

for ranks in 1 3; do
    rm -f small/* model.h5 run.h5*
    expect_exit 74 on "$ranks" timeout 50 "$sdca" train "${here_small[@]}"
    [ "$(warnings err)" -ge 2 ] || fail "expected warnings, got $(cat err)"
    grep -q "^sdca: the model is written, but not the last checkpoint: .*No space left" err || fail "$(cat err)"
    expect_left 10
    tally fault
    expect_exit 0 "$sdca" info model.h5
    cp small/run.h5 .
    expect_exit 0 on "$ranks" "$sdca" train "${elsewhere[@]}" -o model.h5 --quiet --resume
    tally resume
done

# Stopping needs a checkpoint: without space for it, the exit status is not 75.
for ranks in 1 3; do
    rm -f small/* model.h5
    begin "$ranks" "${here_small[@]}" --rel-gap 1e-18
    within 20 grep -q 'Warning: cannot save a checkpoint' background.err || fail "no warning: $(cat background.err)"
    tally fault
    kill -USR1 "$launcher"
    expect_status 74 "stopped without room"
    grep -q "^sdca: cannot .*No space left" background.err || fail "$(cat background.err)"
    expect_none model.h5
    expect_left 10
done

# With free space again, checkpoints succeed.
rm -f small/*
head -c 4000000 /dev/zero >small/filler
begin 3 "${here_small[@]}" --keep 1 --rel-gap 1e-18
within 20 grep -q 'Warning: cannot save a checkpoint' background.err || fail "no warning: $(cat background.err)"
rm small/filler
within 20 test -e small/run.h5 || fail "no checkpoint despite free space"
kill -USR1 "$launcher"
expect_status 75 "stopped with room"
checkpoint round small/run.h5 >/dev/null

# No space for the model: the checkpoint is kept, and the run can be resumed.
rm -f small/* run.h5*
head -c 4200000 /dev/zero >small/filler
expect_exit 74 on 2 timeout 50 "$sdca" train "${elsewhere[@]}" -o small/model.h5 --quiet
expect_says "small/model.h5" "No space left"
[ "$(ls small)" = filler ] || fail "left over: $(ls small)"
tally fault
rm small/filler
expect_exit 0 on 2 timeout 50 "$sdca" train "${elsewhere[@]}" -o small/model.h5 --resume
grep -q 'resumed   from run.h5' err || fail "not resumed: $(cat err)"
tally resume

# A read-only directory is reported at once.
rm -f small/*
remount_small ro
for ranks in 1 2; do
    expect_exit 73 on "$ranks" "$sdca" train "${here_small[@]}" --rel-gap 1e-18
    expect_says "small/run.h5" "Read-only file system"
done
