#!/usr/bin/env bash
# predict writes the line of a row of a text as soon as it is read: memory does not grow
# with the rows of a pipe, and with labels only by what the metrics need.
set -euo pipefail
. "$(dirname "$0")/common.sh"
unset MALLOC_PERTURB_ # it touches memory that is only reserved

"$python" "$here/predict_memory.py" train >train.csv
"$sdca" convert train.csv train.h5 --label label --drop id --quiet
"$sdca" train train.h5 -o model.h5 --lambda 0.01 --quiet
"$python" "$here/predict_memory.py" measure "$sdca" || fail "memory grows with the rows"
