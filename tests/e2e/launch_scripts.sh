#!/usr/bin/env bash
# launch/local and launch/hosts resume from checkpoints, and pass on signals and exit statuses.
# launch/local restarts after crashes while that helps. launch/pick selects the best model.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/launch_tree.sh"

ranks() {
    processes "$scratch/rank train"
}

# Clean up processes if the test fails.
end_all() {
    local pid
    for pid in $(ranks); do
        kill -9 "$pid" || true
    done
    cd /
    rm -rf "$scratch"
}
at_exit=(end_all)

# wait_for COMMAND... - wait until it succeeds, at most half a minute.
wait_for() {
    local end=$((SECONDS + 30))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "timeout after half a minute: $*: $(cat out err)"
        sleep 0.1
    done
}

# expect_status STATUS [left] - the launcher exits with it; no rank is left, unless allowed.
expect_status() {
    local status=0
    wait "$launcher" || status=$?
    [ "$status" -eq "$1" ] || fail "expected exit status $1, got $status: $(cat out err)"
    [ -n "${2:-}" ] || [ -z "$(ranks)" ] || fail "still alive: $(ranks | xargs)"
}

# A program that logs its runs and advances a round in the first two of them.
as_program <<'END'
case $1 in
info) echo "  round        $(wc -l <runs)" | sed 's/[3-9]$/2/' ;;
train)
    echo "$@" >>runs
    exit "$(cat status)"
    ;;
esac
END
edit launch/local limit=2

mkdir bin
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >bin/mpirun # mpirun -np 2 COMMAND...: once, and quickly
chmod +x bin/mpirun

# expect_runs COUNT STATUS - launch/local runs a program that exits with STATUS COUNT times.
expect_runs() {
    echo "$2" >status
    : >runs
    PATH=$PWD/bin:$PATH expect_exit "$2" launch/local data.h5 --more "two words"
    [ "$(wc -l <runs)" -eq "$1" ] || fail "exit status $2: expected $1 runs, got $(cat runs)"
}
for status in 0 3 64 65 66 70 73 74 75; do
    expect_runs 1 "$status"
done
[ "$(cat runs)" = "train data.h5 --more two words --checkpoint checkpoint.h5 --checkpoint-every 10m --resume" ] ||
    fail "wrong arguments: $(cat runs)"
CHECKPOINT=other.h5 expect_runs 1 0
[[ $(cat runs) == *" --checkpoint other.h5 "* ]] || fail "wrong arguments: $(cat runs)"
PATH=$PWD/bin:$PATH expect_exit 66 launch/hosts data.h5
grep -q "there is no hosts.txt here" err || fail "expected a message about hosts.txt, got $(cat err)"
for status in 1 137; do
    expect_runs 4 "$status"
    grep -q "giving up after 2 attempts from round 2" err || fail "expected a message about giving up, got $(cat err)"
done

# The program is $SDCA, else that of the tree, the one installed with the scripts, or from PATH.
# expect_program WORD [VARIABLE=VALUE]... - launch/local runs the program that prints WORD.
expect_program() {
    expect_exit 0 env "PATH=$PWD/bin:$PATH" "${@:2}" "${launcher:-launch/local}" data.h5
    [ "$(cat out)" = "$1" ] || fail "expected the program '$1', got '$(cat out)'"
}
# program FILE - create a program that prints its name.
program() {
    mkdir -p "$(dirname "$1")"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ "$1" != train ] || echo %s\n' "$1" >"$1"
    chmod +x "$1"
}
for file in mine build/sdca usr/bin/sdca bin/sdca; do
    rm -f "$file"
    program "$file"
done
mkdir -p usr/share/sdca
cp -R launch usr/share/sdca/launch
expect_program mine SDCA=./mine
expect_program build/sdca
launcher=usr/share/sdca/launch/local expect_program usr/bin/sdca
rm usr/bin/sdca
launcher=usr/share/sdca/launch/local expect_program bin/sdca
rm bin/sdca
PATH=/usr/bin:/bin expect_exit 66 usr/share/sdca/launch/local data.h5
grep -q "there is no program sdca: build it" err || fail "expected a message about a missing program, got $(cat err)"
expect_exit 66 env SDCA=none launch/local data.h5
grep -q "there is no program none: build it" err || fail "expected a message about a missing program, got $(cat err)"

