#!/usr/bin/env bash
# A run stopped within a Newton round abandons it: the round is not counted, and the checkpoint
# is of round 0. The resumed run repeats the round and gives the same bits.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

"$python" -c '
import h5py, numpy
random = numpy.random.default_rng(1)
X = random.standard_normal((2500, 1000)).astype("f4") / 40
with h5py.File("dense.h5", "w") as file:
    file["X"] = X
    file["y"] = numpy.sign(X[:, 0] + 0.1 * random.standard_normal(len(X)))'
newton=(dense.h5 --loss logistic --lambda 1e-4 --rel-gap 1e-6 --solver newton --summary summary.json)

# expect_stopped OUT - check the files of a run stopped in its first round; OUT is its output.
expect_stopped() {
    expect_none model.h5 run.h5.lock
    [ "$(summary status)" = interrupted ] || fail "wrong summary: $(cat summary.json)"
    grep -q 'Stopped early' "$1" || fail "got $(cat "$1")"
    [ "$(checkpoint round run.h5)" -eq 0 ] || fail "expected no round, got $(checkpoint round run.h5)"
}

for ranks in 1 2; do
    expect_exit 0 on "$ranks" "$sdca" train "${newton[@]}" -o whole.h5
    expect_exit 3 on "$ranks" "$sdca" train "${newton[@]}" -o model.h5 --time 0.1
    expect_prints "after 0 epochs (0 rounds)"
    rm -f model.h5 run.h5*
    expect_exit 75 on "$ranks" "$sdca" train "${newton[@]}" -o model.h5 --checkpoint run.h5 --time 0.1
    expect_stopped out
    begin "$ranks" "${newton[@]}" -o model.h5 --checkpoint run.h5 --resume
    within 20 grep -q 'round *epoch' background.err || fail "expected a started run, got $(cat background.err)"
    kill -USR1 "$launcher"
    expect_status 75 "SIGUSR1 in a round"
    expect_stopped background.out
    expect_exit 0 on "$ranks" "$sdca" train "${newton[@]}" -o model.h5 --checkpoint run.h5 --resume
    checkpoint same whole.h5 model.h5
done
