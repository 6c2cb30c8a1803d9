#!/usr/bin/env bash
# docs/errors.md has every sentence that the program can end with: those of the sources, and
# those that other tests have heard; see error_messages.py. It comes last, and runs those of them
# that were not run before.
set -euo pipefail
. "$(dirname "$0")/common.sh"

logs=()
for test in ${SDCA_HEARD:?names the tests that listen: run it by ctest}; do
    [ -e "$SDCA_SAID/$test.tsv" ] || "$here/$test.sh" "$sdca" "$mpirun" "$python"
    logs+=("$SDCA_SAID/$test.tsv")
done
"$python" "$here/error_messages.py" "$tree" "${logs[@]}" || fail "the table of errors is not complete"
