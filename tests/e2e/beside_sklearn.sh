#!/usr/bin/env bash
# Tasks of tests/bench/beside_sklearn.py: a table with gaps, and a regression with a mean,
# are predicted as well as by scikit-learn's pipelines.
set -euo pipefail
. "$(dirname "$0")/common.sh"
"$python" -c 'import pandas, anndata' 2>/dev/null || skip "pandas or anndata is not installed (Debian: python3-anndata)"

expect_exit 0 "$python" "$here/../bench/beside_sklearn.py" "$sdca" 1 4
"$python" - out <<'END'
import re
import sys

from oracle import check, near

rows = [line.split("|")[1:-1] for line in open(sys.argv[1], encoding="utf-8")][2:]
check(len(rows) == 2, f"rows {rows}")
for name, commands, lines, ours, theirs in rows:
    check(int(commands) < int(lines), f"{name}: {commands} commands, {lines} lines")
    pairs = [[float(x) for x in re.findall(r" ([0-9.]+)(?:;| *$)", text)] for text in (ours, theirs)]
    check(len(pairs[0]) == len(pairs[1]) == 2, f"{name}: {pairs}")
    for a, b in zip(*pairs):
        near(a, b, 0.01, name)
END
