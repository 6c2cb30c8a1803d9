#!/usr/bin/env bash
# When one rank or mpirun is killed during training, all processes end within seconds, and
# no file has the model's name.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate cov1 data.h5 --scale 0.01 --quiet

# begin_long - start a long run on 3 ranks in the background, and wait for its first rounds.
begin_long() {
    begin 3 data.h5 -o model.h5 --lambda 1e-7 --gap 1e-15 --time 50 --history history.csv
    expect_rounds
    [ "$(ranks | wc -l)" -eq 3 ] || fail "expected 3 ranks, got $(ranks)"
}

for which in 1 3; do
    begin_long
    kill -9 "$(ranks | sed -n "${which}p")"
    expect_over "one rank killed"
    [ "$code" -ne 0 ] || fail "one rank killed: mpirun ends with exit status 0"
    expect_none model.h5 history.csv
done

begin_long
kill -9 "$launcher"
expect_over "mpirun killed"
expect_none model.h5 history.csv

# The next run can use the same names.
expect_exit 0 on 2 "$sdca" train data.h5 -o model.h5 --lambda 1e-2 --quiet
expect_exit 0 "$sdca" info model.h5
