#!/usr/bin/env bash
# launch/paper/run makes the eight figures, for all three data sets or for given ones,
# and does not repeat existing runs.
set -euo pipefail
. "$(dirname "$0")/common.sh"
command -v gnuplot >/dev/null || skip "gnuplot is not installed"
export SDCA=$sdca
paper=$tree/launch/paper/run # eight at a time: such small runs mostly start up

# expect_figure FILE PANELS CURVES - well-formed, with PANELS panels of CURVES curves.
# gnuplot calls curve K of the panels plot_Ka, plot_Kb, ...; the last is the legend.
expect_figure() {
    "$python" - "$@" <<'END'
import collections, re, sys, xml.etree.ElementTree as xml
path, panels, curves = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
found = collections.Counter()
for element in xml.parse(path).iter():
    match = re.fullmatch(r"gnuplot_plot_\d+([a-z])", element.get("id", ""))
    if match:
        found[match[1]] += 1
*drawn, legend = [found[letter] for letter in sorted(found)]
assert drawn == [curves] * panels, f"{path}: {drawn} curves, not {curves} in each of {panels} panels"
assert legend == curves + 1, f"{path}: {legend - 1} names in the legend, not {curves}"
END
}

expect_figures() {
    local figure curves
    while read -r figure curves; do
        expect_figure "$1/$figure.svg" "$2" "$curves"
    done <<'END'
smooth 4
hinge 4
gamma 4
test-error 2
order 4
sgd-smooth 3
sgd-hinge 3
sgd-test-error 2
END
}

timeout 150 "$paper" --quick --jobs 8 --out made >out 2>err || fail "incomplete: $(cat out err)"
expect_prints "228 training runs to make"
expect_figures made 12
grep -q '^| cov1 | 1e-6 |' made/tables.md || fail "tables.md has no rows for cov1"

# Only missing files are made again.
rm made/runs/*-hinge-random-* made/*.svg
expect_exit 0 "$paper" --quick --jobs 8 --out made
expect_prints "12 training runs to make"
expect_figures made 12

# A given data set with a known name.
expect_exit 0 "$paper" --quick --out made --cov1 made/data/cov1-0.001.h5 --cov1-test made/data/cov1-0.001.test.h5
expect_prints "0 training runs to make"
expect_figures made 4

# Without its test set, only the runs that used it are repeated.
rm made/*.svg
expect_exit 0 "$paper" --quick --jobs 8 --out made --cov1 made/data/cov1-0.001.h5
expect_prints "20 training runs to make"
expect_prints "No test set"
expect_figure made/smooth.svg 4 4
expect_none made/test-error.svg

expect_exit 64 "$paper" --scale
expect_exit 64 "$paper" --astro-ph-test made/data/cov1-0.001.h5
expect_exit 66 "$paper" --ccat nowhere.h5
