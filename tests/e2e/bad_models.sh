#!/usr/bin/env bash
# Malformed models are rejected with a message that names the file.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$sdca" generate cov1 data.h5 --scale 0.0005 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-2 --quiet
"$python" "$here/bad_models.py"

# refuse FILE TEXTS... - info and export reject it with a message that contains TEXTS.
refuse() {
    expect_exit 65 "$sdca" info "$1"
    expect_says "$@"
    expect_exit 65 "$sdca" export "$1" out.txt
    expect_says "$@"
    expect_none out.txt
}

refuse newer.h5 "format 99"
refuse loss.h5 "unknown loss 'hinged'"
refuse normalize.h5 "normalize" "out of range"
refuse table.h5 "w" "not a vector"
refuse names.h5 "2 names"
refuse bias.h5 "bias" "not finite"
refuse nan.h5 "w" "column 1"
refuse label-names.h5 "3 names for 2 labels"
refuse number-names.h5 "label_names" "not an array of strings"
refuse history.h5 "history/gap" "entries"
refuse history-table.h5 "history/gap" "2 dimensions, not 1"
refuse rounds.h5 "rounds/eta" "entries"

# Weights whose scores overflow.
expect_refusal 65 on 2 "$sdca" predict huge.h5 data.h5 --metrics out.json
expect_says "'data.h5', row 0: its score is not finite"