# A launcher that loses signals at first, as mpirun does before it has started its ranks.
cat >bin/mpirun <<'END'
#!/usr/bin/python3
import signal, sys, time
signal.alarm(60)
open("started", "w").close()
time.sleep(1)  # a signal during this time kills it, unless ignored
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.pause()  # this signal is lost
signal.signal(signal.SIGUSR1, lambda *_: sys.exit(75))
time.sleep(30)
END
PATH=$PWD/bin:$PATH launch/local data.h5 >out 2>err &
launcher=$!
wait_for test -e started
kill -s TERM "$launcher"
expect_status 75

# A rank killed by the signal before it installs its handler.
rm started
cat >bin/mpirun <<'END'
#!/usr/bin/python3
import signal, time
signal.signal(signal.SIGUSR1, signal.SIG_DFL)
open("started", "w").close()
time.sleep(60)
END
PATH=$PWD/bin:$PATH launch/local data.h5 >out 2>err &
launcher=$!
wait_for test -e started
kill -s TERM "$launcher"
expect_status 75
unset launcher

# Runs that do not finish, except those that begin after a crash.
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

# begin SCRIPT - start it in the background, in its own process group as in a terminal, and
# wait for its first checkpoint. Its process is $launcher.
begin() {
    rm -f checkpoint.h5 checkpoint.h5.[0-9]*
    setsid env --default-signal=INT "$1" train.h5 -o model.h5 --summary model.json "${problem[@]}" >out 2>err &
    launcher=$!
    wait_for test -s checkpoint.h5
}

# The run resumed from its checkpoint, and its model is as good as that of any run.
expect_certified() {
    grep -qF "resumed   from checkpoint.h5" err || fail "expected a message about resuming, got $(cat out err)"
    "$python" "$here/compare_certificates.py" train.h5 "$lambda" "$gap" undisturbed model
}

for signal in TERM USR1; do
    begin launch/local
    kill -s $signal "$launcher"
    expect_status 75
done
begin launch/local
kill -s INT -- "-$launcher" # as Ctrl-C does
expect_status 75

# When the launcher dies, even by SIGKILL, the run stops with a checkpoint.
no_ranks() {
    [ -z "$(ranks)" ]
}
begin launch/local
before=$("$sdca" info checkpoint.h5 | awk '$1 == "round" { print $2 }')
kill -9 "$launcher"
expect_status 137 left
wait_for no_ranks
after=$("$sdca" info checkpoint.h5 | awk '$1 == "round" { print $2 }')
[ "$after" -ge "$before" ] || fail "the checkpoint is at round '$after' after '$before'"
[ ! -e checkpoint.h5.lock ] || fail "the ranks were killed: checkpoint.h5.lock is left"

killed=137 # as Open MPI reports SIGKILL
[[ $(ldd "$sdca") != *libmpich.so* ]] || killed=9

# After a rank crashes, launch/local restarts by itself; launch/hosts resumes when called again.
begin launch/local
touch crashed
kill -9 "$(ranks | head -n 1)"
expect_status 0
grep -q "ended with exit status $killed" err || fail "expected a message about the crash, got $(cat err)"
expect_certified

rm crashed model.h5
begin launch/hosts
kill -9 "$(ranks | head -n 1)"
expect_status "$killed"
touch crashed
expect_exit 0 launch/hosts train.h5 -o model.h5 --summary model.json "${problem[@]}"
expect_certified
grep -q '"ranks": 2,' model.json || fail "expected 2 ranks, got $(cat model.json)"

# The smallest test error that is a number. (A truncated summary shows 0 instead of 0.5.)
for model in good better empty cut null word none; do
    echo "$model" >"$model.h5"
    sed "s/\"test_error\": .*/\"test_error\": 0.$((9 - ${#model})),/" model.json >"$model.json"
done
rm none.json
: >empty.json
sed -i '/"test_error"/ { s/0\..*/0/; q }' cut.json
sed -i 's/"test_error": .*/"test_error": null,/' null.json
sed -i 's/"test_error": .*/"test_error": nan,/' word.json
grep -q '"test_error": 0.3,' better.json || fail "no test error in $(cat better.json)"
mkdir best.h5.tmp # launch/pick needs no fixed temporary name
expect_exit 0 launch/pick best.h5 {good,empty,better,cut,null,word,none}.h5
[ "$(cat best.h5)" = better ] || fail "expected better.h5 to be picked, got $(cat out)"
for model in empty cut null word; do
    expect_prints "$model.h5: left out, $model.json is not a complete summary with a test error"
done
expect_prints "none.h5: missing"
[ "$(echo best.h5*)" = "best.h5 best.h5.tmp" ] || fail "leftover files: $(echo best.h5*)"
expect_exit 66 launch/pick nothing.h5 {empty,cut,null,word,none}.h5
expect_none nothing.h5
