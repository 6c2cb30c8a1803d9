#!/usr/bin/env bash
# datasets/debian builds a data set from apt's lists on this machine, and a model that
# beats predicting the larger class.
set -euo pipefail
. "$(dirname "$0")/common.sh"
debian=$tree/datasets/debian
export SDCA=$sdca

if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
    skip "no apt lists on this machine; run apt-get update"
fi
expect_exit 0 "$debian" first
cat out
for file in train.h5 test.h5 model.h5; do [ -s first/debian.$file ] || fail "no debian.$file"; done
error=$(sed -n 's/^Test error: //p' out)
share=$(sed -nE 's/^test:.* ([0-9.]+)% in section.*/\1/p' out)
awk -v error="$error" -v share="$share" 'BEGIN { exit !(error > 0 && error < 0.008 * share) }' ||
    fail "the error $error is not below four fifths of the share $share %"
expect_exit 0 "$debian" second
for file in train.txt test.txt train.h5 test.h5; do cmp first/debian.$file second/debian.$file; done
