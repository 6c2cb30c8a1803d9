#!/usr/bin/env bash
# Output on a terminal: a status line that is redrawn in place and never wraps, then the
# summary alone; plain lines without a terminal. pyte emulates the terminal.
set -euo pipefail
. "$(dirname "$0")/common.sh"
if ! "$python" -c 'import pyte'; then
    skip "Python has no pyte (Debian: python3-pyte)"
fi

"$sdca" generate regression data.h5 --scale 0.1 --test test.h5 --quiet
printf '%s\n' '+1 1:300 2:0.5' '-1 2:1 3:-0.5' '+1 1:0.3 4:2' '-1 3:1' '+1 5:0.1' >odd.txt
"$sdca" convert odd.txt odd.h5 --quiet
"$sdca" convert odd.txt gaps.h5 --columns 7 --quiet
# Text that is slow to convert on any machine, since it is compressed; and the same with an
# error at its end.
awk 'BEGIN { for (row = 0; row < 45000; row++) {
    printf "%d", row % 2
    for (k = 1; k <= 40; k++) printf " %d:0.%d", 7 * k, (row * k) % 99991 + 1
    print ""
} }' >good.txt
{ cat good.txt && echo '1 2:x'; } >bad.txt
bzip2 good.txt bad.txt
"$python" "$here/terminal_output.py" "$sdca" "$mpirun"
