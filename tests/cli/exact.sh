#!/usr/bin/env bash
# Certificates hold in exact arithmetic, on data of adversarial scales.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$python" "$here/exact.py" "$sdca" "$mpirun"
