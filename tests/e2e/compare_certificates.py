"""An interrupted run ends with a certificate as good as that of an uninterrupted run.

Usage: compare_certificates.py DATA.h5 LAMBDA GAP UNDISTURBED MODEL, both models of the hinge loss,
each NAME.h5 with its NAME.json."""
import sys

import oracle

path, lam, target = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
x, y = oracle.read_data(path)
summaries = []
for name in sys.argv[4:]:
    summary = oracle.read_summary(name + ".json")
    value = oracle.primal("hinge", x, oracle.signs(y), lam, oracle.read_w(name + ".h5"))
    oracle.near(summary["primal"], value, 1e-9, f"P of {name}")
    oracle.check(summary["status"] == "converged", f"{name} ended with {summary['status']}")
    oracle.check(0.0 <= summary["gap"] <= target, f"the gap of {name} is {summary['gap']}")
    off = summary["primal"] - summary["dual"] - summary["gap"]
    oracle.check(abs(off) <= 1e-12, f"P - D and the gap of {name} are {off} apart")
    summaries.append(summary)

one, other = summaries
apart = abs(one["primal"] - other["primal"])
oracle.check(apart <= target, f"primal values are {apart} apart")
for dual, primal in (one["dual"], other["primal"]), (other["dual"], one["primal"]):
    oracle.check(dual <= primal, f"a dual value of {dual} is above a primal one of {primal}")
