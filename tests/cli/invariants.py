"""Judge every history in this directory, DATA,LOSS,RANKS,RULE,STEPS.csv."""
import glob

import h5py
import numpy as np

import oracle
from oracle import check

COLUMNS = "round epoch seconds primal dual gap test_error eta sigma local_steps bytes".split()


def judge(path):
    """One history."""
    stem = path[:-len(".csv")]
    rule = stem.split(",")[3]
    history = oracle.read_history(path)
    primal, dual, gap = history["primal"], history["dual"], history["gap"]
    fall = np.max(-np.diff(dual) / primal[1:])

    print(f"{stem:40} {len(gap)} evaluations, last gap {gap[-1]:.3g}, worst fall {fall:.2g}")
    check(list(history) == COLUMNS, f"{stem}: columns {list(history)}, expected {COLUMNS}")
    check(len(gap) > 5 or ",2.csv" in path, f"{stem}: only {len(gap)} evaluations")
    check(np.all(gap >= 0.0), f"{stem}: a gap of {np.min(gap)}")
    check(np.all(np.abs(primal - dual - gap) <= 1e-12 * primal), f"{stem}: P - D is not the gap")
    check(rule == "average" or fall <= 1e-13, f"{stem}: the dual falls by {fall} of P")
    for name in ("round", "epoch", "bytes", "seconds"):
        step = np.diff(history[name])
        check(np.all(step >= 0.0) and (name in ("bytes", "seconds") or np.all(step > 0.0)),
              f"{stem}: {name} does not ascend: {history[name]}")
    check(history["epoch"][0] == 0.0 and history["epoch"][-1] == 5.0,
          f"{stem}: epochs from {history['epoch'][0]} to {history['epoch'][-1]}, not 0 to 5")
    check(np.all(np.isnan(history["test_error"])), f"{stem}: a test error without a test set")
    with h5py.File(stem + ".h5", "r") as model:
        for name in COLUMNS:
            check(np.array_equal(model["history"][name][:], history[name], equal_nan=True),
                  f"{stem}: {name} in the model is not what the CSV file has")


def main():
    """All of them."""
    paths = sorted(glob.glob("*.csv"))
    check(len(paths) == 26, f"26 histories expected, {len(paths)} came")
    for path in paths:
        judge(path)


main()
