# shellcheck shell=bash disable=SC2154,SC2034
# background_run.sh - a training run in the background for fault injection; source it
# after common.sh. SDCA_REPEAT is the number of repetitions (more for soak); SDCA_TALLY names
# a file that gets a line for each fault, resume and damage.
repeat=${SDCA_REPEAT:-8}
mkdir bin
ln -s "$sdca" bin/sdca-to-kill # distinguishes these ranks from all others
background_sdca=$PWD/bin/sdca-to-kill
launcher=
at_exit=(end_all)

# tally fault|resume|damage|whole|torn
tally() {
    echo "$1" >>"${SDCA_TALLY:-/dev/null}"
}

# checkpoint COMMAND ARGUMENT... - see checkpoint_tool.py.
checkpoint() {
    "$python" "$here/../faults/checkpoint_tool.py" "$@"
}

# The live ranks of this test, rank 0 first.
ranks() {
    processes "$background_sdca train" | sort -n
}

# Kill all processes when the test fails.
end_all() {
    kill_all
    cd /
    rm -rf "$scratch"
}

# begin RANKS ARGUMENT... - train in the background; all ranks train unless $working says
# otherwise. $through starts it. $launcher is its mpirun, or the single rank; its output
# goes to ./background.out and ./background.err.
working=(--all-ranks)
through=()
begin() {
    local launch=()
    [ "$1" -eq 1 ] || launch=("$mpirun" -np "$1")
    : >background.err # discard the output of the previous run
    "${through[@]}" "${launch[@]}" "$background_sdca" train "${@:2}" "${working[@]}" >background.out 2>background.err &
    launcher=$!
}

# within SECONDS COMMAND... - wait until it succeeds; returns whether it did.
within() {
    local steps=$(($1 * 50))
    shift
    while [ "$steps" -gt 0 ]; do
        ! "$@" || return 0
        sleep 0.02
        steps=$((steps - 1))
    done
    return 1
}

# evaluations N - the run in the background has printed at least N evaluations.
evaluations() {
    [ "$(grep -cE '^ +[0-9]+ ' background.err)" -ge "$1" ]
}

is_over() {
    [ -z "$(ranks)" ]
}

# expect_rounds - the run in the background has started training.
expect_rounds() {
    within 20 evaluations 2 || fail "expected rounds within 20 s, got $(cat background.out background.err)"
}

# expect_over WHAT - within 10 seconds no rank is left; $code is the exit status.
expect_over() {
    within 10 is_over || fail "$1: still alive after 10 s: $(ranks | xargs)"
    code=0
    wait "$launcher" 2>/dev/null || code=$?
    launcher= # the pid may be reused
}

# expect_status CODE WHAT - the run in the background ends with this exit status.
expect_status() {
    expect_over "$2"
    [ "$code" -eq "$1" ] || fail "$2: expected exit status $1, got $code and $(cat background.out background.err)"
}

# kill_all - kill -9 all processes of the run in the background.
kill_all() {
    local pid
    for pid in $launcher $(ranks); do
        kill -9 "$pid" 2>/dev/null || true
    done
}
