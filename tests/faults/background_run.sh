# shellcheck shell=bash disable=SC2154,SC2034
# background_run.sh - a training run in the background that a test disturbs; to be sourced
# after common.sh. SDCA_REPEAT is the number of repetitions (more for soak); SDCA_TALLY names
# a file that gets a line for each fault, resume and damage.
repeat=${SDCA_REPEAT:-8}
mkdir bin
ln -s "$sdca" bin/sdca-to-kill # distinguishes these ranks from all others
victim=$PWD/bin/sdca-to-kill
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

# The ranks of this test that are alive, the first one first.
ranks() {
    processes "$victim train" | sort -n
}

# No process of a failed test survives it.
end_all() {
    kill_all
    cd /
    rm -rf "$scratch"
}

# begin RANKS ARGUMENT... - train in the background, on all of them unless $working says
# otherwise, started by $through. $launcher is its mpirun, or the single rank; its output
# goes to ./victim.out and ./victim.err.
working=(--all-ranks)
through=()
begin() {
    local launch=()
    [ "$1" -eq 1 ] || launch=("$mpirun" -np "$1")
    : >victim.err # without the output of the run before
    "${through[@]}" "${launch[@]}" "$victim" train "${@:2}" "${working[@]}" >victim.out 2>victim.err &
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
    [ "$(grep -cE '^ +[0-9]+ ' victim.err)" -ge "$1" ]
}

is_over() {
    [ -z "$(ranks)" ]
}

# expect_rounds - the run in the background is under way.
expect_rounds() {
    within 20 evaluations 2 || fail "expected a run under way after 20 s, came $(cat victim.out victim.err)"
}

# expect_over WHAT - within 10 seconds no rank is left; $code is the exit status.
expect_over() {
    within 10 is_over || fail "$1: still alive 10 seconds later: $(ranks | xargs)"
    code=0
    wait "$launcher" 2>/dev/null || code=$?
    launcher= # its number may be another's soon
}

# expect_status CODE WHAT - the run in the background ends with this exit status.
expect_status() {
    expect_over "$2"
    [ "$code" -eq "$1" ] || fail "$2: expected exit status $1, came $code and $(cat victim.out victim.err)"
}

# kill_all - kill -9 all processes of the run in the background.
kill_all() {
    local pid
    for pid in $launcher $(ranks); do
        kill -9 "$pid" 2>/dev/null || true
    done
}
