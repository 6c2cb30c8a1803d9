"""Check every history in this directory, DATA,LOSS,RANKS,RULE,STEPS.csv, and the round logs in the models."""
import glob

import h5py
import numpy as np

import oracle
from oracle import check

LOGGED = "round epoch seconds eta sigma local_steps".split()
COLUMNS = "round epoch seconds primal dual gap test_error eta sigma local_steps bytes".split()


def judge(path):
    """One history."""
    stem = path[:-len(".csv")]
    rule = stem.split(",")[3]
    history = oracle.read_history(path)
    primal, dual, gap = history["primal"], history["dual"], history["gap"]
    with h5py.File(stem + ".h5") as file:
        rounding = file["certificate"].attrs["rounding"]  # not included in the last dual
    rise = np.diff(dual)
    rise[-1] += rounding
    fall = np.max(-rise / primal[1:])

    print(f"{stem:40} {len(gap)} evaluations, last gap {gap[-1]:.3g}, worst fall {fall:.2g}")
    check(list(history) == COLUMNS, f"{stem}: columns {list(history)}, expected {COLUMNS}")
    check(len(gap) > 5 or ",2.csv" in path, f"{stem}: only {len(gap)} evaluations")
    check(np.all(gap >= 0.0), f"{stem}: a gap of {np.min(gap)}")
    check(np.all(np.abs(primal - dual - gap) <= 1e-12 * primal), f"{stem}: P - D is not the gap")
    check(0.0 < rounding <= 1e-11 * primal[-1], f"{stem}: a rounding error of {rounding}")
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


def read_rounds(path):
    with h5py.File(path, "r") as model:
        return {name: array[:] for name, array in model["rounds"].items()}


def judge_rounds(path, rule, ranks):
    """The round log: every round, with the values of the history where it was evaluated."""
    stem = path[:-len(".csv")]
    history, log = oracle.read_history(path), read_rounds(stem + ".h5")
    evaluated = history["round"][1:].astype(int)

    check(sorted(log) == sorted(LOGGED + ["sigma_along"] * ("sigma_along" in log)), f"{stem}: a log of {list(log)}")
    check(np.array_equal(log["round"], np.arange(1, evaluated[-1] + 1)),
          f"{stem}: rounds {log['round']}, not 1 to {evaluated[-1]}")
    check(np.all(np.diff(log["epoch"]) > 0.0) and np.all(np.diff(log["seconds"]) >= 0.0), f"{stem}: time does not pass")
    for name in ("epoch", "eta", "sigma", "local_steps"):
        check(np.array_equal(log[name][evaluated - 1], history[name][1:]),
              f"{stem}: {name} of rounds {evaluated} is {log[name][evaluated - 1]}, not {history[name][1:]}")
    check(np.all(log["seconds"][evaluated - 1] <= history["seconds"][1:]), f"{stem}: an evaluation before its round")

    given = stem.split(",")[4]
    eta = {"add": 1.0, "average": 1.0 / ranks, "line-search": 1.0 if ranks == 1 else log["eta"]}[rule]
    check(np.all(log["eta"] == eta) and np.all(log["eta"] > 0.0), f"{stem}: eta {log['eta']}")
    check(len(set(log["local_steps"])) > 1 if given == "auto" else np.all(log["local_steps"] == float(given)),
          f"{stem}: local steps {log['local_steps']}, not {given}")
    check(ranks == 1 or rule != "line-search" or len(set(log["sigma"])) > 1, f"{stem}: sigma is always the same")
    check(("sigma_along" in log) == (ranks >= 4 and rule == "line-search"), f"{stem}: a sigma of the mean row, or none?")
    if "sigma_along" in log:
        check(np.all(log["sigma_along"] >= log["sigma"]) and np.any(log["sigma_along"] > log["sigma"]),
              f"{stem}: sigma along the mean row {log['sigma_along']}, across {log['sigma']}")


def judge_long(path, rounds):
    """A log without room for every round has every k-th, and the last."""
    with h5py.File(path, "r") as model:
        last = {name: model["history"][name][-1] for name in LOGGED}
    log = read_rounds(path)
    check(np.array_equal(log["round"], np.append(np.arange(4, rounds, 4), rounds)),
          f"{path}: rounds {log['round']}")
    for name in set(LOGGED) - {"seconds"}:
        check(log[name][-1] == last[name], f"{path}: {name} ends with {log[name][-1]}, not {last[name]}")


def main():
    """Check all histories."""
    judge_long("long.h5", 10001)
    paths = sorted(glob.glob("*.csv"))
    check(len(paths) == 30, f"expected 30 histories, got {len(paths)}")
    for path in paths:
        _, _, ranks, rule, _ = path.split(",")
        judge(path)
        judge_rounds(path, rule, int(ranks))


main()
