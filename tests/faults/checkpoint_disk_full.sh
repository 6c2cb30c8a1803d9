#!/usr/bin/env bash
# A disk that is full while a run is saved: a warning, the checkpoints before it stay
# whole, and the run goes on; its exit status is 74 if the last one could not be written.
# A directory that cannot be written to is refused before the work.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"
. "$here/../faults/small_filesystem.sh"

"$sdca" generate astro-ph data.h5 --scale 0.05 --quiet
mount_small size=4500k # two checkpoints of 1.6 MB, but not three
at_exit=(end_mounted)
end_mounted() {
    kill_all
    unmount_small
}
# Longer than needed, with many checkpoints.
what=(data.h5 --lambda 1e-5 --local-steps 0.1 --checkpoint-every 5r)
here_small=("${what[@]}" --checkpoint small/run.h5 -o model.h5)
elsewhere=("${what[@]}" --checkpoint run.h5)

# expect_left ROUND - of all checkpoints, this one and an older one are there, and nothing
# else.
expect_left() {
    [ "$(checkpoint round small/run.h5)" -eq "$1" ] || fail "expected a checkpoint of round $1"
    checkpoint round small/run.h5.1 >/dev/null
    [ "$(cd small && echo run*)" = "run.h5 run.h5.1" ] || fail "left over: $(ls small)"
}

# warnings FILE - how many there are.
warnings() {
    grep -c "^Warning: cannot save a checkpoint: .*No space left on device; the previous one, if any, is kept" "$1" || true
}

for ranks in 1 3; do
    rm -f small/* model.h5 run.h5*
    expect_exit 74 on "$ranks" timeout 50 "$sdca" train "${here_small[@]}"
    [ "$(warnings err)" -ge 2 ] || fail "expected warnings, came $(cat err)"
    grep -q "^sdca: the model is written, but not the last checkpoint: .*No space left" err || fail "$(cat err)"
    expect_left 10
    tally fault
    expect_exit 0 "$sdca" info model.h5
    cp small/run.h5 .
    expect_exit 0 on "$ranks" "$sdca" train "${elsewhere[@]}" -o model.h5 --quiet --resume
    tally resume
done

# To stop, a run needs a checkpoint: without room for it there is no exit status 75.
for ranks in 1 3; do
    rm -f small/* model.h5
    begin "$ranks" "${here_small[@]}" --rel-gap 1e-18
    within 20 grep -q 'Warning: cannot save a checkpoint' victim.err || fail "no warning: $(cat victim.err)"
    tally fault
    kill -USR1 "$launcher"
    expect_status 74 "stopped without room"
    grep -q "^sdca: cannot .*No space left" victim.err || fail "$(cat victim.err)"
    expect_none model.h5
    expect_left 10
done

# With room again, all is well.
rm -f small/*
head -c 4000000 /dev/zero >small/filler
begin 3 "${here_small[@]}" --keep 1 --rel-gap 1e-18
within 20 grep -q 'Warning: cannot save a checkpoint' victim.err || fail "no warning: $(cat victim.err)"
rm small/filler
within 20 test -e small/run.h5 || fail "no checkpoint although there is room"
kill -USR1 "$launcher"
expect_status 75 "stopped with room"
checkpoint round small/run.h5 >/dev/null

# No room for the model: the run is saved, and need not be made again.
rm -f small/* run.h5*
head -c 4200000 /dev/zero >small/filler
expect_exit 74 on 2 timeout 50 "$sdca" train "${elsewhere[@]}" -o small/model.h5 --quiet
expect_says "small/model.h5" "No space left"
[ "$(ls small)" = filler ] || fail "left over: $(ls small)"
tally fault
rm small/filler
expect_exit 0 on 2 timeout 50 "$sdca" train "${elsewhere[@]}" -o small/model.h5 --resume
grep -q 'resumed   from run.h5' err || fail "did not go on: $(cat err)"
tally resume

# Not to be written to: said at once.
rm -f small/*
remount_small ro
for ranks in 1 2; do
    expect_exit 73 on "$ranks" "$sdca" train "${here_small[@]}" --rel-gap 1e-18
    expect_says "small/run.h5" "Read-only file system"
done
