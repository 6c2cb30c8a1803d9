#!/usr/bin/env bash
# The Python examples run: scores equal those of sdca predict; a Parquet file, read by a
# stand-in for pyarrow, becomes the table that it is.
set -euo pipefail
. "$(dirname "$0")/common.sh"

expect_exit 0 "$python" "$tree/docs/examples/python/train_and_score.py" "$sdca"
expect_prints "labels are wrong"
wrong=$(sed 's/%.*//' out)
expect_exit 0 "$sdca" predict model.h5 test.h5 -o predicted.csv
"$python" - "$wrong" "$(sed -n 's/^Error: \([^ ]*\).*/\1/p' out)" <<'END'
import sys

import numpy as np
from oracle import check, near

ours, theirs = (np.loadtxt(name, delimiter=",", skiprows=1) for name in ("predicted.csv", "scores.csv"))
check(np.array_equal(ours[:, 0], theirs[:, 0]) and set(ours[:, 0]) == {3.0, 7.0}, "other labels")
near(ours[:, 1:3], theirs[:, 1:], 1e-6, "scores and probabilities")
near(float(sys.argv[2]), float(sys.argv[1]) / 100.0, 0.01, "the error that the example prints")
END

# without NAME - a stand-in for a module that is not there.
without() {
    mkdir -p without
    echo "raise ImportError('no $1')" >"without/$1.py"
}
convert() { # DIRECTORY ARGUMENTS... - with the modules in DIRECTORY
    expect_exit 0 env PYTHONPATH="$1" "$python" "$tree/docs/examples/python/parquet_to_csv.py" "${@:2}"
}
mkdir -p arrow/pyarrow
cat >arrow/pyarrow/parquet.py <<'END'
import datetime, decimal, types
day, zone = datetime.datetime(2021, 3, 4, 12), datetime.timezone(datetime.timedelta(hours=1))
PIECES = [
    {"name": ["a, b", 'c "d"'], "age": [7, None], "pay": [0.1, float("nan")], "ok": [True, False], "born": [day.date(), None],
     "seen": [day, day.replace(tzinfo=zone)], "price": [decimal.Decimal("1.50"), None], "tags": [["x"], []], "y": [1, 0]},
    {"name": [None], "age": [9], "pay": [-1e300], "ok": [None], "born": [datetime.date(1969, 12, 31)], "seen": [None],
     "price": [None], "tags": [None], "y": [1]}]

class ParquetFile:
    def __init__(self, path):
        self.schema_arrow = types.SimpleNamespace(names=list(PIECES[0]))

    def iter_batches(self):
        return (types.SimpleNamespace(to_pydict=lambda piece=piece: piece) for piece in PIECES)
END
touch arrow/pyarrow/__init__.py
convert arrow table.parquet --drop tags
mv out table.csv
cat >wanted.csv <<'END'
"name","age","pay","ok","born","seen","price","y"
"a, b",7,0.1,1,18690,18690.5,1.5,1
"c ""d""","","",0,"",18690.458333333332,"",0
"",9,-1e+300,"",-1,"","",1
END
diff wanted.csv table.csv || fail "another table"
expect_exit 0 "$sdca" convert table.csv table.h5 --label y --missing mean --values float64
expect_prints "  born: -1 to 18690, 1 missing, taken as 9344.5"
expect_prints "  ok: 0 to 1, 1 missing"
expect_exit 1 env PYTHONPATH=arrow "$python" "$tree/docs/examples/python/parquet_to_csv.py" table.parquet
grep -q "the column 'tags' has values of type list: --drop tags leaves it out" err || fail "$(cat err)"
expect_exit 1 env PYTHONPATH=arrow "$python" "$tree/docs/examples/python/parquet_to_csv.py" table.parquet --drop none
grep -q "no column is called 'none': there are name, age" err || fail "$(cat err)"
without pyarrow
without pandas
expect_exit 1 env PYTHONPATH=without "$python" "$tree/docs/examples/python/parquet_to_csv.py" table.parquet
grep -q "need pyarrow, or pandas with fastparquet: python3 -m pip install pyarrow" err || fail "$(cat err)"
