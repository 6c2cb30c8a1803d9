#!/usr/bin/env bash
# The Python example runs, and its scores equal those of sdca predict.
set -euo pipefail
. "$(dirname "$0")/common.sh"

expect_exit 0 "$python" "$tree/docs/examples/python/train_and_score.py" "$sdca"
expect_prints "labels are wrong"
wrong=$(sed 's/%.*//' out)
expect_exit 0 "$sdca" predict model.h5 test.h5 -o predicted.csv
"$python" - "$wrong" "$(sed 's/Error: \([^ ]*\).*/\1/' out)" <<'END'
import sys

import numpy as np
from oracle import check, near

ours, theirs = (np.loadtxt(name, delimiter=",", skiprows=1) for name in ("predicted.csv", "scores.csv"))
check(np.array_equal(ours[:, 0], theirs[:, 0]) and set(ours[:, 0]) == {3.0, 7.0}, "other labels")
near(ours[:, 1:], theirs[:, 1:], 1e-6, "scores and probabilities")
near(float(sys.argv[2]), float(sys.argv[1]) / 100.0, 0.01, "the error that the example prints")
END
