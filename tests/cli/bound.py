"""The bound column of with.csv and the table in refined, computed again."""
import csv
import math

import h5py
import numpy
import scipy.sparse

with h5py.File("data.h5") as f:
    n, d = f["X"].attrs["shape"]
    X = scipy.sparse.csr_matrix((f["X/data"][:], f["X/indices"][:], f["X/indptr"][:]), (n, d))
    y = f["y"][:]
with h5py.File("model.h5") as f:
    w = f["w"][:]
lam = 1e-3

head = max(0, math.ceil(n * math.log(0.5 * lam * n)))
told = 0
for row in csv.DictReader(open("with.csv")):
    past = float(row["epoch"]) * n - head - n
    bound = 5 / (lam * past) if past > 0 else math.inf
    assert row["bound"] == "" if math.isinf(bound) else abs(float(row["bound"]) / bound - 1) < 1e-9, row
    assert float(row["gap"]) <= bound, row
    told += not math.isinf(bound)
assert told > 0, "no row with a finite bound"

gamma = numpy.abs(y * (X @ w) - 1)
lines = [line.split() for line in open("refined") if line[:3] == "   " and line.split()[0] != "s"]
assert len(lines) >= 5, lines
for s, u, few, share, floor, _ in lines:
    u = float(s) / (lam * n)
    assert abs(int(few) - (gamma < u).sum()) <= 0.01 * n * 1e-2 + 1, (few, (gamma < u).sum())
    want = 8 * u * int(few) / n
    assert abs(float(floor) - want) <= 2e-2 * want, (floor, want)
assert "Observed: e^(-" in open("refined").read()
