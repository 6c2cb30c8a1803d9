#!/usr/bin/env bash
# docs/errors.md lists every error message of the program: those in the sources, and those
# recorded by other tests; see error_messages.py. Runs last, and first runs the tests
# whose messages are missing.
set -euo pipefail
. "$(dirname "$0")/common.sh"

logs=()
for test in ${SDCA_HEARD:?names the tests that listen: run it by ctest}; do
    [ -e "$SDCA_SAID/$test.tsv" ] || "$here/$test.sh" "$sdca" "$mpirun" "$python"
    logs+=("$SDCA_SAID/$test.tsv")
done
"$python" "$here/error_messages.py" "$tree" "${logs[@]}" || fail "docs/errors.md is incomplete"
