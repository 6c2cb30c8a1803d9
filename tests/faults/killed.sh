#!/usr/bin/env bash
# Death in the midst of a run, of one rank or of mpirun: all of it ends within
# seconds, no process stays, and nothing has the model's name.
set -euo pipefail
. "$(dirname "$0")/../cli/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
mkdir bin
ln -s "$sdca" bin/sdca-to-kill # so that these ranks are told from all others
victim=$PWD/bin/sdca-to-kill

ranks() {
    processes "$victim train"
}

# begin - a long run on 3 ranks in the background, as far as its first rounds.
# Its mpirun is $launcher.
begin() {
    "$mpirun" -np 3 "$victim" train data.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --time 50 \
        --history history.csv >out 2>err &
    launcher=$!
    at_exit=(end_all)
    for _ in $(seq 100); do
        if [ "$(grep -cE '^ +[0-9]+ ' err)" -ge 3 ]; then
            [ "$(ranks | wc -l)" -eq 3 ] || fail "expected 3 ranks, came $(ranks)"
            return
        fi
        sleep 0.1
    done
    fail "expected a run under way after 10 seconds, came $(cat out err)"
}

# Nothing of ours outlives the test, should it fail.
end_all() {
    local pid
    for pid in $launcher $(ranks); do
        kill -9 "$pid" 2>/dev/null || true
    done
    cd /
    rm -rf "$scratch"
}

# expect_end WHAT - within 10 seconds no rank is left.
expect_end() {
    for _ in $(seq 100); do
        [ -n "$(ranks)" ] || break
        sleep 0.1
    done
    [ -z "$(ranks)" ] || fail "$1: still alive 10 seconds later: $(ranks | xargs)"
    [ ! -e model.h5 ] || fail "$1: there is a model"
    [ ! -e history.csv ] || fail "$1: there is a history"
}

for which in 1 3; do
    begin
    kill -9 "$(ranks | sort -n | sed -n "${which}p")"
    expect_end "one rank killed"
    status=0
    wait "$launcher" || status=$?
    [ "$status" -ne 0 ] || fail "one rank killed: mpirun ends with exit status 0"
done

begin
kill -9 "$launcher"
wait "$launcher" 2>/dev/null || true
expect_end "mpirun killed"

# The same names serve the next run.
expect_exit 0 on 2 "$sdca" train data.h5 -o model.h5 --lambda 1e-2 --quiet
expect_exit 0 "$sdca" info model.h5
