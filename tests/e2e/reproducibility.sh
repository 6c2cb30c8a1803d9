#!/usr/bin/env bash
# The same seed, ranks and options give the same bits; another seed gives different bits.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate astro-ph data.h5 --scale 0.01 --quiet
"$sdca" generate astro-ph again.h5 --scale 0.01 --quiet
"$sdca" generate astro-ph other.h5 --scale 0.01 --seed 2 --quiet
cmp data.h5 again.h5 || fail "two data sets of one seed differ"
! cmp -s data.h5 other.h5 || fail "two data sets of different seeds are equal"

# train NAME RANKS [OPTION...]
train() {
    local name=$1 ranks=$2
    shift 2
    expect_exit 0 on "$ranks" "$sdca" train data.h5 -o "$name.h5" --history "$name.csv" \
        --loss logistic --lambda 1e-4 --rel-gap 1e-5 --quiet "$@"
}

for ranks in 1 3; do
    train "first-$ranks" $ranks --seed 5
    train "second-$ranks" $ranks --seed 5 --deterministic
    train "other-$ranks" $ranks --seed 6
done
for order in permutation random cyclic; do
    train "$order" 2 --order $order
done

"$python" - <<'END'
import numpy as np
from oracle import check, read_history, read_w

def same(a, b):
    first, second = read_history(a + ".csv"), read_history(b + ".csv")
    return read_w(a + ".h5").tobytes() == read_w(b + ".h5").tobytes() and all(
        np.array_equal(first[name], second[name], equal_nan=True)
        for name in first if name != "seconds")

for ranks in (1, 3):
    check(same(f"first-{ranks}", f"second-{ranks}"), f"one seed, two results on {ranks} ranks")
    check(not same(f"first-{ranks}", f"other-{ranks}"), f"two seeds, one result on {ranks} ranks")
check(not same("permutation", "random") and not same("permutation", "cyclic") and
      not same("random", "cyclic"), "two orders give the same w")
END
