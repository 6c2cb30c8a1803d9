#!/usr/bin/env bash
# Progress of long runs: lines at least every --log-every, JSON objects as events happen, a
# growing history. None of it changes the result.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$here/../faults/background_run.sh"

"$sdca" generate cov1 data.h5 --scale 0.02 --test test.h5 --quiet
long=(data.h5 -o model.h5 --lambda 1e-7 --rel-gap 1e-12 --solver sdca --test test.h5)

# Evaluations are far apart: lines between them show the time of day and the remaining time.
expect_exit 3 "$sdca" train "${long[@]}" --time 2 --log-every 0.1s --progress run.jsonl --history run.csv
"$python" "$here/progress_output.py" lines err
"$python" "$here/progress_output.py" objects run.jsonl run.csv budget
[ "$(grep -c '"event": "round"' run.jsonl)" -ge 5 ] || fail "expected objects between evaluations: $(cat run.jsonl)"
expect_exit 3 "$sdca" train "${long[@]}" --time 2
! grep -q estimated err || fail "expected no line in two seconds, got $(cat err)"

# A resumed run appends, on any number of ranks; - is standard output.
expect_exit 75 on 2 "$sdca" train "${long[@]}" --time 0.3 --progress on.jsonl --history on.csv --checkpoint run.h5 --quiet
"$python" "$here/progress_output.py" objects on.jsonl on.csv interrupted
lines=$(wc -l <on.jsonl)
expect_exit 75 "$sdca" train "${long[@]}" --time 0.3 --progress on.jsonl --checkpoint run.h5 --resume --quiet
[ "$(wc -l <on.jsonl)" -gt "$lines" ] || fail "expected more than $lines lines"
"$python" "$here/progress_output.py" parts on.jsonl interrupted interrupted
expect_exit 0 "$sdca" train data.h5 -o model.h5 --lambda 1e-3 --progress - --history h.csv --quiet
"$python" "$here/progress_output.py" objects out h.csv converged
[ ! -s err ] || fail "expected nothing on stderr, got $(cat err)"

# Timing does not change the result.
still=(data.h5 --lambda 1e-5 --rel-gap 1e-5 --quiet)
for solver in sdca newton; do
    expect_exit 0 "$sdca" train "${still[@]}" --solver $solver -o plain.h5
    expect_exit 0 "$sdca" train "${still[@]}" --solver $solver -o told.h5 --log-every 0.001s --progress told.jsonl --history told.csv
    checkpoint same plain.h5 told.h5
done

# A killed run leaves its history so far, and every object.
rm -f run.csv run.jsonl
begin 1 "${long[@]}" --evaluate 5 --history run.csv --progress run.jsonl
within 30 test -s run.csv || fail "expected a history during the run, got $(cat background.err)"
kill_all
expect_over "killed"
"$python" "$here/progress_output.py" killed run.jsonl run.csv
expect_exit 0 "$sdca" report run.csv -o report.html

# Long Newton rounds print lines within a round; a dual below an earlier one is not shown.
"$python" -c '
import h5py, numpy
X = numpy.random.default_rng(1).standard_normal((4000, 1000)).astype("f4")
with h5py.File("dense.h5", "w") as file:
    file["X"], file["y"] = X, numpy.sign(X[:, 0])'
expect_exit 3 "$sdca" train dense.h5 -o model.h5 --loss logistic --lambda 1e-4 --solver newton --rounds 1 --log-every 0.2s
"$python" "$here/progress_output.py" within err
expect_exit 3 "$sdca" train data.h5 -o model.h5 --lambda 1e-9 --solver newton --rounds 8 --history run.csv
"$python" "$here/progress_output.py" best err run.csv

# Files of other programs are not changed.
echo "do not forget" >notes.txt
part "'notes.txt' is not a file of --progress"
expect_refusal 73 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --progress notes.txt
[ "$(cat notes.txt)" = "do not forget" ] || fail "the notes have changed: $(cat notes.txt)"
part "would be one file"
expect_refusal 64 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --progress out.h5
part "'data.h5' is not a file of --progress"
expect_refusal 73 on 2 "$sdca" train data.h5 -o out.h5 --lambda 1e-3 --progress data.h5
