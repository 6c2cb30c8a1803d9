"""All classes in one run, and one run per class.

usage: lanes_vs_runs.py BUILD SCRATCH TURNS FILE.h5 ...

Both train to a relative gap of 1e-3. The single runs are those of train --positive LABEL.
Prints a Markdown table.
"""
import os
import sys

from bench_train import Run, median, name

LOSSES = ("hinge", "logistic")
LAMBDAS = ("1e-4", "1e-5")
REL_GAP = "1e-3"


def compare(together, single, turns):
    """Take turns; the cells of a row."""
    one, all_seconds, each_seconds = together(), [], []
    classes, rows = len(one.labels()), one.summary["rows"]
    if classes < 3:
        sys.exit(f"lanes_vs_runs.py: {classes} classes: a file needs three or more")
    for _ in range(turns):
        one = together()
        each = [single(label) for label in one.labels()]
        all_seconds.append(one.seconds)
        each_seconds.append(sum(run.seconds for run in each))
    peak = max(run.peak for run in each)
    return (f"{classes} | {median(all_seconds):.4g} | {one.primal:.9g} | {median(each_seconds):.4g} "
            f"| {sum(run.primal for run in each):.9g} | {median(each_seconds) / median(all_seconds):.2f} "
            f"| {1e-6 * one.peak:.1f} | {1e-6 * peak:.1f} | {(one.peak - peak) / (rows * (classes - 1)):.1f}")


def main(build, scratch, turns, *paths):
    print("| data | loss | lambda | classes | one run s | its P | single runs s | their P | ratio "
          "| one run MB | single run MB | bytes per row and further model |\n" + "|---" * 12 + "|")
    for path in paths:
        for loss in LOSSES:
            for lam in LAMBDAS:
                print(name(path), loss, lam, "one run and single runs", file=sys.stderr)
                command = (os.path.join(build, "sdca"), scratch, path, "--loss", loss, "--lambda", lam,
                           "--rel-gap", REL_GAP)
                cells = compare(lambda: Run(*command), lambda label: Run(*command, "--positive", label), int(turns))
                print(f"| {name(path)} | {loss} | {lam} | {cells} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
