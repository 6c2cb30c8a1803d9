#!/usr/bin/env bash
# docs/convergence.sh - make docs/convergence.svg, the picture in the README.
#
# Four losses on data of the shape and size of the paper's astro-ph, on one rank, to
# a relative gap of 1e-8. Takes some seconds; SDCA is the program, build/sdca if not set.
set -euo pipefail
docs=$(cd "$(dirname "$0")" && pwd)
sdca=${SDCA:-$docs/../build/sdca}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/convergence.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$sdca" generate astro-ph train.h5 --test test.h5 --quiet
runs=()
for loss in hinge smooth-hinge squared-hinge logistic; do
    "$sdca" train train.h5 -o model.h5 --loss "$loss" --lambda 1e-4 --rel-gap 1e-8 --evaluate 0.5 \
        --test test.h5 --history "$loss.csv" --quiet
    runs+=("$loss.csv")
done
"$sdca" report "${runs[@]}" -o "$docs/convergence.svg"
sed -z -E -i -f "$docs/../launch/paper/slim.sed" "$docs/convergence.svg"
