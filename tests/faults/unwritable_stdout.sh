#!/usr/bin/env bash
# Failing writes to standard output give exit status 74, and with a closed standard output
# or error, messages never end up in a file.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"

printf '+1 1:1 2:3\n-1 1:2\n' >rows.txt
"$sdca" convert rows.txt rows.h5 --quiet
"$sdca" train rows.h5 -o model.h5 --lambda 0.1 --quiet
"$sdca" predict model.h5 rows.h5 -o good.csv --quiet

# refuse ARGUMENT... - with a full, then with a closed standard output.
refuse() {
    code=0
    timeout 30 "$sdca" "$@" >/dev/full 2>err || code=$?
    [ "$code" -eq 74 ] || fail "full: expected exit status 74, got $code and '$(cat err)': $*"
    expect_says "standard output"
    code=0
    timeout 30 "$sdca" "$@" >&- 2>err || code=$?
    [ "$code" -eq 74 ] || fail "closed: expected exit status 74, got $code and '$(cat err)': $*"
    expect_says "standard output"
}

refuse convert rows.txt out.h5
refuse generate cov1 out.h5 --scale 0.0005
refuse train rows.h5 -o out.h5 --lambda 0.1
refuse predict model.h5 rows.h5 -o out.csv
refuse info model.h5
refuse train --help
refuse --help
refuse --version

# Without output there is no error; files are complete with all streams closed.
code=0
"$sdca" convert rows.txt quiet.h5 --quiet <&- >&- 2>&- || code=$?
[ "$code" -eq 0 ] || fail "convert with closed streams: exit status $code"
cmp rows.h5 quiet.h5 || fail "convert with closed streams writes a different file"
"$sdca" train rows.h5 -o quiet-model.h5 --lambda 0.1 --quiet <&- >&- 2>&- || code=$?
[ "$code" -eq 0 ] || fail "train with closed streams: exit status $code"
"$sdca" train rows.h5 -o loud-model.h5 --lambda 0.1 --history loud.csv <&- >/dev/null 2>&- || code=$?
[ "$code" -eq 0 ] || fail "train with a closed standard error: exit status $code"
"$python" -c 'import numpy, oracle
a, b, c = (oracle.read_w(f) for f in ("model.h5", "quiet-model.h5", "loud-model.h5"))
oracle.check(numpy.array_equal(a, b) and numpy.array_equal(a, c), "another w with closed streams")'
head -n 1 loud.csv | grep -q '^round,epoch' || fail "wrong header of the history: '$(head -n 1 loud.csv)'"
"$sdca" predict model.h5 rows.h5 -o closed.csv --quiet <&- >&- 2>&- || code=$?
[ "$code" -eq 0 ] || fail "predict with closed streams: exit status $code"
cmp good.csv closed.csv || fail "predict with closed streams writes a different file"
