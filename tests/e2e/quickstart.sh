#!/usr/bin/env bash
# launch/quickstart works from a fresh tree, twice, and the commands it suggests work as
# printed. Its packages must be installed: the test installs nothing.
set -euo pipefail
. "$(dirname "$0")/common.sh"

files() {
    git -C "$tree" ls-files --cached --others --exclude-standard -z 2>/dev/null ||
        (cd "$tree" && find . \( -path ./build -o -path ./quickstart -o -path ./.git \) -prune \
            -o -type f -print0)
}
mkdir tree
files >list
tar -C "$tree" --ignore-failed-read --null --files-from=list -cf - 2>/dev/null | tar -C tree -xf -

# The script detects the options that mpirun needs on this machine.
unset "${!OMPI_@}" CMAKE_GENERATOR

for _ in first again; do
    tree/launch/quickstart >words 2>rounds || fail "quickstart failed: $(cat words rounds)"
    for text in 'Target reached' 'Certified: P(w)' 'Test error: ' "$PWD/tree/quickstart"; do
        grep -qF "$text" words || fail "quickstart does not print '$text'"
    done
    grep -qE '^ +[1-9][0-9]* +[0-9.]+ +[0-9.]+ ' rounds || fail "quickstart does not show the rounds"
done
cd tree/quickstart
for file in train.h5 test.h5 model.h5 history.csv summary.json report.html; do
    [ -s $file ] || fail "quickstart made no $file"
done
"$python" - <<'END'
import json
summary = json.load(open("summary.json"))
assert summary["status"] == "converged" and summary["working_ranks"] == 2, summary
assert summary["rel_gap"] <= 1e-6 and summary["test_error"] < 0.1, summary
END
"$python" "$here/report_contents.py" names report.html quickstart/model.h5

cd ..
sed -n '/^To try next/,$s/^  //p' ../words >../suggested
[ "$(wc -l <../suggested)" -ge 3 ] || fail "quickstart suggests too few commands"
while read -r command; do
    bash -c "$command" >../out 2>&1 </dev/null || fail "a suggested command fails: $command: $(cat ../out)"
done <../suggested
[ -s quickstart/both.html ] || fail "the suggested report is missing"
