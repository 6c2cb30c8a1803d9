#!/usr/bin/env bash
# docs/errors.md has every sentence that the program can end with: those of the sources, and
# those that the tests before this one have heard; see errors.py.
set -euo pipefail
. "$(dirname "$0")/common.sh"

logs=()
for test in ${SDCA_HEARD:?names the tests that were run before this one: run it by ctest}; do
    logs+=("$SDCA_SAID/$test.tsv")
done
"$python" "$here/errors.py" "$here/../.." "${logs[@]}" || fail "the table of errors is not complete"
