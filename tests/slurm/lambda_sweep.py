"""The best model of a sweep has the smallest error on held-out data, recomputed here.

Usage: lambda_sweep.py LAMBDA..., in the directory of sweep/ and validate.h5."""
import filecmp
import re
import sys

import numpy as np
import oracle

x, y = oracle.read_data("validate.h5")
error = {}
ended = {}
for lam in sys.argv[1:]:
    w = oracle.read_w(f"sweep/{lam}.h5")
    error[lam] = np.mean(oracle.signs(y) * (x @ w) <= 0.0)
    summary = oracle.read_summary(f"sweep/{lam}.json")
    ended[lam] = summary["status"]
    oracle.near(summary["test_error"], error[lam], 1e-12, f"test error for lambda {lam}")
    oracle.near(summary["lambda"], float(lam), 1e-12, f"lambda of {lam}")
oracle.check(set(ended.values()) == {"converged", "budget"}, f"expected both statuses, got {ended}")

best = min(error, key=error.get)
oracle.check(best != sys.argv[1], f"the first lambda is the best: {error}")
oracle.check(filecmp.cmp(f"sweep/{best}.h5", "sweep/best.h5", shallow=False),
             f"best.h5 is not that of lambda {best}: {error}")
with open("sweep/pick.log", encoding="utf-8") as file:
    log = file.read()
summary = oracle.read_summary(f"sweep/{best}.json")
oracle.check(f"best: sweep/{best}.h5" in log, f"the best is not named in: {log}")
numbers = {float(word) for word in re.findall(r"\d[\d.]*(?:e[-+]?\d+)?", log)}
for field in "gap", "test_error":
    oracle.check(summary[field] in numbers, f"expected the {field} {summary[field]} in: {log}")
