#!/usr/bin/env bash
# docs/convergence.sh - make docs/convergence.svg, the picture in the README.
#
# A logistic regression on data of the shape and size of the paper's astro-ph, on one
# rank, to a relative gap of 1e-8. Takes some seconds; SDCA is the program, build/sdca
# if not set.
set -euo pipefail
docs=$(cd "$(dirname "$0")" && pwd)
sdca=${SDCA:-$docs/../build/sdca}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/convergence.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$sdca" generate astro-ph train.h5 --test test.h5 --quiet
"$sdca" train train.h5 -o astro-ph.h5 --loss logistic --lambda 1e-4 --rel-gap 1e-8 --evaluate 0.5 --quiet
"$sdca" report astro-ph.h5 --test test.h5 -o "$docs/convergence.svg"
sed -z -E -i -f "$docs/../launch/paper/slim.sed" "$docs/convergence.svg"
