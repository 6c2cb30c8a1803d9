#!/usr/bin/env bash
# A read-only directory: exit status 73 and an error message before any long work;
# existing files stay.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/small_filesystem.sh"

"$sdca" generate cov1 data.h5 --scale 0.001 --quiet
"$sdca" train data.h5 -o model.h5 --lambda 1e-2 --quiet
printf '+1 1:1\n-1 1:2\n' >rows.txt
mount_small size=100k
printf 'precious' >small/old.h5
remount_small ro

# refuse NAME RANKS ARGUMENT...
refuse() {
    local name=$1 ranks=$2
    shift 2
    expect_exit 73 on "$ranks" timeout 30 "$sdca" "$@"
    expect_says "$name" "Read-only file system"
}

refuse small/out.h5 1 convert rows.txt small/out.h5
refuse small/out.h5 1 generate cov1 small/out.h5 --scale 0.001
refuse small/test.h5 1 generate cov1 out.h5 --scale 0.001 --test small/test.h5
refuse small/old.h5 1 train data.h5 -o small/old.h5 --lambda 1e-9 --gap 1e-14
refuse small/old.h5 2 train data.h5 -o small/old.h5 --lambda 1e-9 --gap 1e-14
refuse small/h.csv 2 train data.h5 -o out.h5 --history small/h.csv --lambda 1e-9 --gap 1e-14
refuse small/out.csv 1 predict model.h5 data.h5 -o small/out.csv
refuse small/out.h5 2 predict model.h5 data.h5 -o small/out.h5
refuse small/out.txt 1 export model.h5 small/out.txt
expect_none out.h5

# Standard output still works there.
model=$PWD/model.h5 data=$PWD/data.h5 said=$PWD
for command in "predict $model $data -o -" "export $model -" "report $model -o - --format html"; do
    # shellcheck disable=SC2086 # words
    (cd small && "$sdca" $command >"$said/out" 2>"$said/err") || fail "exit status $?: $command: $(cat err)"
    [ -s out ] || fail "nothing on standard output: $command"
done
(cd small && "$sdca" train "$data" -o "$said/out.h5" --lambda 1e-2 --history - --quiet >"$said/out") || fail "--history -"
grep -q '^round,' out || fail "expected the history on standard output, got '$(cat out)'"
[ "$(cat small/old.h5)" = precious ] || fail "the older file has changed"
