#!/usr/bin/env bash
# launch/local and launch/hosts: they go on from checkpoints, launch/local by itself as
# long as that helps, and hand on signals and exit statuses.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/launched.sh"

# A program that notes its runs and gets to the next round in the first two of them.
as_program <<'END'
if [ "$1" = info ]; then
    echo "  round        $(wc -l <runs)" | sed 's/[3-9]$/2/'
else
    echo "$@" >>runs
    exit "$(cat status)"
fi
END
edit launch/local limit=2

mkdir bin
printf '#!/bin/sh\nshift 3\nexec "$@"\n' >bin/mpirun # mpirun -q -np 2 COMMAND...: once, and quickly
chmod +x bin/mpirun

# expect_runs COUNT STATUS - launch/local runs a program that ends so that many times.
expect_runs() {
    echo "$2" >status
    : >runs
    PATH=$PWD/bin:$PATH expect_exit "$2" launch/local data.h5 --more "two words"
    [ "$(wc -l <runs)" -eq "$1" ] || fail "exit status $2: expected $1 runs, came $(cat runs)"
}
for status in 0 3 64 65 66 70 73 74 75; do
    expect_runs 1 "$status"
done
[ "$(cat runs)" = "train data.h5 --more two words --checkpoint checkpoint.h5 --checkpoint-every 10m --resume" ] ||
    fail "wrong words: $(cat runs)"
CHECKPOINT=other.h5 expect_runs 1 0
[[ $(cat runs) == *" --checkpoint other.h5 "* ]] || fail "wrong words: $(cat runs)"
PATH=$PWD/bin:$PATH expect_exit 66 launch/hosts data.h5
grep -q "there is no hosts.txt here" err || fail "expected words of hosts.txt, came $(cat err)"
for status in 1 137; do
    expect_runs 4 "$status"
    grep -q "giving up after 2 attempts from round 2" err || fail "expected words of giving up, came $(cat err)"
done

# Runs that do not end by themselves, but for those that begin after a crash.
gap=2e-3 lambda=1e-6
problem=(--solver sdca --loss hinge --lambda "$lambda" --gap "$gap")
"$sdca" generate cov1 train.h5 --scale 0.03 --quiet
expect_exit 0 "$sdca" train train.h5 -o undisturbed.h5 --summary undisturbed.json "${problem[@]}"
as_program <<END
[ -e crashed ] || set -- "\${@/%$gap/1e-300}"
exec -a "$scratch/rank" $sdca "\$@"
END
edit launch/local ranks=3 every=1s
edit launch/hosts every=1s
echo "localhost slots=2" >hosts.txt

ranks() {
    processes "$scratch/rank train"
}

# Nothing of ours outlives the test, should it fail.
end_all() {
    local pid
    for pid in $(ranks); do
        kill -9 "$pid" || true
    done
    cd /
    rm -rf "$scratch"
}
at_exit=(end_all)

# begin SCRIPT - in the background, in a process group of its own as at a terminal, as far
# as its first checkpoint. Its process is $launcher.
begin() {
    rm -f checkpoint.h5 checkpoint.h5.[0-9]*
    setsid env --default-signal=INT "$1" train.h5 -o model.h5 --summary model.json "${problem[@]}" >out 2>err &
    launcher=$!
    wait_for test -s checkpoint.h5
}

# wait_for COMMAND... - it succeeds within half a minute.
wait_for() {
    local end=$((SECONDS + 30))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "not within half a minute: $*: $(cat out err)"
        sleep 0.1
    done
}

# expect_status STATUS - the launcher ends with it, and no rank stays.
expect_status() {
    local status=0
    wait "$launcher" || status=$?
    [ "$status" -eq "$1" ] || fail "expected exit status $1, came $status: $(cat out err)"
    [ -z "$(ranks)" ] || fail "still alive: $(ranks | xargs)"
}

# The run has gone on from its checkpoint, and its model is as good as any.
expect_certified() {
    grep -qF "goes on   from checkpoint.h5" err || fail "expected words of going on, came $(cat out err)"
    "$python" "$here/certificate.py" train.h5 "$lambda" "$gap" undisturbed model
}

for signal in TERM USR1; do
    begin launch/local
    kill -s $signal "$launcher"
    expect_status 75
done
begin launch/local
kill -s INT -- "-$launcher" # as Ctrl-C does
expect_status 75

# Crashes of a rank: one launcher goes on, the other does when it is called again.
begin launch/local
touch crashed
kill -9 "$(ranks | head -n 1)"
expect_status 0
grep -q "ended with exit status 137" err || fail "expected words of the crash, came $(cat err)"
expect_certified

rm crashed model.h5
begin launch/hosts
kill -9 "$(ranks | head -n 1)"
expect_status 137
touch crashed
expect_exit 0 launch/hosts train.h5 -o model.h5 --summary model.json "${problem[@]}"
expect_certified
grep -q '"ranks": 2,' model.json || fail "expected 2 ranks, came $(cat model.json)"
